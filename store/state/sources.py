"""How far each transcript was read, and which messages were."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from siltstone.store.state.database import Part, clean

_VALUES_PER_QUERY = 500
"""SQLite allows at least 999."""


class Watermark(NamedTuple):
    """How far one transcript was read (invariant 1: it moves only with the commit of what was read)."""

    agent: str
    key: str
    """Logical name of the source (`Source.key`)."""
    session: str
    resume: str | None
    """The reader's own token for the place to go on from; None: from the start."""
    stamp: str
    """`Source.stamp` when it was read: the same stamp means nothing new."""
    message: str | None
    """Id of the last message processed."""
    at: datetime
    """When the watermark was moved."""


class Sources(Part):
    """Watermarks and seen messages."""

    def get(self, agent: str, key: str) -> Watermark | None:
        """The watermark of one source."""
        found = self._db.read(Watermark, f"{_SELECT} WHERE agent = ? AND key = ?", agent, key)
        return found[0] if found else None

    def all(self) -> list[Watermark]:
        """Every watermark, sorted by agent and key."""
        return self._db.read(Watermark, f"{_SELECT} ORDER BY agent, key")

    def stamps(self, agent: str) -> dict[str, str]:
        """The stamp of every source of an agent at its watermark."""
        return dict(self._db.rows("SELECT key, stamp FROM source WHERE agent = ?", agent))

    def put(self, mark: Watermark) -> None:
        """Set a watermark."""
        self._db.put("source", **mark._asdict())

    def forget(self, agent: str, session: str) -> int:
        """Drop what was read of a session, so that it is read again; returns how many watermarks it had."""
        with self._db.transaction():
            self._db.write("DELETE FROM seen WHERE agent = ? AND session = ?", agent, session)
            return self._db.write("DELETE FROM source WHERE agent = ? AND session = ?", agent, session)

    def forget_all(self) -> None:
        """Drop every watermark and every seen message: all transcripts are read again from their start."""
        with self._db.transaction():
            self._db.write("DELETE FROM source")
            self._db.write("DELETE FROM seen")

    def seen(self, agent: str, keys: Sequence[str]) -> frozenset[str]:
        """Which of the message keys have been processed."""
        stored = {clean(key): key for key in keys}
        asked = list(stored)
        found: set[str] = set()
        for at in range(0, len(asked), _VALUES_PER_QUERY):
            some = asked[at : at + _VALUES_PER_QUERY]
            marks = ",".join("?" * len(some))
            ask = f"SELECT key FROM seen WHERE agent = ? AND key IN ({marks})"  # noqa: S608 (only marks)
            found.update(stored[key] for (key,) in self._db.rows(ask, agent, *some))
        return frozenset(found)

    def see(self, agent: str, session: str, keys: Iterable[str]) -> None:
        """Count messages of a session as processed; those that are already stay so."""
        self._db.write_all(
            "INSERT OR IGNORE INTO seen (agent, key, session) VALUES (?,?,?)",
            [(agent, key, session) for key in keys],
        )

    def read_until(self, agent: str, session: str) -> float | None:
        """Epoch seconds up to which the session's transcript was read; None when it never was."""
        ask = f"{_SELECT} WHERE agent = ? AND session = ? AND message IS NOT NULL ORDER BY at DESC LIMIT 1"
        found = self._db.read(Watermark, ask, agent, session)
        return found[0].at.timestamp() if found else None


_SELECT = "SELECT agent, key, session, resume, stamp, message, at FROM source"
