"""Running sessions, summaries of those that ended, and what hooks leave for each other.

A running session's body is written by `recall/session/`. Rows are swept now and then, so that sessions
whose end was never reported do not pile up (docs/seeds.md B22).
"""

import json
from collections.abc import Iterable
from typing import NamedTuple

from siltstone.store.state.database import Part

SWEEP_EVENTS = 500
SWEEP_SECONDS = 86_400.0
"""A sweep is due after so many events or seconds, whichever comes first."""
KEPT = 300
MAX_AGE = 7 * 86_400.0
"""A sweep keeps the newest so many sessions, and of them those with an event within so many seconds."""
SUMMARY_AGE = 90 * 86_400.0
"""Seconds for which a summary is kept: a project may rest for weeks, and its next step must not be lost."""
_EVENTS, _SWEPT = "session_events", "session_swept"


class Sweep(NamedTuple):
    """What a sweep looked at and deleted (docs/seeds.md B23)."""

    scanned: int
    deleted: int
    bytes: int
    """Size of the deleted bodies."""


class Sessions(Part):
    """Bodies by (agent, session). Times are seconds since 1970."""

    def get(self, agent: str, session: str) -> str | None:
        """A session's body; None when the session is unknown."""
        rows = self._db.rows("SELECT body FROM session WHERE agent = ? AND session = ?", agent, session)
        return str(rows[0][0]) if rows else None

    def put(self, agent: str, session: str, at: float, body: str) -> None:
        """Keep a session's body, with the time of its last event."""
        self._db.put("session", agent=agent, session=session, at=at, body=body)

    def drop(self, agent: str, session: str) -> None:
        """Forget a session that ended (docs/seeds.md B21), and what it was shown."""
        self._db.write("DELETE FROM shown WHERE agent = ? AND session = ?", agent, session)
        self._db.write("DELETE FROM session WHERE agent = ? AND session = ?", agent, session)

    def known(self) -> list[tuple[str, str, float]]:
        """Agent, session and time of the last event, newest first."""
        return self._db.rows("SELECT agent, session, at FROM session ORDER BY at DESC, agent, session")

    def count(self, now: float) -> Sweep | None:
        """Count an event, and sweep when that is due: the sweep's report, else None."""
        events, swept = int(self._db.number(_EVENTS)) + 1, self._db.number(_SWEPT)
        if not swept:
            self._db.set_value(_SWEPT, now)  # the first event of all: a day is counted from here
        if events < SWEEP_EVENTS and not (swept and now - swept >= SWEEP_SECONDS):
            self._db.set_value(_EVENTS, events)
            return None
        self._db.set_value(_EVENTS, 0)
        self._db.set_value(_SWEPT, now)
        return self.sweep(now)

    def sweep(self, now: float) -> Sweep:
        """Drop all but the newest KEPT sessions, and those older than MAX_AGE."""
        ask = "SELECT agent, session, at, length(body) FROM session ORDER BY at DESC, agent, session"
        rows = self._db.rows(ask)
        gone = [row for n, row in enumerate(rows) if n >= KEPT or now - row[2] > MAX_AGE]
        for agent, session, _, _ in gone:
            self._db.write("DELETE FROM session WHERE agent = ? AND session = ?", agent, session)
        return Sweep(len(rows), len(gone), sum(size for *_, size in gone))


class Ended(NamedTuple):
    agent: str
    session: str
    at: float
    """Seconds since 1970: when the session ended, or when its last event was."""
    cwd: str
    """The folder it worked in."""
    maker: str
    """Who wrote the summary: "rules", or a model's name."""
    text: str
    """Lines without secrets, not yet escaped."""


class Summaries(Part):
    """The latest summary by (agent, session), for the next session of the project (docs/seeds.md E16, E7).

    Summaries are written by a machine. They are no memories and never evidence, and are dropped after a
    quarter of a year.
    """

    def put(self, ended: Ended) -> None:
        """Keep a summary in place of an earlier one, and drop those that are too old or too many."""
        self._db.put("summary", **ended._asdict())
        self._db.write("DELETE FROM summary WHERE at < ?", ended.at - SUMMARY_AGE)
        self._db.write(
            "DELETE FROM summary WHERE at < (SELECT at FROM summary ORDER BY at DESC LIMIT 1 OFFSET ?)",
            KEPT - 1,
        )

    def get(self, agent: str, session: str) -> Ended | None:
        found = self._db.read(Ended, "summary WHERE agent = ? AND session = ?", agent, session)
        return found[0] if found else None

    def recent(self, now: float, most: int) -> list[Ended]:
        """Summaries that are not too old, newest first."""
        recent = "summary WHERE at >= ? ORDER BY at DESC, agent, session LIMIT ?"
        return self._db.read(Ended, recent, now - SUMMARY_AGE, most)


TWICE = 2.0
"""Seconds within which the same call is taken for the same one."""
RENEW = 30.0
"""Seconds between two times that a hook has the block prepared anew."""
AT_ONCE = 5.0
"""Seconds between two hooks whose order is not known."""
CALLS_KEPT = 32
OVERDUE_AGAIN = 3_600.0
"""Seconds until a hook asks again for a batch that did not read what had waited long enough."""
_HEARD, _BEGUN, _RENEWED, _POOLED = "hooks_heard", "hooks_batch", "hooks_renewed", "pooled"


class Want(NamedTuple):
    """A session whose transcript is to be read."""

    agent: str
    session: str
    at: float
    """When its agent last asked for it."""
    ended: bool
    """The session has ended: nothing more is to be waited for."""


class Pooled(NamedTuple):
    """Sessions that a batch left unread, so that a model is asked about them together with what follows."""

    until: float = 0.0
    """When they are read at the latest; epoch seconds."""
    sessions: tuple[str, ...] = ()
    """AGENT/ID of each."""


class Hooks(Part):
    """Wanted transcripts, recent calls, and the last batch. Times are epoch seconds."""

    def want(self, want: Want) -> None:
        """Have a session's transcript read; this replaces what was wanted of it before.

        Hooks of one moment come in any order: a session that ended stays ended.
        """
        self._db.write(
            "INSERT INTO wanted (agent, session, at, ended) VALUES (?,?,?,?) ON CONFLICT (agent, session) "
            "DO UPDATE SET at = max(at, excluded.at), "
            "ended = iif(excluded.at - at < ?, max(ended, excluded.ended), excluded.ended)",
            *want,
            AT_ONCE,
        )

    def wanted(self) -> list[Want]:
        """Sessions to read, the longest waiting first."""
        return self._db.read(Want, "wanted ORDER BY at, agent, session")

    def done(self, wants: Iterable[Want]) -> None:
        """These sessions were read; a session that was wanted again since then stays."""
        for agent, session, at, _ in wants:
            self._db.write(
                "DELETE FROM wanted WHERE agent = ? AND session = ? AND at <= ?", agent, session, at
            )

    def pool(self, pooled: Pooled) -> None:
        """Keep what the last batch left unread."""
        self._db.set_value(_POOLED, json.dumps(pooled) if pooled.sessions else None)

    def pooled(self) -> Pooled:
        until, sessions = json.loads(self._db.value(_POOLED) or "[0, []]")
        return Pooled(until, tuple(sessions))

    def overdue(self, now: float) -> list[Want]:
        """The pooled session to ask a batch for, when it has waited long enough; asked for once an hour."""
        pooled = self.pooled()
        if not pooled.sessions or now < pooled.until:
            return []
        self.pool(pooled._replace(until=now + OVERDUE_AGAIN))
        agent, _, session = pooled.sessions[0].partition("/")
        return [Want(agent, session, now, False)]

    def begun(self) -> float:
        """When the last batch began that a hook asked for; 0 for never."""
        return self._db.number(_BEGUN)

    def begin(self, now: float) -> None:
        self._db.set_value(_BEGUN, now)

    def renew(self, now: float) -> bool:
        """Whether the block may be prepared anew: only if that was not begun within `RENEW` seconds.

        True counts as begun.
        """
        if abs(now - self._db.number(_RENEWED)) < RENEW:
            return False
        self._db.set_value(_RENEWED, now)
        return True

    def heard(self, mark: str, now: float) -> bool:
        """Whether a call with this mark (no line break in it) was received just now; from here on it was."""
        lines = [line.partition(" ") for line in (self._db.value(_HEARD) or "").splitlines()]
        recent = [(at, one) for at, _, one in lines if abs(now - float(at)) < TWICE]
        if any(one == mark for _, one in recent):
            return True
        calls = [*recent[1 - CALLS_KEPT :], (f"{now:.3f}", mark)]
        self._db.set_value(_HEARD, "\n".join(f"{at} {one}" for at, one in calls))
        return False
