"""The user's settings for what is shown, with their defaults (docs/seeds.md D5, E19)."""

import re
from typing import Literal, NamedTuple

_TIME_SPAN = re.compile(r"(\d{1,15}(?:\.\d{1,9})?)\s*(ms|s|m|h|d)?")
UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
"""Milliseconds of each unit, the shortest first."""


LayoutName = Literal["default", "memfs", "sections"]


class RecallSettings(NamedTuple):
    """The settings that hooks need. The fields of `Settings` (cli/settings.py) have the same names."""

    cache_ttl: int = 300_000
    """Milliseconds after an agent's last answer until its provider forgets the cached prompt."""
    refresh_threshold_percentage: float = 65.0
    """Context usage from which a changed block is shown at once."""
    similarity_threshold: float = 0.45
    """Smallest share of a question that a memory must cover (`relevance.py`)."""
    max_memories: int = 10
    """Most memories shown as relevant to a question."""
    layout: LayoutName = "default"
    """The form of the blocks that agents are shown (`layouts.py`)."""
    turn_summary_interval: int = 5
    """Turns after which a running session is summed up again (`session/summary.py`)."""
    archive_enabled: bool = True
    """Whether past sessions are kept, searched and quoted."""
    keyword_patterns: tuple[str, ...] = ()
    """Regular expressions of the user's own that ask to keep something."""


LIMITS = {
    "cache_ttl": (0, 315_360_000_000),
    "refresh_threshold_percentage": (0, 100),
    "similarity_threshold": (0, 1),
    "max_memories": (0, 100),
    "turn_summary_interval": (1, 1_000),
}
"""The least and the greatest value of each setting; times up to ten years."""


def keyword_trouble(pattern: object) -> str:
    """Why a value cannot be one of `keyword_patterns`; "" if it can: an expression that matches some text."""
    if not isinstance(pattern, str):
        return f"{pattern!r:.80} is not a text"
    try:
        matches_nothing = re.compile(pattern).match("") is not None
    except re.error as error:
        told = f"{pattern!r:.80} is not a regular expression: {error}"
        return f"{told}; put a backslash before a literal special character"
    return f"{pattern!r:.80} matches any text; name a word" if matches_nothing else ""


def milliseconds(value: object) -> int:
    """A time span such as "5m", "0.5s", "500ms" or a number of milliseconds. Raises ValueError."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 10**15:
        return int(value)
    found = _TIME_SPAN.fullmatch(value.strip().lower()) if isinstance(value, str) else None
    if found is None:
        raise ValueError('expects a duration like "5m", "30s" or "500ms", or a number of milliseconds')
    return int(float(found[1]) * UNITS[found[2] or "ms"])
