"""What runs did: the ledger of windows and rejections, spending, and what compaction remembers."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from siltstone.store.state.database import Database, Row, moment, moment_or_none, stamp

KEPT = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class RunRow:
    """One `silt run` (or `extract`, `compact`) as a whole. Kept for good."""

    id: str
    started: datetime
    ended: datetime | None = None
    report: Mapping[str, object] = field(default_factory=dict)
    """What `--json` printed."""


@dataclass(frozen=True, slots=True)
class WindowRow:
    """One window that was processed."""

    id: str
    run: str
    at: datetime
    scope: str
    agent: str
    session: str
    model: str
    commit: str | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    """messages, candidates, promoted, "rejected:<reason>", "filtered:<reason>" …"""
    prompt: int = 0
    completion: int = 0
    cached: int = 0
    cost: float | None = None
    """US dollars; None when the model has no price."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A candidate that was refused, and why. `text` and `evidence` come in redacted."""

    run: str
    window: str
    at: datetime
    reason: str
    type: str
    text: str
    """ "" if the user asked not to keep it, or if it was purged since."""
    evidence: str
    said: str = ""
    """The message it came from, `agent/session@message`; "" if unknown."""


class Ledger:
    """Runs, windows, rejected candidates."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def put_run(self, run: RunRow) -> None:
        """Write a run, or write it again when it has ended."""
        ended = None if run.ended is None else stamp(run.ended)
        self._db.write(
            "INSERT OR REPLACE INTO run (id, started, ended, report) VALUES (?,?,?,?)",
            (run.id, stamp(run.started), ended, json.dumps(run.report, ensure_ascii=True, sort_keys=True)),
        )

    def runs(self, limit: int = 20) -> list[RunRow]:
        """The last runs, newest first."""
        return self._db.read(
            lambda row: RunRow(
                str(row[0]), moment(row[1]), moment_or_none(row[2]), dict(json.loads(str(row[3])))
            ),
            "SELECT id, started, ended, report FROM run ORDER BY started DESC, id DESC LIMIT ?",
            (limit,),
        )

    def put_window(self, row: WindowRow) -> None:
        """Write a window's counts and costs."""
        counts = json.dumps(row.counts, ensure_ascii=True, sort_keys=True)
        self._db.write(
            "INSERT OR REPLACE INTO window (id, run, at, scope, agent, session, model, commit_id, counts, "
            "prompt, completion, cached, cost) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (
                *(row.id, row.run, stamp(row.at), row.scope, row.agent, row.session, row.model, row.commit),
                *(counts, row.prompt, row.completion, row.cached, row.cost),
            ),
        )

    def windows(self, run: str | None = None, since: datetime | None = None) -> list[WindowRow]:
        """Windows (of one run, or since a time), oldest first."""
        return self._db.read(
            _window,
            "SELECT id, run, at, scope, agent, session, model, commit_id, counts, prompt, "
            "completion, cached, cost FROM window WHERE (?1 IS NULL OR run = ?1) "
            "AND (?2 IS NULL OR at >= ?2) ORDER BY at, run, id",
            (run, None if since is None else stamp(since)),
        )

    def reject(self, rejected: Iterable[Rejected]) -> None:
        """Write refused candidates."""
        self._db.write_all(
            "INSERT INTO rejected (run, window, at, reason, type, text, evidence, said) "
            "VALUES (?,?,?,?,?,?,?,?)",
            [(r.run, r.window, stamp(r.at), r.reason, r.type, r.text, r.evidence, r.said) for r in rejected],
        )

    def rejected(self, run: str | None = None, reason: str | None = None, limit: int = 200) -> list[Rejected]:
        """Rejected candidates, newest first."""
        return self._db.read(
            _rejected,
            "SELECT run, window, at, reason, type, text, evidence, said FROM rejected "
            "WHERE (?1 IS NULL OR run = ?1) AND (?2 IS NULL OR reason = ?2) "
            "ORDER BY at DESC, n DESC LIMIT ?3",
            (run, reason, limit),
        )

    def forget(self, scope: str) -> int:
        """Drop the rejected candidates of a scope's windows (`silt purge --project`); returns how many."""
        return self._db.write(
            "DELETE FROM rejected WHERE window IN (SELECT id FROM window WHERE scope = ?)", (scope,)
        )

    def forget_if(self, wanted: Callable[[Rejected], bool]) -> int:
        """Drop the rejected candidates that `wanted` picks (`silt purge NAME`); returns how many."""
        with self._db.transaction():
            every = self._db.read(
                lambda row: (_rejected(row), row[-1]),
                "SELECT run, window, at, reason, type, text, evidence, said, n FROM rejected",
            )
            gone = [(n,) for rejected, n in every if wanted(rejected)]
            self._db.write_all("DELETE FROM rejected WHERE n = ?", gone)
        return len(gone)

    def prune(self, now: datetime) -> int:
        """Drop windows and rejected candidates older than 90 days; returns how many rows went."""
        before = (stamp(now - KEPT),)
        with self._db.transaction():
            gone = self._db.write("DELETE FROM window WHERE at < ?", before)
            return gone + self._db.write("DELETE FROM rejected WHERE at < ?", before)


def _rejected(row: Row) -> Rejected:
    run, window, at, *rest = row[:8]
    return Rejected(str(run), str(window), moment(at), *map(str, rest))


def _window(row: Row) -> WindowRow:
    prompt, completion, cached = (int(cell or 0) for cell in row[9:12])
    return WindowRow(
        id=str(row[0]),
        run=str(row[1]),
        at=moment(row[2]),
        scope=str(row[3]),
        agent=str(row[4]),
        session=str(row[5]),
        model=str(row[6]),
        commit=None if row[7] is None else str(row[7]),
        counts=dict(json.loads(str(row[8]))),
        prompt=prompt,
        completion=completion,
        cached=cached,
        cost=None if row[12] is None else float(row[12]),
    )


@dataclass(frozen=True, slots=True)
class Day:
    """Spending of one UTC day."""

    day: date
    tokens: int
    usd: float
    """US dollars; calls of models without a price count tokens only."""


class Spend:
    """Tokens and money by day: the daily ceiling of invariant 15 is checked against it."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, now: datetime, tokens: int, usd: float) -> Day:
        """Count a call on the UTC day of `now`; negative amounts take it back. Returns the day's total."""
        with self._db.transaction():
            self._db.write(
                "INSERT INTO spend (day, tokens, usd) VALUES (?,?,?) ON CONFLICT (day) DO UPDATE SET "
                "tokens = tokens + excluded.tokens, usd = usd + excluded.usd",
                (_utc_day(now).isoformat(), tokens, usd),
            )
            return self.on(now)

    def on(self, now: datetime) -> Day:
        """The total of the UTC day of `now` so far."""
        day = _utc_day(now)
        found = self._db.read(_day, "SELECT day, tokens, usd FROM spend WHERE day = ?", (day.isoformat(),))
        return found[0] if found else Day(day, 0, 0.0)

    def days(self, limit: int = 90) -> list[Day]:
        """The last days with spending, newest first."""
        return self._db.read(_day, "SELECT day, tokens, usd FROM spend ORDER BY day DESC LIMIT ?", (limit,))


def _day(row: Row) -> Day:
    # Rounded, since adding and taking back leaves tiny remainders.
    return Day(date.fromisoformat(str(row[0])), int(row[1] or 0), round(float(row[2] or 0), 9) + 0.0)


def _utc_day(now: datetime) -> date:
    if now.tzinfo is None:
        raise ValueError(f"{now} has no time zone")
    return now.astimezone(UTC).date()


@dataclass(frozen=True, slots=True)
class Churn:
    """Compaction of one scope."""

    scope: str
    writes: int = 0
    """Entries written since the last compaction."""
    attempted: datetime | None = None
    compacted: datetime | None = None


class Compaction:
    """Churn by scope; hashes of judged entries."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, scope: str) -> Churn:
        """The churn of one scope."""
        found = self._db.read(_churn, f"{_CHURN} WHERE scope = ?", (scope,))
        return found[0] if found else Churn(scope)

    def all(self) -> list[Churn]:
        """Every scope that was ever written to, by name."""
        return self._db.read(_churn, f"{_CHURN} ORDER BY scope")

    def wrote(self, scope: str, entries: int) -> None:
        """Count entries written to a scope."""
        self._db.write(
            "INSERT INTO compaction (scope, churn) VALUES (?,?) ON CONFLICT (scope) DO UPDATE SET "
            "churn = churn + excluded.churn",
            (scope, entries),
        )

    def attempted(self, scope: str, now: datetime) -> None:
        """A compaction was begun, whatever its outcome."""
        self._db.write(
            "INSERT INTO compaction (scope, churn, attempted) VALUES (?,0,?) "
            "ON CONFLICT (scope) DO UPDATE SET attempted = excluded.attempted",
            (scope, stamp(now)),
        )

    def compacted(self, scope: str, now: datetime) -> None:
        """A compaction ended: the churn starts from 0."""
        self._db.write(
            "INSERT INTO compaction (scope, churn, attempted, compacted) VALUES (?1,0,?2,?2) "
            "ON CONFLICT (scope) DO UPDATE SET churn = 0, "
            "attempted = excluded.attempted, compacted = excluded.compacted",
            (scope, stamp(now)),
        )

    def judged(self, hashes: Sequence[str]) -> frozenset[str]:
        """Which entries have been judged as they stand."""
        ask = "SELECT hash FROM judged WHERE hash IN ({})"
        return frozenset(self._db.read_in(lambda row: str(row[0]), ask, (), hashes))

    def judge(self, hashes: Iterable[str], now: datetime) -> None:
        """Remember that entries were judged."""
        at = stamp(now)
        self._db.write_all(
            "INSERT OR REPLACE INTO judged (hash, at) VALUES (?,?)", [(one, at) for one in hashes]
        )


_CHURN = "SELECT scope, churn, attempted, compacted FROM compaction"


def _churn(row: Row) -> Churn:
    scope, writes, attempted, compacted = row
    return Churn(str(scope), int(writes or 0), moment_or_none(attempted), moment_or_none(compacted))
