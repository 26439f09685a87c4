CREATE TABLE wanted (
    agent TEXT NOT NULL, session TEXT NOT NULL, at REAL NOT NULL, ended INTEGER NOT NULL,
    PRIMARY KEY (agent, session)) WITHOUT ROWID;
