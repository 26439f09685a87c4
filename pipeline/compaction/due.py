"""When to compact, and which memories say that they ended (docs/seeds.md C23, C27)."""

import re
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import NamedTuple

from siltstone.pipeline.proof.phrases import pattern
from siltstone.store.state import Churn

RETRY = timedelta(minutes=10)
"""How long to wait after a failed attempt (docs/seeds.md C23)."""


class When(NamedTuple):
    """The settings that say when compaction is due (C31)."""

    churn: int = 8
    """Writes since the last compaction."""
    interval: timedelta = timedelta(hours=12)
    min_entries: int = 2
    rest: timedelta = timedelta(0)
    """Least time between two looks at a scope: each costs money where a model is asked."""


def due(churn: Churn, entries: int, expired: int, now: datetime, when: When) -> str | None:
    """Why to compact a scope now, in words for the log; None when there is no need.

    `entries` counts live memories, `expired` those whose own text says that they ended.
    """
    attempted, compacted = churn.attempted, churn.compacted
    if entries < when.min_entries:
        return None
    if attempted is not None and (compacted is None or compacted < attempted) and now - attempted < RETRY:
        return None
    if compacted is not None and now - compacted < when.rest:
        return None
    if churn.churn >= when.churn:
        return f"{churn.churn} writes since the last compaction"
    waited = compacted is None or now - compacted >= when.interval
    if waited and (churn.churn > 0 or expired > 0):
        hours = int(when.interval.total_seconds() // 3600)
        return f"changes have waited for {hours} hours" if compacted else "first time"
    return None


_BETWEEN = r"\s+(?:is|are|on|at|by|of|the|end|midnight|\w+day,?|am|zum|el|le)(?!\w)|日期|日|は|が|는|은"
_JUST_BEFORE = re.compile(rf"{pattern('ends').pattern}(?:\s*[:：=]|{_BETWEEN})*[\s(\"'`]*\Z", re.I)
_DATE = re.compile(r"(?<![\d-])(20\d{2})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])")
REACH = 40
"""Characters before and after a date that are looked at."""


def ends(text: str) -> date | None:
    """The day on which a text says that it ends: the latest full date just behind a word like "until".

    A date alone is no end ("on pnpm since 2026-03-01"), nor is one of which the text says what comes after
    ("on Heroku until 2026-10-05, since then Kamal").
    """
    found: list[date] = []
    for match in _DATE.finditer(text):
        before = text[max(0, match.start() - REACH) : match.start()]
        after = text[match.end() : match.end() + REACH]
        is_end = _JUST_BEFORE.search(before) or pattern("ended").match(after.lstrip())
        if is_end and not pattern("goes_on").search(after):
            with suppress(ValueError):  # no such day
                found.append(date(int(match[1]), int(match[2]), int(match[3])))
    return max(found, default=None)


def expired(text: str, now: datetime) -> bool:
    """Whether a text says that it ended before today (UTC)."""
    day = ends(text)
    return day is not None and day < now.date()
