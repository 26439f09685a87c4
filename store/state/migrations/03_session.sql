CREATE TABLE session (
    agent TEXT NOT NULL, session TEXT NOT NULL, at REAL NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (agent, session)) WITHOUT ROWID;
CREATE INDEX session_at ON session (at);
