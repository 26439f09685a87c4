"""What agents were shown, and which memories were opened, cited and used (docs/seeds.md D8, D17–D20)."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from siltstone.store.state.database import Cell, Database, Row, session_key, stamp, storable

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


MAX_BLOCKS = 300
"""Blocks that are kept, the last shown first. A session has one for each layout and question it asks."""
MAX_AGE = 7 * 86_400.0
LINES = 1_000
"""Lines of the log that are kept, the newest."""
_FORCED = "shown_forced"
_WITHDRAWN = -1
"""No count of `force` is negative: a block with this number is never shown again."""


class Last(NamedTuple):
    """A block as it was shown."""

    text: str
    at: float
    """When it was made."""
    served: float
    """When it was last shown."""
    forced: int
    compactions: int
    paths: tuple[str, ...]
    """The memories in it."""
    receipt: str = ""
    """What `recall/receipt.py` says of it, serialised by its maker."""


class Line(NamedTuple):
    """One decision."""

    at: float
    agent: str
    session: str
    text: str


class Shown:
    """Blocks by (agent, session, variant), and the log. Times are epoch seconds."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, agent: str, session: str, variant: str) -> Last | None:
        """The block that was shown last, if any."""
        found = self._db.read(
            _last,
            "SELECT text, at, served, forced, compactions, paths, receipt FROM shown "
            "WHERE agent = ? AND session = ? AND variant = ?",
            (session_key(agent), session_key(session), variant),
        )
        return found[0] if found else None

    def put(self, agent: str, session: str, variant: str, last: Last) -> None:
        """Keep a block, and drop those shown longest ago."""
        self._db.write(
            "INSERT OR REPLACE INTO shown "
            "(agent, session, variant, at, served, forced, compactions, text, paths, receipt) "
            "VALUES (?,?,?,?,?,?,?,?,?,?)",
            (
                session_key(agent),
                session_key(session),
                variant,
                last.at,
                last.served,
                last.forced,
                last.compactions,
                storable(last.text),
                storable("\n".join(path for path in last.paths if "\n" not in path)),
                storable(last.receipt),
            ),
        )
        self._db.write("DELETE FROM shown WHERE served < ?", (last.served - MAX_AGE,))
        self._db.write(
            "DELETE FROM shown WHERE served < "
            "(SELECT served FROM shown ORDER BY served DESC LIMIT 1 OFFSET ?)",
            (MAX_BLOCKS - 1,),
        )

    def again(self, agent: str, session: str, variant: str, now: float) -> None:
        """The same block was shown once more."""
        self._db.write(
            "UPDATE shown SET served = ? WHERE agent = ? AND session = ? AND variant = ?",
            (now, session_key(agent), session_key(session), variant),
        )

    def paths(self, agent: str, session: str) -> list[str]:
        """Paths of the memories in the blocks that are kept for a session, sorted."""
        rows = self._db.rows(
            "SELECT paths FROM shown WHERE agent = ? AND session = ?",
            (session_key(agent), session_key(session)),
        )
        return sorted({path for (paths,) in rows for path in str(paths).split("\n") if path})

    def drop(self, agent: str, session: str) -> None:
        """Drop all blocks of a session."""
        self._db.write(
            "DELETE FROM shown WHERE agent = ? AND session = ?", (session_key(agent), session_key(session))
        )

    def drop_variant(self, agent: str, session: str, variant: str) -> None:
        """Drop one block of a session."""
        self._db.write(
            "DELETE FROM shown WHERE agent = ? AND session = ? AND variant = ?",
            (session_key(agent), session_key(session), variant),
        )

    def withdraw(self, source: str) -> None:
        """Empty every block: something in them must neither be kept nor shown again."""
        self._db.write("UPDATE shown SET text = '', paths = '', receipt = '', forced = ?", (_WITHDRAWN,))
        self.force(source)

    def force(self, source: str) -> None:
        """Show every session a new block when it next asks; `source` is the reason in the log."""
        number, _ = self.forced()
        self._db.write(
            "INSERT OR REPLACE INTO value (key, value) VALUES (?,?)", (_FORCED, f"{number + 1} {source}")
        )

    def forced(self) -> tuple[int, str]:
        """How often `force` was called, and its last source."""
        rows = self._db.rows("SELECT value FROM value WHERE key = ?", (_FORCED,))
        number, _, source = str(rows[0][0]).partition(" ") if rows else ("0", "", "")
        return (int(number), source) if number.isdecimal() else (0, source)

    def log(self, line: Line) -> None:
        """Add a line; only the newest LINES stay."""
        self._db.write(
            "INSERT INTO shown_log (at, agent, session, text) VALUES (?,?,?,?)",
            (line.at, session_key(line.agent), session_key(line.session), line.text),
        )
        self._db.write("DELETE FROM shown_log WHERE n <= (SELECT max(n) FROM shown_log) - ?", (LINES,))

    def lines(self, limit: int) -> list[Line]:
        """The newest lines, newest first."""
        rows = self._db.rows(
            "SELECT at, agent, session, text FROM shown_log ORDER BY n DESC LIMIT ?", (limit,)
        )
        return [
            Line(float(at or 0), str(agent), str(session), str(text)) for at, agent, session, text in rows
        ]


def _last(row: Row) -> Last:
    text, at, served, forced, compactions, paths, receipt = row
    return Last(
        str(text),
        float(at or 0),
        float(served or 0),
        int(forced or 0),
        int(compactions or 0),
        tuple(str(paths).split("\n")) if paths else (),
        str(receipt),
    )
