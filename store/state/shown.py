"""What each session was shown last, and why it was shown that (docs/seeds.md D17–D20).

Called by hot commands through `Light` and by all others through `State`. Times are epoch seconds.
"""

from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from siltstone.store.state.database import Database
    from siltstone.store.state.light import Light

KEPT = 300
"""Blocks kept, the last shown; a session has one for each way it asks (layout, question)."""
MAX_AGE = 7 * 86_400.0
LINES = 1_000
"""Lines of the log that are kept."""
_FORCED = "shown_forced"
_WITHDRAWN = -1
"""What no count of `force` is: a block that says so is never shown again."""
_LONGEST = 200


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
    """What `recall/receipt.py` told of it, for whoever made it to read."""


class Line(NamedTuple):
    """One decision."""

    at: float
    agent: str
    session: str
    text: str


class Shown:
    """Blocks by (agent, session, variant), and the log."""

    def __init__(self, database: "Light | Database") -> None:
        self._db = database

    def get(self, agent: str, session: str, variant: str) -> Last | None:
        """What was shown last; None for nothing."""
        rows = self._db.rows(
            "SELECT text, at, served, forced, compactions, paths, receipt FROM shown "
            "WHERE agent = ? AND session = ? AND variant = ?",
            (_key(agent), _key(session), variant),
        )
        if not rows:
            return None
        text, at, served, forced, compactions, paths, receipt = rows[0]
        return Last(
            str(text),
            float(at or 0),
            float(served or 0),
            int(forced or 0),
            int(compactions or 0),
            tuple(str(paths).split("\n")) if paths else (),
            str(receipt),
        )

    def put(self, agent: str, session: str, variant: str, last: Last) -> None:
        """Keep a block; those shown longest ago go."""
        self._db.write(
            "INSERT OR REPLACE INTO shown "
            "(agent, session, variant, at, served, forced, compactions, text, paths, receipt) "
            "VALUES (?,?,?,?,?,?,?,?,?,?)",
            (
                _key(agent),
                _key(session),
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
            (now, _key(agent), _key(session), variant),
        )

    def paths(self, agent: str, session: str) -> list[str]:
        """The memories that a session was shown, of its blocks that are kept."""
        rows = self._db.rows(
            "SELECT paths FROM shown WHERE agent = ? AND session = ?", (_key(agent), _key(session))
        )
        return sorted({path for (paths,) in rows for path in str(paths).split("\n") if path})

    def drop(self, agent: str, session: str) -> None:
        """A session ended."""
        self._db.write("DELETE FROM shown WHERE agent = ? AND session = ?", (_key(agent), _key(session)))

    def drop_variant(self, agent: str, session: str, variant: str) -> None:
        """What a session was shown in one way."""
        self._db.write(
            "DELETE FROM shown WHERE agent = ? AND session = ? AND variant = ?",
            (_key(agent), _key(session), variant),
        )

    def withdraw(self, source: str) -> None:
        """Nothing that was shown is shown again, and no byte of it is kept: something in it must not be."""
        self._db.write("UPDATE shown SET text = '', paths = '', receipt = '', forced = ?", (_WITHDRAWN,))
        self.force(source)

    def force(self, source: str) -> None:
        """Every session is shown a new block when it asks next; `source` is what the log says of it."""
        number, _ = self.forced()
        self._db.write(
            "INSERT OR REPLACE INTO value (key, value) VALUES (?,?)", (_FORCED, f"{number + 1} {source}")
        )

    def forced(self) -> tuple[int, str]:
        """How often that was asked for, and by what last."""
        rows = self._db.rows("SELECT value FROM value WHERE key = ?", (_FORCED,))
        number, _, source = str(rows[0][0]).partition(" ") if rows else ("0", "", "")
        return (int(number), source) if number.isdecimal() else (0, source)

    def log(self, line: Line) -> None:
        """Keep a line; only the newest LINES stay."""
        self._db.write(
            "INSERT INTO shown_log (at, agent, session, text) VALUES (?,?,?,?)",
            (line.at, _key(line.agent), _key(line.session), line.text),
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


def storable(text: str) -> str:
    """A text as SQLite can hold it, and as it is printed: half a character becomes "?"."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _key(name: str) -> str:
    return name[:_LONGEST].encode("utf-8", "backslashreplace").decode("utf-8")
