"""When each scope was compacted, what was written since, and which entries have been judged."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from siltstone.store.state.database import Database, Row, moment_or_none, stamp


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
        found = self._db.read(_churn, f"{_SELECT} WHERE scope = ?", (scope,))
        return found[0] if found else Churn(scope)

    def all(self) -> list[Churn]:
        """Every scope that was ever written to, by name."""
        return self._db.read(_churn, f"{_SELECT} ORDER BY scope")

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


_SELECT = "SELECT scope, churn, attempted, compacted FROM compaction"


def _churn(row: Row) -> Churn:
    scope, writes, attempted, compacted = row
    return Churn(str(scope), int(writes or 0), moment_or_none(attempted), moment_or_none(compacted))
