CREATE TABLE value (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE source (
    agent TEXT NOT NULL, key TEXT NOT NULL, session TEXT NOT NULL, stamp TEXT NOT NULL, resume TEXT,
    PRIMARY KEY (agent, key)) WITHOUT ROWID;
CREATE TABLE scope (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE place (mark TEXT PRIMARY KEY, scope INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE session (
    id INTEGER PRIMARY KEY, agent TEXT NOT NULL, name TEXT NOT NULL, cwd TEXT NOT NULL,
    scope INTEGER NOT NULL, last INTEGER NOT NULL, title TEXT NOT NULL, UNIQUE (agent, name));
CREATE INDEX session_last ON session (last);
CREATE INDEX session_name ON session (name);
CREATE TABLE block (id INTEGER PRIMARY KEY, session INTEGER NOT NULL, texts BLOB NOT NULL);
CREATE INDEX block_session ON block (session);
CREATE TABLE message (
    id INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE, record INTEGER NOT NULL UNIQUE,
    session INTEGER NOT NULL, block INTEGER, place INTEGER NOT NULL, role TEXT NOT NULL);
CREATE INDEX message_session ON message (session, id);
CREATE VIRTUAL TABLE word USING fts5(text, content='', detail=none, tokenize="ascii tokenchars '_'");
