"""What sessions came to, for the next session of the same project (docs/seeds.md E16, E7).

A machine made them; they are no memories and never evidence, and go after a week.
"""

from siltstone.store.state.light import Light
from siltstone.store.state.sessions import KEPT, MAX_AGE, safe_key
from siltstone.store.tuples import NamedTuple


class Ended(NamedTuple):
    """The summary of one session."""

    agent: str
    session: str
    at: float
    """Seconds since 1970: when the session ended, or was last heard of."""
    cwd: str
    """The folder it worked in."""
    maker: str
    """Who made it: "rules", or a model by name."""
    text: str
    """Lines, freed of secrets, not yet escaped."""


class Summaries:
    """The latest summary by (agent, session)."""

    def __init__(self, light: Light) -> None:
        self._db = light

    def put(self, ended: Ended) -> None:
        """Keep a session's summary in place of an earlier one; those that are too old go."""
        names = safe_key(ended.agent), safe_key(ended.session)
        row = (*names, ended.at, _safe(ended.cwd), _safe(ended.maker), _safe(ended.text))
        self._db.write(
            "INSERT OR REPLACE INTO summary (agent, session, at, cwd, maker, text) VALUES (?,?,?,?,?,?)", row
        )
        self._db.write("DELETE FROM summary WHERE at < ?", (ended.at - MAX_AGE,))
        self._db.write(
            "DELETE FROM summary WHERE at < (SELECT at FROM summary ORDER BY at DESC LIMIT 1 OFFSET ?)",
            (KEPT - 1,),
        )

    def get(self, agent: str, session: str) -> Ended | None:
        """The summary of one session."""
        found = self._db.rows(
            "SELECT agent, session, at, cwd, maker, text FROM summary WHERE agent = ? AND session = ?",
            (safe_key(agent), safe_key(session)),
        )
        return _ended(found[0]) if found else None

    def recent(self, now: float, most: int) -> list[Ended]:
        """Summaries of the last week, the newest first."""
        rows = self._db.rows(
            "SELECT agent, session, at, cwd, maker, text FROM summary WHERE at >= ? "
            "ORDER BY at DESC, agent, session LIMIT ?",
            (now - MAX_AGE, most),
        )
        return [_ended(row) for row in rows]


def _ended(row: tuple[str | int | float | None, ...]) -> Ended:
    agent, session, at, cwd, maker, text = row
    return Ended(str(agent), str(session), float(at or 0), str(cwd), str(maker), str(text))


def _safe(text: str) -> str:
    """A text as SQLite can hold it."""
    return text.encode("utf-8", "replace").decode("utf-8")
