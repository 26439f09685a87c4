"""What is known about running sessions, a row each: the body is the session's own (`recall/session/`).

The rows are swept now and then, so that sessions whose end nobody heard of do not pile up (docs/seeds.md B22;
there the cache of tool output, which Siltstone does not keep).
"""

from siltstone.store.state.light import Light
from siltstone.store.tuples import NamedTuple

SWEEP_EVENTS = 500
SWEEP_SECONDS = 86_400.0
"""A sweep is due after so many events or seconds, whichever comes first."""
KEPT = 300
MAX_AGE = 7 * 86_400.0
"""A sweep leaves the newest so many sessions, and of them those with an event within so many seconds."""
_EVENTS, _SWEPT = "session_events", "session_swept"


class Sweep(NamedTuple):
    """What a sweep looked at and deleted (docs/seeds.md B23)."""

    scanned: int
    deleted: int
    bytes: int
    """Size of the deleted bodies."""
    errors: tuple[str, ...] = ()


class Sessions:
    """Bodies by (agent, session). Times are seconds since 1970."""

    def __init__(self, light: Light) -> None:
        self._db = light

    def get(self, agent: str, session: str) -> str | None:
        """A session's body; None when nothing is known of it."""
        rows = self._db.rows(
            "SELECT body FROM session WHERE agent = ? AND session = ?", (safe_key(agent), safe_key(session))
        )
        return str(rows[0][0]) if rows else None

    def put(self, agent: str, session: str, at: float, body: str) -> None:
        """Keep a session's body, with the time of its last event. The body is ASCII."""
        self._db.write(
            "INSERT OR REPLACE INTO session (agent, session, at, body) VALUES (?,?,?,?)",
            (safe_key(agent), safe_key(session), at, body),
        )

    def drop(self, agent: str, session: str) -> bool:
        """Forget a session that ended (docs/seeds.md B21), and what it was shown; False when nothing was
        known of its state."""
        where = (safe_key(agent), safe_key(session))
        self._db.write("DELETE FROM shown WHERE agent = ? AND session = ?", where)
        return self._db.write("DELETE FROM session WHERE agent = ? AND session = ?", where) > 0

    def known(self) -> list[tuple[str, str, float]]:
        """Agent, session and time of its last event, newest first."""
        rows = self._db.rows("SELECT agent, session, at FROM session ORDER BY at DESC, agent, session")
        return [(str(agent), str(session), float(at or 0)) for agent, session, at in rows]

    def read_until(self, agent: str, session: str) -> float | None:
        """Up to when `silt run` has read the session's transcript; None when it never did."""
        from datetime import datetime

        rows = self._db.rows(
            "SELECT max(at) FROM source WHERE agent = ? AND session = ? AND message IS NOT NULL",
            (safe_key(agent), safe_key(session)),
        )
        return datetime.fromisoformat(str(rows[0][0])).timestamp() if rows[0][0] else None

    def count(self, now: float) -> Sweep | None:
        """Count an event, and sweep when that is due; the sweep's report, None when none was due."""
        events, swept = int(self._number(_EVENTS)) + 1, self._number(_SWEPT)
        if not swept:
            self._set(_SWEPT, now)  # the first event there is: a day is counted from here
        if events < SWEEP_EVENTS and not (swept and now - swept >= SWEEP_SECONDS):
            self._set(_EVENTS, events)
            return None
        self._set(_EVENTS, 0)
        self._set(_SWEPT, now)
        return self.sweep(now)

    def sweep(self, now: float) -> Sweep:
        """Drop what is not among the newest KEPT, and of those what is older than MAX_AGE."""
        rows = self._db.rows(
            "SELECT agent, session, at, length(body) FROM session ORDER BY at DESC, agent, session"
        )
        gone = [row for n, row in enumerate(rows) if n >= KEPT or now - float(row[2] or 0) > MAX_AGE]
        for agent, session, _, _ in gone:
            self._db.write("DELETE FROM session WHERE agent = ? AND session = ?", (agent, session))
        return Sweep(len(rows), len(gone), sum(int(row[3] or 0) for row in gone))

    def _number(self, key: str) -> float:
        rows = self._db.rows("SELECT value FROM value WHERE key = ?", (key,))
        try:
            return float(str(rows[0][0])) if rows else 0.0
        except ValueError:
            return 0.0

    def _set(self, key: str, value: float) -> None:
        self._db.write("INSERT OR REPLACE INTO value (key, value) VALUES (?,?)", (key, str(value)))


def safe_key(name: str) -> str:
    """A name as SQLite can hold it, of a bearable length."""
    return name[:200].encode("utf-8", "backslashreplace").decode("utf-8")
