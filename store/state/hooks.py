"""What hooks leave for each other: which calls were heard just now, and whose transcripts are to be read.

Called by hot commands through `Light`. Times are epoch seconds.
"""

from siltstone.store.state.light import Light

TWICE = 2.0
"""Seconds within which the same call is taken for the same one."""
_KEPT = 32
_HEARD = "hooks_heard"


class Hooks:
    """Rows of the state database."""

    def __init__(self, light: Light) -> None:
        self._db = light

    def heard(self, mark: str, now: float) -> bool:
        """Whether a call with this mark (no line break in it) was heard just now; it is, from here on."""
        rows = self._db.rows("SELECT value FROM value WHERE key = ?", (_HEARD,))
        recent = [line for line in str(rows[0][0]).split("\n") if _is_recent(line, now)] if rows else []
        if any(line.partition(" ")[2] == mark for line in recent):
            return True
        told = "\n".join([*recent[-_KEPT + 1 :], f"{now:.3f} {mark}"])
        self._db.write("INSERT OR REPLACE INTO value (key, value) VALUES (?,?)", (_HEARD, told))
        return False


def _is_recent(line: str, now: float) -> bool:
    try:
        return abs(now - float(line.partition(" ")[0])) < TWICE
    except ValueError:
        return False
