CREATE TABLE summary (
    agent TEXT NOT NULL, session TEXT NOT NULL, at REAL NOT NULL, cwd TEXT NOT NULL,
    maker TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (agent, session)) WITHOUT ROWID;
CREATE INDEX summary_at ON summary (at);
