"""The tables, as steps: step n brings a database of version n to version n + 1. Steps are never edited."""

STEPS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE source (
            agent TEXT NOT NULL, key TEXT NOT NULL, session TEXT NOT NULL, resume TEXT, stamp TEXT NOT NULL,
            message TEXT, at TEXT NOT NULL, PRIMARY KEY (agent, key)) WITHOUT ROWID""",
        """CREATE TABLE seen (
            agent TEXT NOT NULL, key TEXT NOT NULL, session TEXT NOT NULL, PRIMARY KEY (agent, key)
            ) WITHOUT ROWID""",
        """CREATE TABLE lease (
            name TEXT PRIMARY KEY, pid INTEGER NOT NULL, started TEXT NOT NULL, until TEXT NOT NULL
            ) WITHOUT ROWID""",
        """CREATE TABLE failure (
            window TEXT PRIMARY KEY, attempts INTEGER NOT NULL, next_try TEXT NOT NULL, error TEXT NOT NULL
            ) WITHOUT ROWID""",
        """CREATE TABLE run (
            id TEXT PRIMARY KEY, started TEXT NOT NULL, ended TEXT, report TEXT NOT NULL) WITHOUT ROWID""",
        """CREATE TABLE window (
            id TEXT NOT NULL, run TEXT NOT NULL, at TEXT NOT NULL, scope TEXT NOT NULL, agent TEXT NOT NULL,
            session TEXT NOT NULL, model TEXT NOT NULL, commit_id TEXT,
            counts TEXT NOT NULL, prompt INTEGER NOT NULL, completion INTEGER NOT NULL,
            cached INTEGER NOT NULL, cost REAL, PRIMARY KEY (run, id)) WITHOUT ROWID""",
        "CREATE INDEX window_at ON window (at)",
        """CREATE TABLE rejected (
            n INTEGER PRIMARY KEY, run TEXT NOT NULL, window TEXT NOT NULL, at TEXT NOT NULL,
            reason TEXT NOT NULL, type TEXT NOT NULL, text TEXT NOT NULL, evidence TEXT NOT NULL)""",
        "CREATE INDEX rejected_at ON rejected (at)",
        "CREATE TABLE spend (day TEXT PRIMARY KEY, tokens INTEGER NOT NULL, usd REAL NOT NULL) WITHOUT ROWID",
        """CREATE TABLE compaction (
            scope TEXT PRIMARY KEY, churn INTEGER NOT NULL, attempted TEXT, compacted TEXT) WITHOUT ROWID""",
        "CREATE TABLE pending (scope TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE judged (hash TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE value (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
    ),
    ("CREATE TABLE purged (message TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID",),
    (
        """CREATE TABLE session (
            agent TEXT NOT NULL, session TEXT NOT NULL, at REAL NOT NULL, body TEXT NOT NULL,
            PRIMARY KEY (agent, session)) WITHOUT ROWID""",
        "CREATE INDEX session_at ON session (at)",
    ),
    (
        """CREATE TABLE opened (
            session TEXT NOT NULL, path TEXT NOT NULL, hash TEXT NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY (session, path)) WITHOUT ROWID""",
    ),
    (
        """CREATE TABLE shown (
            agent TEXT NOT NULL, session TEXT NOT NULL, variant TEXT NOT NULL, at REAL NOT NULL,
            served REAL NOT NULL, forced INTEGER NOT NULL, compactions INTEGER NOT NULL, text TEXT NOT NULL,
            paths TEXT NOT NULL, PRIMARY KEY (agent, session, variant)) WITHOUT ROWID""",
        "CREATE INDEX shown_served ON shown (served)",
        """CREATE TABLE shown_log (
            n INTEGER PRIMARY KEY, at REAL NOT NULL, agent TEXT NOT NULL, session TEXT NOT NULL,
            text TEXT NOT NULL)""",
    ),
    (
        """CREATE TABLE summary (
            agent TEXT NOT NULL, session TEXT NOT NULL, at REAL NOT NULL, cwd TEXT NOT NULL,
            maker TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (agent, session)) WITHOUT ROWID""",
        "CREATE INDEX summary_at ON summary (at)",
    ),
    (
        """CREATE TABLE used (
            path TEXT PRIMARY KEY, shown INTEGER NOT NULL DEFAULT 0, opened INTEGER NOT NULL DEFAULT 0,
            cited INTEGER NOT NULL DEFAULT 0, days INTEGER NOT NULL DEFAULT 0,
            day INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID""",
    ),
    (
        # What was shown before has no receipt: it is shown anew.
        "DELETE FROM shown",
        "ALTER TABLE shown ADD COLUMN receipt TEXT NOT NULL DEFAULT ''",
    ),
    (
        """CREATE TABLE wanted (
            agent TEXT NOT NULL, session TEXT NOT NULL, at REAL NOT NULL, ended INTEGER NOT NULL,
            PRIMARY KEY (agent, session)) WITHOUT ROWID""",
    ),
    (
        "ALTER TABLE rejected ADD COLUMN said TEXT NOT NULL DEFAULT ''",
        # What the user asked not to keep was kept here, of all places.
        "UPDATE rejected SET text = '', evidence = '' WHERE reason = 'negated_request'",
    ),
)
