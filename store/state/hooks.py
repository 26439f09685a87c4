"""What hooks leave for each other: which calls were received just now, and whose transcripts to read."""

from collections.abc import Iterable
from typing import NamedTuple

from siltstone.store.state.database import Database, session_key

TWICE = 2.0
"""Seconds within which the same call is taken for the same one."""
RENEW = 30.0
"""Seconds between two times that a hook has the block prepared anew."""
AT_ONCE = 5.0
"""Seconds between two hooks whose order is not known."""
_KEPT = 32
_HEARD, _BEGUN, _RENEWED = "hooks_heard", "hooks_batch", "hooks_renewed"


class Want(NamedTuple):
    """A session whose transcript is to be read."""

    agent: str
    session: str
    at: float
    """When its agent last asked for it."""
    ended: bool
    """The session has ended: nothing more is to be waited for."""


class Hooks:
    """Wanted transcripts, recent calls, and the last batch. Times are epoch seconds."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def want(self, want: Want) -> None:
        """Have a session's transcript read; this replaces what was wanted of it before.

        Hooks of one moment come in any order: a session that ended stays ended.
        """
        self._db.write(
            "INSERT INTO wanted (agent, session, at, ended) VALUES (?,?,?,?) ON CONFLICT (agent, session) "
            "DO UPDATE SET at = max(at, excluded.at), "
            "ended = iif(excluded.at - at < ?, max(ended, excluded.ended), excluded.ended)",
            (session_key(want.agent), session_key(want.session), want.at, int(want.ended), AT_ONCE),
        )

    def wanted(self) -> list[Want]:
        """Sessions to read, the longest waiting first."""
        return self._db.read(
            lambda row: Want(str(row[0]), str(row[1]), float(row[2] or 0), bool(row[3])),
            "SELECT agent, session, at, ended FROM wanted ORDER BY at, agent, session",
        )

    def done(self, wants: Iterable[Want]) -> None:
        """These sessions were read; what was wanted again meanwhile stays."""
        for want in wants:
            self._db.write(
                "DELETE FROM wanted WHERE agent = ? AND session = ? AND at <= ?",
                (session_key(want.agent), session_key(want.session), want.at),
            )

    def begun(self) -> float:
        """When the last batch began that a hook asked for; 0 for never."""
        try:
            return float(self._value(_BEGUN) or 0.0)
        except ValueError:
            return 0.0

    def begin(self, now: float) -> None:
        """A batch begins."""
        self._put(_BEGUN, str(now))

    def renew(self, now: float) -> bool:
        """Whether the block may be prepared anew: only if that was not begun within `RENEW` seconds.

        True counts as begun.
        """
        if _is_recent(self._value(_RENEWED), now, RENEW):
            return False
        self._put(_RENEWED, f"{now:.3f}")
        return True

    def heard(self, mark: str, now: float) -> bool:
        """Whether a call with this mark (no line break in it) was received just now; from here on it was."""
        recent = [line for line in self._value(_HEARD).split("\n") if _is_recent(line, now, TWICE)]
        if any(line.partition(" ")[2] == mark for line in recent):
            return True
        self._put(_HEARD, "\n".join([*recent[-_KEPT + 1 :], f"{now:.3f} {mark}"]))
        return False

    def _value(self, key: str) -> str:
        rows = self._db.rows("SELECT value FROM value WHERE key = ?", (key,))
        return str(rows[0][0]) if rows else ""

    def _put(self, key: str, value: str) -> None:
        self._db.write("INSERT OR REPLACE INTO value (key, value) VALUES (?,?)", (key, value))


def _is_recent(line: str, now: float, within: float) -> bool:
    try:
        return abs(now - float(line.partition(" ")[0])) < within
    except ValueError:
        return False
