CREATE TABLE shown (
    agent TEXT NOT NULL, session TEXT NOT NULL, variant TEXT NOT NULL, at REAL NOT NULL,
    served REAL NOT NULL, forced INTEGER NOT NULL, compactions INTEGER NOT NULL, text TEXT NOT NULL,
    paths TEXT NOT NULL, PRIMARY KEY (agent, session, variant)) WITHOUT ROWID;
CREATE INDEX shown_served ON shown (served);
CREATE TABLE shown_log (
    n INTEGER PRIMARY KEY, at REAL NOT NULL, agent TEXT NOT NULL, session TEXT NOT NULL,
    text TEXT NOT NULL);
