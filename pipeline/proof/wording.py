"""Words that say nothing of their own, and those that say how a command ended.

A claim may be put with the former, whatever was said. A text of the latter claims an end, and must not claim
another one than the command had.
"""

from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import Literal

from siltstone.pipeline.merging.likeness import stem
from siltstone.pipeline.proof.normal_form import spoken, words_of
from siltstone.pipeline.words import word_lists

Ended = Literal["ran", "failed"]
_LISTS = word_lists(__file__, "words")
WORDING = frozenset(map(stem, _LISTS["wording"]))
"""Words with which a claim, or a question, is put. They say nothing of their own."""
NEUTRAL = frozenset(map(stem, _LISTS["neutral"]))
"""Words in which a claim tells again what was said. They are not asked for."""
HERE = frozenset(map(stem, _LISTS["here"]))
"""Words that say where a command ran, or tell what it did. They are not asked for where nothing but commands
is quoted."""
ENDS: Mapping[Ended, frozenset[str]] = {
    "ran": frozenset(map(stem, _LISTS["ran"])),
    "failed": frozenset(map(stem, _LISTS["failed"])),
}
"""Words that say how a command ended."""
CLAIMS: Mapping[Ended, frozenset[str]] = {"ran": _LISTS["worked"], "failed": _LISTS["crashed"]}
"""Words that claim such an end, and no other."""


def opposites(pairs: Iterable[str]) -> list[tuple[str, str]]:
    """Of pairs like "on/off" each word beside its opposite, both cut as `stem` does."""
    return [(stem(one), stem(other)) for pair in pairs for one, other in permutations(pair.split("/"))]


OPPOSITES = opposites(_LISTS["opposites"])
"""Of which one cannot stand for the other."""


def poles_of(text: str) -> frozenset[str]:
    """Every word of a text, among them those that are too small to carry meaning ("on")."""
    return words_of(text) | frozenset(map(stem, spoken(text).split()))


def opposite(one: str, other: str) -> bool:
    """Whether of two opposites one text has the one, and the other text the other."""
    mine, yours = poles_of(one), poles_of(other)
    return any(this in mine - yours and that in yours - mine for this, that in OPPOSITES)
