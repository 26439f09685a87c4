"""What each session was shown last, and why (docs/seeds.md D17–D20)."""

from typing import NamedTuple

from siltstone.store.state.database import Database, Row, session_key, storable

KEPT = 300
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
            (KEPT - 1,),
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
