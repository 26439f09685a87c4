"""What a rule is given, and what it gives back."""

from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Rule = Callable[["Page"], Iterable["Span"]]


class Span(NamedTuple):
    """Characters `start` to `end` (exclusive) of a page are a secret of this kind."""

    start: int
    end: int
    kind: str


class Page:
    """A text, and the same text in small letters with every character at the same place."""

    __slots__ = ("_hits", "low", "text")

    def __init__(self, text: str) -> None:
        low = text.lower()
        if len(low) != len(text):  # "İ" becomes two characters
            low = "".join(small if len(small := char.lower()) == 1 else char for char in text)
        self.text = text
        self.low = low
        self._hits: dict[str, tuple[int, ...]] = {}

    def hits(self, *needles: str) -> "Iterable[int]":
        """Where any of the needles (in small letters) stands. str.find is far faster than a pattern."""
        for needle in needles:
            yield from self.positions(needle)

    def positions(self, needle: str) -> tuple[int, ...]:
        """The same for one needle, from the first to the last."""
        if needle not in self._hits:
            self._hits[needle] = tuple(self._found(needle))
        return self._hits[needle]

    def _found(self, needle: str) -> "Iterator[int]":
        at = self.low.find(needle)
        while at >= 0:
            yield at
            at = self.low.find(needle, at + 1)

    def line_end(self, at: int, reach: int) -> int:
        """Where the line of `at` ends, at most `reach` characters on."""
        end = self.text.find("\n", at, at + reach)
        return end if end >= 0 else min(len(self.text), at + reach)

    def line_at(self, at: int, reach: int) -> tuple[int, int]:
        """Bounds of the line around `at`, at most `reach` characters to either side."""
        start = self.text.rfind("\n", max(0, at - reach), at) + 1 or max(0, at - reach)
        return start, self.line_end(at, reach)
