"""What hooks leave for each other: which calls were heard just now, and whose transcripts are to be read.

Called by hot commands through `Light`. Times are epoch seconds.
"""

from siltstone.store.state.light import Light
from siltstone.store.state.sessions import safe_key
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Want(NamedTuple):
    """A session whose transcript is to be read."""

    agent: str
    session: str
    at: float
    """When its agent last said so."""
    ended: bool
    """It came to its end: nothing more is to be waited for."""


TWICE = 2.0
"""Seconds within which the same call is taken for the same one."""
RENEW = 30.0
"""Seconds between two times that what is shown is prepared anew for a hook."""
AT_ONCE = 5.0
"""Seconds between two hooks of which nobody knows which was first."""
_KEPT = 32
_HEARD, _BEGUN, _RENEWED, _READY = "hooks_heard", "hooks_batch", "hooks_renewed", "hooks_ready"


class Hooks:
    """Rows of the state database."""

    def __init__(self, light: Light) -> None:
        self._db = light

    def want(self, want: Want) -> None:
        """Have a session read; this takes the place of what was wanted before.

        Hooks of one moment come in any order: a session that ended stays ended.
        """
        self._db.write(
            "INSERT INTO wanted (agent, session, at, ended) VALUES (?,?,?,?) ON CONFLICT (agent, session) "
            "DO UPDATE SET at = max(at, excluded.at), "
            "ended = iif(excluded.at - at < ?, max(ended, excluded.ended), excluded.ended)",
            (safe_key(want.agent), safe_key(want.session), want.at, int(want.ended), AT_ONCE),
        )

    def wanted(self) -> list[Want]:
        """What is to be read, the longest waiting first."""
        rows = self._db.rows("SELECT agent, session, at, ended FROM wanted ORDER BY at, agent, session")
        return [
            Want(str(agent), str(session), float(at or 0), bool(ended)) for agent, session, at, ended in rows
        ]

    def done(self, wants: "Iterable[Want]") -> None:
        """These were dealt with; what was wanted again meanwhile stays."""
        for want in wants:
            self._db.write(
                "DELETE FROM wanted WHERE agent = ? AND session = ? AND at <= ?",
                (safe_key(want.agent), safe_key(want.session), want.at),
            )

    def begun(self) -> float:
        """When the last batch began that a hook asked for; 0 for never."""
        rows = self._db.rows("SELECT value FROM value WHERE key = ?", (_BEGUN,))
        try:
            return float(str(rows[0][0])) if rows else 0.0
        except ValueError:
            return 0.0

    def begin(self, now: float) -> None:
        """A batch begins."""
        self._db.write("INSERT OR REPLACE INTO value (key, value) VALUES (?,?)", (_BEGUN, str(now)))

    def renew(self, now: float) -> bool:
        """Whether what is shown may be prepared anew: not where that was begun just now; it is, from here."""
        rows = self._db.rows("SELECT value FROM value WHERE key = ?", (_RENEWED,))
        if rows and _is_recent(str(rows[0][0]), now, RENEW):
            return False
        self._db.write("INSERT OR REPLACE INTO value (key, value) VALUES (?,?)", (_RENEWED, f"{now:.3f}"))
        return True

    def mark_ready(self) -> bool:
        """Note that somebody sees to what hooks need (`cli/hook_ready.py`); whether nobody did before."""
        return self._db.write("INSERT OR IGNORE INTO value (key, value) VALUES (?, '')", (_READY,)) > 0

    def heard(self, mark: str, now: float) -> bool:
        """Whether a call with this mark (no line break in it) was heard just now; it is, from here on."""
        rows = self._db.rows("SELECT value FROM value WHERE key = ?", (_HEARD,))
        recent = [line for line in str(rows[0][0]).split("\n") if _is_recent(line, now)] if rows else []
        if any(line.partition(" ")[2] == mark for line in recent):
            return True
        told = "\n".join([*recent[-_KEPT + 1 :], f"{now:.3f} {mark}"])
        self._db.write("INSERT OR REPLACE INTO value (key, value) VALUES (?,?)", (_HEARD, told))
        return False


def _is_recent(line: str, now: float, within: float = TWICE) -> bool:
    try:
        return abs(now - float(line.partition(" ")[0])) < within
    except ValueError:
        return False
