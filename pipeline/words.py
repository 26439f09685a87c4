"""Small helpers for words: counted ones, and the word lists that the rules are made of."""

import sys

from siltstone.store.compiled import compiled
from siltstone.store.late import LatePattern, fold
from siltstone.store.light_cache import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Sequence

_RANGES = (("\u2e80", "\u9fff"), ("\uac00", "\ud7af"), ("\uf900", "\ufaff"), ("\uff66", "\uff9f"))

NOTHING = "(?!)"
_GROUP = LatePattern(r"\((?:[^()\\]|\\.)*\)[*+?]?")
_NESTED = LatePattern(r"\([^()]*\(")
_CHOICE = LatePattern(r"\(\?:([^()]*)\)(?![*?{])")
_SIGNS = "[]{}?*+\\$^.|"
_OPTIONAL = ("?", "*", "{")
_HEAD = 3
_APART = LatePattern(r"\[[^]]*\][*+?]?|\\.[*+?]?|.(?:[*?]|\{[^}]*\})|[^\w]|_|\d")

# An Asian letter beside a Latin word is no part of it. Outside the scope of re.I, which would fold every
# character of the ranges.
_BEFORE = r"(?-i:(?<![^\W\u2e80-\u9fff\uac00-\ud7af]))"
_AFTER = r"(?-i:(?![^\W\u2e80-\u9fff\uac00-\ud7af]))"

_LOOKED_AT = 4_000
"""Characters of a text in which Asian letters are looked for: it is done for each pattern."""


def counted(n: int, word: str) -> str:
    """ "1 fact", "2 facts", "2 memories"."""
    several = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    return f"{n:,} {word if n == 1 else several}"


def words(text: str) -> frozenset[str]:
    """The words of a list written as one string."""
    return frozenset(text.split())


def anyof(*phrases: str) -> str:
    """A pattern for any of the phrases, each a pattern itself with `_` for a gap between words and
    `_?` for one that may be missing; several may stand in one string, parted by "; ".

    Phrases that begin or end with a letter of a spaced script stand as whole words; CJK has none. Of no
    phrases the pattern finds nothing.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for phrase in split(phrases):
        groups.setdefault(_bounds(phrase), []).append(phrase.replace("_?", r"\s*").replace("_", r"\s+"))
    # the bounds stand once around all that share them: compiled and tried once, not for each phrase
    found = "|".join(f"{b}(?:{'|'.join(group)}){a}" for (b, a), group in groups.items())
    return f"(?:{found})" if found else NOTHING


class Late(LatePattern):
    """A pattern, compiled with re.I when a text is first looked through."""

    __slots__ = ()

    def of(self, text: str) -> "re.Pattern[str]":
        return pattern(self.source, text)


def late(*phrases: str) -> Late:
    """`anyof` as a pattern of its own."""
    return Late(anyof(*phrases))


class Several:
    """Alternatives that are asked as one pattern of all of them would be: what is found first in a text, and
    of what begins there the first alternative.

    Only those are looked for of which the text has a word, each as a pattern of its own: compiling them all
    takes a hot command too long, and a choice of some has to be compiled for each text anew.
    """

    __slots__ = ()

    def sources(self, folded: str) -> "Iterable[str]":
        """The alternatives that may stand in a text (folded), in their order."""
        raise NotImplementedError

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> "re.Match[str] | None":
        return _first(self._patterns(text, start, end), text, start, end)

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> "Iterator[re.Match[str]]":
        patterns = self._patterns(text, start, end)
        while patterns and (match := _first(patterns, text, start, end)):
            yield match
            start = max(match.end(), match.start() + 1)

    def sub(self, new: str, text: str) -> str:
        """With `new` in the place of each, as it is."""
        kept: list[str] = []
        at = 0
        for match in self.finditer(text):
            kept += text[at : match.start()], new
            at = match.end()
        return "".join([*kept, text[at:]])

    def _patterns(self, text: str, start: int, end: int) -> "list[re.Pattern[str]]":
        sources = self.sources(fold(text[start:end]))
        return _each_compiled(sources, text)


class Phrases(Several):
    """Phrases of `anyof`, each behind its keywords. No phrase has alternatives outside of a group."""

    __slots__ = ("_heads", "phrases")

    def __init__(self, *phrases: str) -> None:
        self.phrases = split(phrases)
        self._heads: Sequence[tuple[str, str]] = ()

    def sources(self, folded: str) -> "Iterable[str]":
        return [_alone(one) for head, one in self._begun() if head in folded and _may_hold(folded, one)]

    def match(self, text: str) -> "re.Match[str] | None":
        folded = fold(text)
        begun = [one for head, one in self._begun() if folded.startswith(head) and _may_hold(folded, one)]
        return next(filter(None, (one.match(text) for one in _each_compiled(map(_alone, begun), text))), None)

    def _begun(self) -> "Sequence[tuple[str, str]]":
        """With what each begins, which is looked for first: most of the hundreds of phrases end there."""
        self._heads = self._heads or [(_head(one), one) for one in self.phrases]
        return self._heads


def _may_hold(folded: str, phrase: str) -> bool:
    """Whether a text (folded) has the letters that it has wherever the phrase is found."""
    if keyword(phrase) not in folded:
        return False
    return all(any(word in folded for word in words) for words in choices(phrase))


@lru_cache(maxsize=4096)
def _alone(phrase: str) -> str:
    return anyof(phrase)


class Parts(Several):
    """Alternatives in their order, each behind words (folded, parted by commas) of which a text has one where
    it is found."""

    __slots__ = ("parts",)

    def __init__(self, *parts: tuple[str, str]) -> None:
        self.parts = tuple((tuple(words.split(",")), source) for words, source in parts)

    def sources(self, folded: str) -> "Iterable[str]":
        found: list[str] = []
        for words, source in self.parts:
            for word in words:  # of each line of a paste this is asked: `any` takes twice as long
                if word in folded:
                    found.append(source)
                    break
        return found


def _each_compiled(sources: "Iterable[str]", text: str) -> "list[re.Pattern[str]]":
    simple = spaced(text)
    return [_compiled(source, simple) for source in sources]


def _first(patterns: "Iterable[re.Pattern[str]]", text: str, start: int, end: int) -> "re.Match[str] | None":
    found: re.Match[str] | None = None
    for one in patterns:
        match = one.search(text, start, end)
        if match and (found is None or match.start() < found.start()):
            found = match
    return found


def _head(phrase: str) -> str:
    """Three letters that a phrase begins with, or none. (Phrases are written folded.)"""
    head = phrase[:_HEAD]
    return head if head.isalpha() and phrase[_HEAD : _HEAD + 1] not in _OPTIONAL else ""


@lru_cache(maxsize=4096)
def keyword(phrase: str) -> str:
    """The longest run of letters that every text has in which a phrase of `anyof` is found, folded (`fold`);
    "" where there may be none."""
    if phrase.isalpha():
        return fold(phrase)
    outside = _outside(phrase)
    if "|" in outside:
        return ""
    simple = not any(sign in outside for sign in _SIGNS)
    return fold(max(outside.replace("_", " ").split(" ") if simple else _APART.split(outside), key=len))


@lru_cache(maxsize=4096)
def choices(phrase: str) -> tuple[tuple[str, ...], ...]:
    """Of each of these every text has a word in which a phrase of `anyof` is found: the keywords of the
    alternatives of a group, where no group stands in another."""
    if "(" not in phrase or _NESTED.search(phrase) or "|" in _outside(phrase):
        return ()
    return tuple(tuple(map(keyword, group.split("|"))) for group in _CHOICE.findall(phrase))


def _outside(phrase: str) -> str:
    """What stands in none of its groups, with a blank for each."""
    if "[" in phrase:  # a bracket may stand there as a letter
        while "(" in phrase and (inner := _GROUP.sub(" ", phrase)) != phrase:
            phrase = inner
        return phrase
    kept, *groups = phrase.split("(")
    depth = 0
    for opened in groups:
        *closed, rest = opened.split(")")
        depth += 1 - len(closed)
        kept += "" if depth else f" {rest}"
    return kept


def pattern(source: str, text: str) -> "re.Pattern[str]":
    """A pattern with `anyof` in it, to be asked about `text`; compiled when it is first wanted, with re.I.

    Where no Asian letter stands, none stands beside a word. So its bounds are simple ones: to compile the
    others takes a hot command half of the time that it has (docs/benchmarks.md).
    """
    return _compiled(source, spaced(text))


def spaced(text: str) -> bool:
    """Whether no CJK, kana or hangul letter stands in the text; no too where it is outside ASCII and so long
    that it is not looked at."""
    if text.isascii():
        return True
    return len(text) <= _LOOKED_AT and not any(char > "\u2e7f" and _asian(char) for char in text)


@lru_cache(maxsize=1024)
def _compiled(source: str, simple: bool) -> "re.Pattern[str]":
    if simple:
        source = source.replace(_BEFORE, r"(?<!\w)").replace(_AFTER, r"(?!\w)")
    return compiled(f"(?i){source}")


def asian(text: str) -> int:
    """How many CJK, kana and hangul letters there are."""
    # Compared, not searched for: to compile these ranges takes a hot command 3 ms.
    return 0 if text.isascii() else sum(char > "\u2e7f" and _asian(char) for char in text)


def _asian(char: str) -> bool:
    return any(first <= char <= last for first, last in _RANGES)


def letters(text: str) -> int:
    """Letters and digits, a CJK letter counting for two: 12 of them prove something (invariant 6)."""
    return sum(char.isalnum() for char in text) + asian(text)


def split(phrases: "Iterable[str]") -> list[str]:
    """The phrases of a list, several of which may stand in one string."""
    return [phrase.strip() for block in phrases for phrase in block.split("; ") if phrase.strip()]


def _bounds(phrase: str) -> tuple[str, str]:
    if any(char > "\u2e7f" and _asian(char) for char in phrase):
        return "", ""
    return _BEFORE if _spaced(phrase[0]) else "", _AFTER if _spaced(phrase[-1]) else ""


def _spaced(char: str) -> bool:
    return char.isalpha() or char in "([?)"
