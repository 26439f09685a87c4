"""Small helpers for words: counted ones, and the word lists that the rules are made of."""

import re
from collections.abc import Iterable
from functools import cache

# A text: compiling it takes milliseconds that a hot command, which wants word lists alone, has no use for.
_ASIAN = r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f]"
_RANGES = (("\u2e80", "\u9fff"), ("\uac00", "\ud7af"), ("\uf900", "\ufaff"), ("\uff66", "\uff9f"))

# An Asian letter beside a Latin word is no part of it. Outside the scope of re.I, which would fold every
# character of the ranges.
_BEFORE = r"(?-i:(?<![^\W\u2e80-\u9fff\uac00-\ud7af]))"
_AFTER = r"(?-i:(?![^\W\u2e80-\u9fff\uac00-\ud7af]))"


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

    Phrases that begin or end with a letter of a spaced script stand as whole words; CJK has none.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for phrase in _split(phrases):
        groups.setdefault(_bounds(phrase), []).append(phrase.replace("_?", r"\s*").replace("_", r"\s+"))
    # the bounds stand once around all that share them: compiled and tried once, not for each phrase
    return "(?:" + "|".join(f"{b}(?:{'|'.join(group)}){a}" for (b, a), group in groups.items()) + ")"


def pattern(source: str, text: str) -> re.Pattern[str]:
    """A pattern with `anyof` in it, to be asked about `text`; compiled when it is first wanted, with re.I.

    Where all is ASCII no Asian letter stands beside a word. So its bounds are simple ones: to compile the
    others takes a hot command half of the time that it has (docs/benchmarks.md).
    """
    return _compiled(source, text.isascii())


@cache
def _compiled(source: str, ascii: bool) -> re.Pattern[str]:
    if ascii:
        source = source.replace(_BEFORE, r"(?<!\w)").replace(_AFTER, r"(?!\w)")
    return re.compile(source, re.I)


def asian(text: str) -> int:
    """How many CJK, kana and hangul letters there are."""
    return 0 if text.isascii() else len(re.findall(_ASIAN, text))


def letters(text: str) -> int:
    """Letters and digits, a CJK letter counting for two: 12 of them prove something (invariant 6)."""
    return sum(char.isalnum() for char in text) + asian(text)


def _split(phrases: Iterable[str]) -> list[str]:
    return [phrase.strip() for block in phrases for phrase in block.split("; ") if phrase.strip()]


def _bounds(phrase: str) -> tuple[str, str]:
    # Compared, not searched for: to compile these ranges takes a hot command 3 ms.
    if any(first <= char <= last for char in phrase if char > "\u2e7f" for first, last in _RANGES):
        return "", ""
    return _BEFORE if _spaced(phrase[0]) else "", _AFTER if _spaced(phrase[-1]) else ""


def _spaced(char: str) -> bool:
    return char.isalpha() or char in "([?)"
