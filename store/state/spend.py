"""What was spent on each UTC day: the ceiling of invariant 15 is checked against it."""

from dataclasses import dataclass
from datetime import UTC, date, datetime

from siltstone.store.state.database import Cell, Database


@dataclass(frozen=True, slots=True)
class Day:
    """Spending of one UTC day."""

    day: date
    tokens: int
    usd: float
    """US dollars; calls of models without a price count tokens only."""


class Spend:
    """Tokens and money by day."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, now: datetime, tokens: int, usd: float) -> Day:
        """Count a call on the UTC day of `now`, negative to put a count right; what that day comes to."""
        with self._db.transaction():
            self._db.write(
                "INSERT INTO spend (day, tokens, usd) VALUES (?,?,?) ON CONFLICT (day) DO UPDATE SET "
                "tokens = tokens + excluded.tokens, usd = usd + excluded.usd",
                (_utc_day(now).isoformat(), tokens, usd),
            )
            return self.on(now)

    def on(self, now: datetime) -> Day:
        """What the UTC day of `now` has come to so far."""
        day = _utc_day(now)
        rows = self._db.rows("SELECT tokens, usd FROM spend WHERE day = ?", (day.isoformat(),))
        return Day(day, int(rows[0][0] or 0), _usd(rows[0][1])) if rows else Day(day, 0, 0.0)

    def days(self, limit: int = 90) -> list[Day]:
        """The last days with spending, newest first."""
        rows = self._db.rows("SELECT day, tokens, usd FROM spend ORDER BY day DESC LIMIT ?", (limit,))
        return [Day(date.fromisoformat(str(row[0])), int(row[1] or 0), _usd(row[2])) for row in rows]


def _usd(cell: Cell) -> float:
    """Without the dust that adding and taking back leaves."""
    return round(float(cell or 0), 9) + 0.0


def _utc_day(now: datetime) -> date:
    if now.tzinfo is None:
        raise ValueError(f"{now} has no time zone")
    return now.astimezone(UTC).date()
