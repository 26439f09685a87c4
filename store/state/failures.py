"""Windows that failed: tried again with growing pauses, never skipped silently (invariant 1)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from siltstone.store.state.database import Database, Row, moment, stamp

FIRST_PAUSE = timedelta(minutes=5)
LONGEST_PAUSE = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class Failure:
    """A window that could not be dealt with."""

    window: str
    attempts: int
    next_try: datetime
    error: str
    """One sentence, redacted by whoever records it."""


class Failures:
    """Failed windows by id."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def record(self, window: str, error: str, now: datetime) -> Failure:
        """Count one more failed attempt; the pause before the next doubles from 5 minutes to 12 hours."""
        with self._db.transaction():
            before = self.get(window)
            attempts = before.attempts + 1 if before else 1
            pause = min(FIRST_PAUSE * 2 ** min(attempts - 1, 16), LONGEST_PAUSE)
            failure = Failure(window, attempts, now + pause, error)
            self._db.write(
                "INSERT OR REPLACE INTO failure (window, attempts, next_try, error) VALUES (?,?,?,?)",
                (window, attempts, stamp(failure.next_try), error),
            )
            return failure

    def get(self, window: str) -> Failure | None:
        rows = self._db.rows(
            "SELECT window, attempts, next_try, error FROM failure WHERE window = ?", (window,)
        )
        return _failure(rows[0]) if rows else None

    def all(self) -> list[Failure]:
        """Every failed window, the next to be tried first."""
        rows = self._db.rows(
            "SELECT window, attempts, next_try, error FROM failure ORDER BY next_try, window"
        )
        return [_failure(row) for row in rows]

    def waits(self, window: str, now: datetime) -> bool:
        """Whether it is too early to try this window again."""
        failure = self.get(window)
        return failure is not None and failure.next_try > now

    def clear(self, window: str) -> None:
        self._db.write("DELETE FROM failure WHERE window = ?", (window,))


def _failure(row: Row) -> Failure:
    return Failure(str(row[0]), int(row[1] or 0), moment(row[2]), str(row[3]))
