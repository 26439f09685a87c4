"""When to compact (docs/seeds.md C23, C27)."""

from dataclasses import dataclass
from datetime import datetime, timedelta

CHURN = 8
INTERVAL = timedelta(hours=12)
MIN_ENTRIES = 2
RETRY = timedelta(minutes=10)
"""After an attempt that failed; docs/seeds.md C23 polls that often."""


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What the state database remembers of compaction."""

    churn: int
    """Writes since the last compaction."""
    attempted: datetime | None = None
    compacted: datetime | None = None


def due(
    upkeep: Upkeep,
    entries: int,
    expired: int,
    now: datetime,
    churn: int = CHURN,
    interval: timedelta = INTERVAL,
    min_entries: int = MIN_ENTRIES,
) -> str | None:
    """Why to compact now, in words for the log; None when there is no need.

    `entries` counts live memories, `expired` those whose own text says that they ended. The limits
    are settings (C31).
    """
    if entries < min_entries or _failed_lately(upkeep, now):
        return None
    if upkeep.churn >= churn:
        return f"{upkeep.churn} writes since the last compaction"
    waited = upkeep.compacted is None or now - upkeep.compacted >= interval
    if waited and (upkeep.churn > 0 or expired > 0):
        hours = int(interval.total_seconds() // 3600)
        return f"changes waited for {hours} hours" if upkeep.compacted else "looked at for the first time"
    return None


def _failed_lately(upkeep: Upkeep, now: datetime) -> bool:
    attempted = upkeep.attempted
    succeeded = upkeep.compacted is not None and attempted is not None and upkeep.compacted >= attempted
    return attempted is not None and not succeeded and now - attempted < RETRY
