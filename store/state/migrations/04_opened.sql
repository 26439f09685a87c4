CREATE TABLE opened (
    session TEXT NOT NULL, path TEXT NOT NULL, hash TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (session, path)) WITHOUT ROWID;
