"""When to compact, and which memories say that they ended (docs/seeds.md C23, C27)."""

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from siltstone.pipeline.words import anyof

CHURN = 8
INTERVAL = timedelta(hours=12)
MIN_ENTRIES = 2
RETRY = timedelta(minutes=10)
"""How long to wait after a failed attempt (docs/seeds.md C23)."""


@dataclass(frozen=True, slots=True)
class CompactionState:
    """What the state database remembers of compaction."""

    churn: int
    """Writes since the last compaction."""
    attempted: datetime | None = None
    compacted: datetime | None = None


def due(
    state: CompactionState,
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
    if entries < min_entries or _failed_lately(state, now):
        return None
    if state.churn >= churn:
        return f"{state.churn} writes since the last compaction"
    waited = state.compacted is None or now - state.compacted >= interval
    if waited and (state.churn > 0 or expired > 0):
        hours = int(interval.total_seconds() // 3600)
        return f"changes waited for {hours} hours" if state.compacted else "looked at for the first time"
    return None


def _failed_lately(state: CompactionState, now: datetime) -> bool:
    attempted = state.attempted
    succeeded = state.compacted is not None and attempted is not None and state.compacted >= attempted
    return attempted is not None and not succeeded and now - attempted < RETRY


_END = anyof(
    "until; till; valid through; through; expires?; expires on; expiring; ends?; ends on; ending; deadline"
    "; due; no later than; valid to; bis; jusqu'au; hasta",
    "直到; 截止; 截至; 到期; まで; 期限; 까지",
)
_JUST_BEFORE = re.compile(
    rf"{_END}(?:\s*[:：=]|\s+(?:is|are|on|at|by|of|the|end|midnight|am|zum|el|le)(?!\w)|日期|日|は|が)*[\s(\"'`]*\Z",
    re.I,
)
_JUST_AFTER = ("まで", "까지", "截止", "到期")
_GOES_ON = re.compile(
    anyof(
        "since then; from then; after that; after which; afterwards; thereafter; then; now; seitdem; danach"
        "; depuis; ensuite; desde entonces; después",
        "之后; 之後; 以后; 以後; 此后; その後; 이후",
    ),
    re.I,
)
_DATE = re.compile(r"(?<![\d-])(20\d{2})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])")
REACH = 40
"""Characters before and after a date that are looked at."""


def ends(text: str) -> date | None:
    """The day a text says it ends: the latest full date just behind a word like "until"; None if none.

    A date alone is no end ("on pnpm since 2026-03-01"), nor is one of which the text says what comes after
    ("on Heroku until 2026-10-05, since then Kamal").
    """
    found = [day for match in _DATE.finditer(text) if _is_end(text, match) and (day := _day(match))]
    return max(found) if found else None


def expired(text: str, now: datetime) -> bool:
    """Whether a text says that it ended before today (UTC)."""
    day = ends(text)
    return day is not None and day < now.date()


def _is_end(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - REACH) : match.start()]
    after = text[match.end() : match.end() + REACH]
    said = _JUST_BEFORE.search(before) or after.lstrip().startswith(_JUST_AFTER)
    return bool(said) and not _GOES_ON.search(after)


def _day(match: re.Match[str]) -> date | None:
    try:
        return date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None
