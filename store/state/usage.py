"""Which memories were shown, read and cited (docs/recall.md "What was used"), and who read which file."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from siltstone.store.state.database import Cell, Database, stamp, storable

DAY = 86_400
KEPT = timedelta(days=90)
"""As long as the ledger's details: a session that read a file longer ago reads it again."""


class Used(NamedTuple):
    """How often one memory was used."""

    shown: int = 0
    """Blocks it stood in. A block that a session is shown again counts once."""
    opened: int = 0
    """Times its file was read."""
    cited: int = 0
    """Answers that named or quoted it."""
    days: int = 0
    """UTC days on which it was opened or cited."""


class Usage:
    """Counts by path. Times are epoch seconds."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def shown(self, paths: Iterable[str]) -> None:
        """Count a new block with these memories."""
        count = (
            "INSERT INTO used (path, shown) VALUES (?, 1) ON CONFLICT (path) DO UPDATE SET shown = shown + 1"
        )
        for path in paths:
            self._db.write(count, (storable(path),))

    def opened(self, path: str, at: float) -> None:
        """Count one reading of a memory's file."""
        self._count(path, "opened", at)

    def cited(self, paths: Iterable[str], at: float) -> None:
        """Count an answer that names or quotes these memories."""
        for path in paths:
            self._count(path, "cited", at)

    def all(self) -> dict[str, Used]:
        """Every memory's counts, by path."""
        ask = "SELECT path, shown, opened, cited, days FROM used"
        return dict(self._db.read(lambda row: (str(row[0]), Used(*map(_count, row[1:]))), ask))

    def days(self) -> dict[str, int]:
        """On how many days each memory was opened or cited; memories that never were are left out."""
        ask = "SELECT path, days FROM used WHERE days > 0"
        return dict(self._db.read(lambda row: (str(row[0]), _count(row[1])), ask))

    def moved(self, old: str, new: str) -> None:
        """A file has moved to another path."""
        self._db.write("UPDATE OR REPLACE used SET path = ? WHERE path = ?", (storable(new), storable(old)))

    def forget(self, paths: Iterable[str]) -> None:
        """Drop the counts of these files; a path that ends with "/" is a folder."""
        for path in paths:
            self._db.write(f"DELETE FROM used WHERE {_within(path)}", (storable(path),))  # noqa: S608

    def _count(self, path: str, how: str, at: float) -> None:
        """A day counts once, and only days after the last one that counted: clocks may go back."""
        self._db.write(
            f"INSERT INTO used (path, {how}, days, day) VALUES (?1, 1, 1, ?2) "  # noqa: S608 (no input in it)
            f"ON CONFLICT (path) DO UPDATE SET {how} = {how} + 1, "
            "days = days + (excluded.day > day), day = max(day, excluded.day)",
            (storable(path), int(at // DAY)),
        )


class Opened:
    """The last reading of each file by each session: only who has read a cold file may edit it (D8).

    A session is "agent/session".
    """

    def __init__(self, database: Database) -> None:
        self._db = database
        self._usage = Usage(database)

    def note(self, session: str, path: str, hash: str, at: datetime) -> None:
        """A session has read, or written, the file as it is now. Readings older than `KEPT` are dropped."""
        with self._db.transaction():
            self._db.write("DELETE FROM opened WHERE at < ?", (stamp(at - KEPT),))
            self._db.write(
                "INSERT OR REPLACE INTO opened (session, path, hash, at) VALUES (?,?,?,?)",
                (session, path, hash, stamp(at)),
            )

    def read(self, session: str, path: str, hash: str, at: datetime) -> None:
        """A session has read the file: that also counts as a use of the memory."""
        with self._db.transaction():
            self.note(session, path, hash, at)
            self._usage.opened(path, at.timestamp())

    def hash_of(self, session: str, path: str) -> str | None:
        """Hash of the file as the session last read it; None when it never did."""
        rows = self._db.rows("SELECT hash FROM opened WHERE session = ? AND path = ?", (session, path))
        return str(rows[0][0]) if rows else None

    def moved(self, old: str, new: str) -> None:
        """A file has moved to another path: readings of the old one count for the new one."""
        self._usage.moved(old, new)
        self._db.write("UPDATE OR REPLACE opened SET path = ? WHERE path = ?", (new, old))

    def forget(self, paths: Iterable[str]) -> None:
        """Drop every reading and use of these files; a path that ends with "/" is a folder."""
        paths = list(paths)
        self._usage.forget(paths)
        for path in paths:
            self._db.write(f"DELETE FROM opened WHERE {_within(path)}", (path,))  # noqa: S608 (no input in it)


def _count(cell: Cell) -> int:
    return int(cell or 0)


def _within(path: str) -> str:
    return "substr(path, 1, length(?1)) = ?1" if path.endswith("/") else "path = ?1"
