"""Relative time words, and the dates that may stand beside them (DESIGN.md "Extraction": dates absolute)."""

import re
from collections.abc import Iterable
from datetime import date, timedelta

from siltstone.pipeline.proof.phrases import pattern

REACH = timedelta(days=31)
"""How far from the day it was said a relative word can lie: "last month" at most."""


def relative(text: str) -> re.Match[str] | None:
    """The first time in a text that has a date only by the day on which it was said: "since last Monday"."""
    return pattern("relative").search(text)


def near(identifier: str, days: Iterable[date]) -> bool:
    """Whether an identifier is a full date (2026-09-07) within `REACH` of one of the days."""
    try:
        day = date.fromisoformat(identifier)
    except ValueError:
        return False
    return any(abs(day - known) <= REACH for known in days)
