"""A text as the rules see it, and the small tools they share.

A rule names its cues: pieces of text without which it has nothing to say. The engine finds the cues of
a text once, and hands each rule the places of its own. A rule then tries patterns at these places, each
within a given reach. So the work grows with the length of the text and with nothing else.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

REACH = 400
"""Characters that a pattern may look at when a rule says nothing else."""

compiled = cache(re.compile)
"""A pattern, compiled when a text first needs it. All together take 50 ms; most texts need few."""


class Span(NamedTuple):
    """Characters `start` to `end` (exclusive) are a secret of this kind."""

    start: int
    end: int
    kind: str


class Hit(NamedTuple):
    """A place where a cue stands."""

    at: int
    cue: str


class Page:
    """A text, and the same text in small letters with every character at the same place."""

    __slots__ = ("low", "text")

    def __init__(self, text: str) -> None:
        low = text.lower()
        if len(low) != len(text):  # "İ" becomes two characters
            low = "".join(small if len(small := char.lower()) == 1 else char for char in text)
        self.text = text
        self.low = low

    def hits(self, cues: Iterable[str]) -> list[Hit]:
        """Where the cues stand, in order; of two at one place the longer comes first."""
        found = []
        for cue in cues:
            at = self.low.find(cue)
            while at >= 0:
                found.append(Hit(at, cue))
                at = self.low.find(cue, at + 1)
        return sorted(found, key=lambda hit: (hit.at, -len(hit.cue)))

    def match(self, pattern: str, at: int, reach: int = REACH) -> re.Match[str] | None:
        """The pattern at this place, looking at most `reach` characters on."""
        return compiled(pattern).match(self.text, at, at + reach)

    def search(self, pattern: str, begin: int, end: int) -> re.Match[str] | None:
        """The first place of the pattern between two places."""
        return compiled(pattern).search(self.text, max(0, begin), end)

    def every(self, pattern: str, begin: int, end: int) -> Iterator[re.Match[str]]:
        """All places of the pattern between two places."""
        return compiled(pattern).finditer(self.text, max(0, begin), end)

    def line_start(self, at: int, reach: int) -> int:
        """Where the line of `at` begins, at most `reach` characters back."""
        least = max(0, at - reach)
        return self.text.rfind("\n", least, at) + 1 or least

    def line_end(self, at: int, reach: int) -> int:
        """Where the line of `at` ends, at most `reach` characters on."""
        end = self.text.find("\n", at, at + reach)
        return end if end >= 0 else min(len(self.text), at + reach)


class Rule(NamedTuple):
    """One way in which secrets are written."""

    cues: frozenset[str]
    """In small letters. Without one of them in the text the rule is not asked; with none it always is."""
    find: Callable[[Page, Sequence[Hit]], Iterable[Span]]
