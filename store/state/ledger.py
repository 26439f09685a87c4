"""What runs did: the ledger of windows and rejections, spending, and what compaction remembers."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from siltstone.store.state.database import Part

KEPT = timedelta(days=90)


class RunRow(NamedTuple):
    """One `silt run` (or `extract`, `compact`) as a whole. Kept for good."""

    id: str
    started: datetime
    ended: datetime | None = None
    report: Mapping[str, object] = {}
    """What `--json` printed."""


class WindowRow(NamedTuple):
    """One window that was processed."""

    id: str
    run: str
    at: datetime
    scope: str
    agent: str
    session: str
    model: str
    commit: str | None = None
    counts: Mapping[str, int] = {}
    """messages, candidates, promoted, "rejected:<reason>", "filtered:<reason>" …"""
    prompt: int = 0
    completion: int = 0
    cached: int = 0
    cost: float | None = None
    """US dollars; None when the model has no price."""


class Rejected(NamedTuple):
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


class Ledger(Part):
    """Runs, windows, rejected candidates."""

    def put_run(self, run: RunRow) -> None:
        """Write a run, or write it again when it has ended."""
        self._db.put("run", **run._asdict())

    def runs(self, limit: int = 20) -> list[RunRow]:
        """The last runs, newest first."""
        return self._db.read(RunRow, "run ORDER BY started DESC, id DESC LIMIT ?", limit)

    def reject(self, rejected: Iterable[Rejected]) -> None:
        with self._db.transaction():
            for one in rejected:
                self._db.put("rejected", **one._asdict())

    def rejected(self, limit: int = 200, scope: str | None = None) -> list[Rejected]:
        """Rejected candidates, newest first, of all windows or of one scope's; -1 for no limit."""
        ask = (
            "rejected WHERE ?2 IS NULL OR window IN (SELECT id FROM window WHERE scope = ?2) "
            "ORDER BY at DESC, n DESC LIMIT ?1"
        )
        return self._db.read(Rejected, ask, limit, scope)

    def forget(self, scope: str) -> None:
        """Drop the rejected candidates of a scope's windows (`silt purge --project`)."""
        self._db.write("DELETE FROM rejected WHERE window IN (SELECT id FROM window WHERE scope = ?)", scope)

    def forget_if(self, wanted: Callable[[Rejected], bool]) -> None:
        """Drop the rejected candidates whose text or evidence `wanted` picks (`silt purge NAME`)."""
        gone = [(one.text, one.evidence) for one in self.rejected(limit=-1) if wanted(one)]
        self._db.write_all("DELETE FROM rejected WHERE text = ? AND evidence = ?", gone)

    def prune(self, now: datetime) -> None:
        """Drop windows and rejected candidates older than 90 days."""
        with self._db.transaction():
            self._db.write("DELETE FROM window WHERE at < ?", now - KEPT)
            self._db.write("DELETE FROM rejected WHERE at < ?", now - KEPT)


class Day(NamedTuple):
    """Spending of one UTC day."""

    day: date
    tokens: int
    usd: float
    """US dollars; calls of models without a price count tokens only."""


class Spend(Part):
    """Tokens and money by day: the daily ceiling of invariant 15 is checked against it."""

    def add(self, now: datetime, tokens: int, usd: float) -> Day:
        """Count a call on the UTC day of `now`; negative amounts take it back. Returns the day's total."""
        with self._db.transaction():
            # Rounded, since adding and taking back leaves tiny remainders.
            self._db.write(
                "INSERT INTO spend (day, tokens, usd) VALUES (?,?,round(?, 9)) ON CONFLICT (day) DO UPDATE "
                "SET tokens = tokens + excluded.tokens, usd = round(usd + excluded.usd, 9) + 0.0",
                *(_utc_day(now), tokens, usd),
            )
            return self.on(now)

    def on(self, now: datetime) -> Day:
        """The total of the UTC day of `now` so far."""
        day = _utc_day(now)
        found = self._db.read(Day, "spend WHERE day = ?", day)
        return found[0] if found else Day(day, 0, 0.0)

    def days(self, limit: int = 90) -> list[Day]:
        """The last days with spending, newest first."""
        return self._db.read(Day, "spend ORDER BY day DESC LIMIT ?", limit)


def _utc_day(now: datetime) -> date:
    if now.tzinfo is None:
        raise ValueError(f"{now} has no time zone")
    return now.astimezone(UTC).date()


class Churn(NamedTuple):
    """Compaction of one scope."""

    scope: str
    churn: int = 0
    """Entries written since the last compaction."""
    attempted: datetime | None = None
    compacted: datetime | None = None


class Compaction(Part):
    """Churn by scope; hashes of judged entries."""

    def get(self, scope: str) -> Churn:
        return next((churn for churn in self.all() if churn.scope == scope), Churn(scope))

    def all(self) -> list[Churn]:
        """Every scope that was ever written to, by name."""
        return self._db.read(Churn, "compaction ORDER BY scope")

    def wrote(self, scope: str, entries: int) -> None:
        self._db.write(
            "INSERT INTO compaction (scope, churn) VALUES (?,?) ON CONFLICT (scope) DO UPDATE SET "
            "churn = churn + excluded.churn",
            *(scope, entries),
        )

    def attempted(self, scope: str, now: datetime) -> None:
        """A compaction was begun, whatever its outcome."""
        self._db.write(
            "INSERT INTO compaction (scope, churn, attempted) VALUES (?,0,?) "
            "ON CONFLICT (scope) DO UPDATE SET attempted = excluded.attempted",
            *(scope, now),
        )

    def compacted(self, scope: str, now: datetime) -> None:
        """A compaction ended, also one that looked and found nothing to do: the churn starts from 0."""
        self._db.put("compaction", scope=scope, churn=0, attempted=now, compacted=now)

    def judged(self) -> frozenset[str]:
        """Hashes of the entries that have been judged as they stand."""
        return frozenset(hash for (hash,) in self._db.rows("SELECT hash FROM judged"))

    def judge(self, hashes: Iterable[str], now: datetime) -> None:
        self._db.write_all(
            "INSERT OR REPLACE INTO judged (hash, at) VALUES (?,?)", [(one, now) for one in hashes]
        )
