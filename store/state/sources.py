"""How far each transcript was read, and which messages were."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from siltstone.store.state.database import Database, Row, clean, moment, moment_or_none, session_key, stamp


@dataclass(frozen=True, slots=True)
class Watermark:
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


class Sources:
    """Watermarks and seen messages."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, agent: str, key: str) -> Watermark | None:
        """The watermark of one source."""
        found = self._db.read(_watermark, f"{_SELECT} WHERE agent = ? AND key = ?", (agent, key))
        return found[0] if found else None

    def all(self, agent: str | None = None) -> list[Watermark]:
        """Every watermark (of one agent), sorted by agent and key."""
        where = "WHERE (?1 IS NULL OR agent = ?1) ORDER BY agent, key"
        return self._db.read(_watermark, f"{_SELECT} {where}", (agent,))

    def stamps(self, agent: str) -> dict[str, str]:
        """The stamp of every source of an agent at its watermark.."""
        rows = self._db.rows("SELECT key, stamp FROM source WHERE agent = ?", (agent,))
        return {str(key): str(mark) for key, mark in rows}

    def put(self, mark: Watermark) -> None:
        """Set a watermark."""
        self._db.write(
            "INSERT OR REPLACE INTO source (agent, key, session, resume, stamp, message, at) "
            "VALUES (?,?,?,?,?,?,?)",
            (mark.agent, mark.key, mark.session, mark.resume, mark.stamp, mark.message, stamp(mark.at)),
        )

    def forget(self, agent: str, session: str) -> int:
        """Drop what was read of a session, so that it is read again; returns how many watermarks it had."""
        with self._db.transaction():
            self._db.write("DELETE FROM seen WHERE agent = ? AND session = ?", (agent, session))
            return self._db.write("DELETE FROM source WHERE agent = ? AND session = ?", (agent, session))

    def forget_all(self) -> None:
        """Drop every watermark and every seen message: all transcripts are read again from their start."""
        with self._db.transaction():
            self._db.write("DELETE FROM source")
            self._db.write("DELETE FROM seen")

    def seen(self, agent: str, keys: Sequence[str]) -> frozenset[str]:
        """Which of the message keys have been processed."""
        sql = "SELECT key FROM seen WHERE agent = ? AND key IN ({})"
        kept = {clean(key): key for key in keys}
        return frozenset(self._db.read_in(lambda row: kept[str(row[0])], sql, (agent,), list(kept)))

    def see(self, agent: str, session: str, keys: Iterable[str]) -> None:
        """Count messages of a session as processed; those that are already stay so."""
        self._db.write_all(
            "INSERT OR IGNORE INTO seen (agent, key, session) VALUES (?,?,?)",
            [(agent, key, session) for key in keys],
        )

    def read_until(self, agent: str, session: str) -> float | None:
        """Epoch seconds up to which the session's transcript was read; None when it never was."""
        ask = "SELECT max(at) FROM source WHERE agent = ? AND session = ? AND message IS NOT NULL"
        (at,) = self._db.read(
            lambda row: moment_or_none(row[0]), ask, (session_key(agent), session_key(session))
        )
        return None if at is None else at.timestamp()


_SELECT = "SELECT agent, key, session, resume, stamp, message, at FROM source"


def _watermark(row: Row) -> Watermark:
    agent, key, session, resume, mark, message, at = row
    return Watermark(
        str(agent),
        str(key),
        str(session),
        None if resume is None else str(resume),
        str(mark),
        None if message is None else str(message),
        moment(at),
    )
