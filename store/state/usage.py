"""What agents were shown, and which memories were opened, cited and used (docs/seeds.md D8, D17–D20)."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from siltstone.store.state.database import Part

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


class Usage(Part):
    """How often each memory was used, and the last reading of each file by each session.

    Only who has read a cold file may edit it (D8). A session is "agent/session".
    """

    def shown(self, paths: Iterable[str]) -> None:
        """Count a new block with these memories."""
        for path in paths:
            self._db.write(
                "INSERT INTO used (path, shown) VALUES (?, 1) ON CONFLICT (path) "
                "DO UPDATE SET shown = shown + 1",
                path,
            )

    def cited(self, paths: Iterable[str], at: float) -> None:
        """Count an answer, at these epoch seconds, that names or quotes these memories."""
        for path in paths:
            self._count(path, "cited", at)

    def read(self, session: str, path: str, hash: str, at: datetime) -> None:
        """A session has read the file as it is now: that is a use of the memory."""
        with self._db.transaction():
            self.note(session, path, hash, at)
            self._count(path, "opened", at.timestamp())

    def note(self, session: str, path: str, hash: str, at: datetime) -> None:
        """A session knows the file as it is now. What was known longer than `KEPT` is dropped."""
        with self._db.transaction():
            self._db.write("DELETE FROM opened WHERE at < ?", at - KEPT)
            self._db.put("opened", session=session, path=path, hash=hash, at=at)

    def hash_of(self, session: str, path: str) -> str | None:
        """Hash of the file as the session last read it; None when it never did."""
        rows = self._db.rows("SELECT hash FROM opened WHERE session = ? AND path = ?", session, path)
        return str(rows[0][0]) if rows else None

    def all(self) -> dict[str, Used]:
        rows = self._db.rows("SELECT path, shown, opened, cited, days FROM used")
        return {path: Used(*counts) for path, *counts in rows}

    def days(self) -> dict[str, int]:
        """On how many days each memory was opened or cited; memories that never were are left out."""
        return dict(self._db.rows("SELECT path, days FROM used WHERE days > 0"))

    def moved(self, old: str, new: str) -> None:
        for table in _BY_PATH:
            self._db.write(f"UPDATE OR REPLACE {table} SET path = ? WHERE path = ?", new, old)  # noqa: S608

    def forget(self, paths: Iterable[str]) -> None:
        """Drop all uses and readings of these files; a path that ends with "/" is a folder."""
        for path in paths:
            within = "substr(path, 1, length(?1)) = ?1" if path.endswith("/") else "path = ?1"
            for table in _BY_PATH:
                self._db.write(f"DELETE FROM {table} WHERE {within}", path)  # noqa: S608 (no input in it)

    def _count(self, path: str, how: str, at: float) -> None:
        """A day counts once, and only days after the last one that counted: clocks may go back."""
        self._db.write(
            f"INSERT INTO used (path, {how}, days, day) VALUES (?1, 1, 1, ?2) "  # noqa: S608 (no input in it)
            f"ON CONFLICT (path) DO UPDATE SET {how} = {how} + 1, "
            "days = days + (excluded.day > day), day = max(day, excluded.day)",
            path,
            int(at // DAY),
        )


_BY_PATH = ("used", "opened")

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


class Shown(Part):
    """Blocks by (agent, session, variant), and the log. Times are epoch seconds."""

    def get(self, agent: str, session: str, variant: str) -> Last | None:
        """The block that was shown last, if any."""
        this = "shown WHERE agent = ? AND session = ? AND variant = ?"
        found = self._db.read(Last, this, agent, session, variant)
        return found[0] if found else None

    def put(self, agent: str, session: str, variant: str, last: Last) -> None:
        """Keep a block, and drop those shown longest ago."""
        self._db.put("shown", agent=agent, session=session, variant=variant, **last._asdict())
        self._db.write("DELETE FROM shown WHERE served < ?", last.served - MAX_AGE)
        self._db.write(
            "DELETE FROM shown WHERE served < "
            "(SELECT served FROM shown ORDER BY served DESC LIMIT 1 OFFSET ?)",
            MAX_BLOCKS - 1,
        )

    def again(self, agent: str, session: str, variant: str, now: float) -> None:
        """The same block was shown once more."""
        self._db.write(
            "UPDATE shown SET served = ? WHERE agent = ? AND session = ? AND variant = ?",
            *(now, agent, session, variant),
        )

    def paths(self, agent: str, session: str) -> list[str]:
        """Paths of the memories in the blocks that are kept for a session, sorted."""
        rows = self._db.rows("SELECT paths FROM shown WHERE agent = ? AND session = ?", agent, session)
        return sorted({path for (paths,) in rows for path in paths.split("\n") if path})

    def drop(self, agent: str, session: str, variant: str | None = None) -> None:
        """Drop one block of a session, or all."""
        self._db.write(
            "DELETE FROM shown WHERE agent = ?1 AND session = ?2 AND (?3 IS NULL OR variant = ?3)",
            *(agent, session, variant),
        )

    def withdraw(self, source: str) -> None:
        """Empty every block: something in them must neither be kept nor shown again."""
        self._db.write("UPDATE shown SET text = '', paths = '', receipt = '', forced = ?", _WITHDRAWN)
        self.force(source)

    def force(self, source: str) -> None:
        """Show every session a new block when it next asks; `source` is the reason in the log."""
        self._db.set_value(_FORCED, f"{self.forced()[0] + 1} {source}")

    def forced(self) -> tuple[int, str]:
        """How often `force` was called, and its last source."""
        number, _, source = (self._db.value(_FORCED) or "0").partition(" ")
        return (int(number), source) if number.isdecimal() else (0, source)

    def log(self, line: Line) -> None:
        """Add a line; only the newest LINES stay."""
        self._db.put("shown_log", **line._asdict())
        self._db.write("DELETE FROM shown_log WHERE n <= (SELECT max(n) FROM shown_log) - ?", LINES)

    def lines(self, limit: int) -> list[Line]:
        """The newest lines, newest first."""
        return self._db.read(Line, "shown_log ORDER BY n DESC LIMIT ?", limit)
