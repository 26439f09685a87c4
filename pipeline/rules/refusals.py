"""What the user asks not to keep, and how they take back what they asked for (docs/seeds.md A28)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from siltstone.pipeline.rules.language import Language, compiled, pattern, straight

SAID_FIRST = 1_000
"""Characters of a message: a retraction begins it."""

_NAMES = re.compile(
    r"[^:：,，;；]{0,40}[:：]\s*\w|,?\s*(?:that|dass|daß|que|qu'|was)(?!\w)\s*\w|(?=\S*[\u3400-\u9fff])\w"
)
_CLAUSE = re.compile(
    r"\s+(?:i|we|you|he|she|they|there|the|our|my|your|his|her|their|its|an?|this|these|those|it)(?!\w)", re.I
)
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Where in a sentence it asks not to keep something."""

    start: int
    end: int
    names: bool
    """What is not to be kept follows; else the refusal points at what stands before it."""


def refusal_in(words: str, languages: Sequence[Language], asks: int) -> Refusal | None:
    """Where a sentence asks not to keep something; None where it does not.

    `asks`: where the sentence asks to keep something. What it says behind that is a rule to be kept:
    "remember: never save this".
    """
    for language in languages:
        found = compiled(language["refuse"]).search(words)
        if found is not None and found.start() <= asks:
            tail = words[found.end() :]
            that = found[0].lower().endswith("that") and _CLAUSE.match(tail)
            return Refusal(found.start(), found.end(), bool(that or _NAMES.match(tail)))
    return None


def names_nothing(words: str, languages: Sequence[Language]) -> bool:
    """Whether a text that ends with a refusal names nothing: "actually no, don't remember that"."""
    words = words[:SAID_FIRST]
    return any(not _WORD.search(_nameless(language).sub(" ", words)) for language in languages)


def corrects(text: str) -> bool:
    """Whether a typed text begins by correcting what was said a moment ago: "hmm wait, actually …"."""
    opening = compiled(rf"\W*(?:{pattern('corrects').pattern})(?=\W|$)")
    return opening.match(straight(text[:200])) is not None


@cache
def _nameless(language: Language) -> re.Pattern[str]:
    keys = ("refuse", "before", "aside", "keep_this", "this", "tail", "polite")
    return compiled("|".join(language[key] for key in keys))
