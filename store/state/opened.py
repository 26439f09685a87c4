"""Which files each session has read, and as what: a cold one is edited only by who has read it (D8)."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from siltstone.store.state.database import Database, stamp
from siltstone.store.state.usage import Usage

KEPT = timedelta(days=90)
"""As long as the ledger's details: a session that read a file longer ago reads it again."""


class Opened:
    """The last reading of each file by each session. A session is "agent/session"."""

    def __init__(self, database: Database) -> None:
        self._db = database
        self._usage = Usage(database)

    def note(self, session: str, path: str, hash: str, at: datetime) -> None:
        """A session has read, or written, the file as it is now. Readings older than `KEPT` go."""
        with self._db.transaction():
            self._db.write("DELETE FROM opened WHERE at < ?", (stamp(at - KEPT),))
            self._db.write(
                "INSERT OR REPLACE INTO opened (session, path, hash, at) VALUES (?,?,?,?)",
                (session, path, hash, stamp(at)),
            )

    def read(self, session: str, path: str, hash: str, at: datetime) -> None:
        """A session has read the file: that is also a use of the memory."""
        with self._db.transaction():
            self.note(session, path, hash, at)
            self._usage.opened(path, at.timestamp())

    def hash_of(self, session: str, path: str) -> str | None:
        """Hash of the file as the session last read it; None when it never did."""
        rows = self._db.rows("SELECT hash FROM opened WHERE session = ? AND path = ?", (session, path))
        return str(rows[0][0]) if rows else None

    def moved(self, old: str, new: str) -> None:
        """A file goes by another path: whoever had read it has read it there."""
        self._usage.moved(old, new)
        self._db.write("UPDATE OR REPLACE opened SET path = ? WHERE path = ?", (new, old))

    def forget(self, paths: Iterable[str]) -> None:
        """Drop every reading and use of these files; a folder has "/" at its end."""
        paths = list(paths)
        self._usage.forget(paths)
        for path in paths:
            within = "substr(path, 1, length(?)) = ?" if path.endswith("/") else "path IN (?, ?)"
            self._db.write(f"DELETE FROM opened WHERE {within}", (path, path))  # noqa: S608 (no input in it)
