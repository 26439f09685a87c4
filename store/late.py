"""Patterns that are compiled when they are first wanted.

Of the hundreds that there are, a hook needs some dozens: to compile those that it does not need takes
several times as long as it may take in all (docs/benchmarks.md). They are used as compiled ones are.
"""

import sys

from siltstone.store.compiled import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterator
    from typing import Any, Protocol

    class Finds(Protocol):
        def finditer(self, text: str, /) -> Iterator[re.Match[str]]: ...


IGNORECASE, MULTILINE = 2, 8
"""As `re` has them, which need not be loaded for that."""


class LatePattern:
    """A pattern that is compiled when a text is first looked through."""

    __slots__ = ("_compiled", "_flags", "source")

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source = source
        self._flags = flags
        self._compiled: re.Pattern[str] | None = None

    def of(self, text: str) -> "re.Pattern[str]":
        """What is asked about a text."""
        if self._compiled is None:
            self._compiled = compiled(self.source, self._flags)
        return self._compiled

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> "re.Match[str] | None":
        return self.of(text).search(text, start, end)

    def match(self, text: str, start: int = 0, end: int = sys.maxsize) -> "re.Match[str] | None":
        return self.of(text).match(text, start, end)

    def fullmatch(self, text: str, start: int = 0, end: int = sys.maxsize) -> "re.Match[str] | None":
        return self.of(text).fullmatch(text, start, end)

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> "Iterator[re.Match[str]]":
        return self.of(text).finditer(text, start, end)

    def findall(self, text: str) -> "list[Any]":
        return self.of(text).findall(text)

    def split(self, text: str, maxsplit: int = 0) -> list[str]:
        """Of a pattern whose groups, if it has any, all take part in what is found."""
        return self.of(text).split(text, maxsplit)

    def sub(self, new: "str | Callable[[re.Match[str]], str]", text: str, count: int = 0) -> str:
        return self.of(text).sub(new, text, count)


def at_lines(pattern: "Finds", text: str) -> list[tuple[int, int]]:
    """Spans of a pattern that begins with the break before a line: Python looks for that first, and tries the
    pattern nowhere else. With "^" it tries it at each letter."""
    return [(found.start(), found.end() - 1) for found in pattern.finditer(f"\n{text}")]


def fold(text: str) -> str:
    """The text so that whatever re.I takes for the same is the same; its length may change."""
    if text.isascii():
        return text.lower()
    # The dot above by its number: by its name, compiling this would load `unicodedata`.
    return text.casefold().replace("i\u0307", "i").replace("ı", "i")


def held(folded: str, words: str) -> list[str]:
    """Those of the words (folded, parted by commas) that stand in a folded text: for asking its pieces for no
    others."""
    return [word for word in words.split(",") if word in folded]


def holds(folded: str, words: str) -> bool:
    """Whether one of the words (folded, parted by commas) stands in a folded text: for what is asked before a
    pattern is compiled."""
    return any(word in folded for word in words.split(","))
