"""Memories that end by their own words: "freeze until 2026-12-01" (docs/architecture.md: expired)."""

import re
from datetime import date, datetime

from siltstone.pipeline.words import anyof

_ENDS = anyof(
    "until; till; through; valid_through; expires?; expires_on; expiring; ends?; ends_on; ending; deadline"
    "; due; no_later_than; valid_to; bis; jusqu'au; hasta",
    "直到; 截止; 截至; 到期; まで; 期限; 까지",
)
_ENDS_RE = re.compile(_ENDS, re.I)
_DATE = re.compile(r"(?<![\d-])(20\d{2})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d-])")
REACH = 24
"""Characters between the word that ends something and its date."""


def ends(text: str) -> date | None:
    """The day a text says it ends: the latest full date beside a word like "until"; None if none.

    A date alone is no end: "on pnpm since 2026-03-01" stays true.
    """
    found = [day for match in _DATE.finditer(text) if _beside(text, match) and (day := _day(match))]
    return max(found) if found else None


def expired(text: str, now: datetime) -> bool:
    """Whether that day is over."""
    day = ends(text)
    return day is not None and day < now.date()


def _beside(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - REACH) : match.start()]
    after = text[match.end() : match.end() + 4]
    return _ENDS_RE.search(before) is not None or after.lstrip().startswith(("まで", "까지", "截止", "到期"))


def _day(match: re.Match[str]) -> date | None:
    try:
        return date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None
