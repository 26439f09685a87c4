"""Small helpers for words: counted ones, and the word lists that rules are made of."""

import re
from collections.abc import Mapping
from functools import cache

from siltstone.store.data import data

ASIAN_SIGNS = r"\u2e80-\u9fff\uac00-\ud7af"
"""The letters and signs of Chinese, Japanese and Korean, for a class of a pattern."""
# An Asian letter beside a Latin word is no part of it. Outside the scope of re.I, which would fold every
# character of the ranges.
_BEFORE = rf"(?-i:(?<![^\W{ASIAN_SIGNS}]))"
_AFTER = rf"(?-i:(?![^\W{ASIAN_SIGNS}]))"


def counted(n: int, word: str) -> str:
    """ "1 fact", "2 facts", "2 memories"."""
    several = f"{word[:-1]}ies" if word.endswith("y") else f"{word}s"
    return f"{n:,} {word if n == 1 else several}"


@cache
def word_lists(module: str, section: str) -> Mapping[str, frozenset[str]]:
    """A section of the data file beside a module: lists of words, each written as one string."""
    return {name: frozenset(text.split()) for name, text in data(module)[section].items()}


@cache
def patterns(module: str) -> Mapping[str, re.Pattern[str]]:
    """The patterns of the data file beside a module; line breaks in them do not count."""
    return {name: re.compile(source.replace("\n", "")) for name, source in data(module)["patterns"].items()}


def anyof(*phrases: str) -> str:
    """A pattern for any of the phrases, which are parted by semicolons and line breaks. Each is a pattern
    itself, in which a space stands for any white space and parentheses do not count.

    Phrases that begin or end with a letter of a spaced script stand as whole words; CJK has none. Of no
    phrases the pattern finds nothing.
    """
    groups: dict[tuple[str, str], list[str]] = {}
    for phrase in (part.strip() for block in phrases for part in re.split(r"; |\n", block)):
        if not phrase:
            continue
        before = _BEFORE if _spaced(phrase[0]) and not asian(phrase) else ""
        after = _AFTER if _spaced(phrase[-1]) and not asian(phrase) else ""
        source = re.sub(r"(?<!\\)\((?!\?)", "(?:", phrase).replace(" ?", r"\s*").replace(" ", r"\s+")
        groups.setdefault((before, after), []).append(source)
    # The bounds stand once around all that share them, so they are compiled and tried once.
    found = "|".join(f"{b}(?:{'|'.join(group)}){a}" for (b, a), group in groups.items())
    return f"(?:{found})" if found else "(?!)"


def asian(text: str) -> int:
    """How many CJK, kana and hangul letters there are."""
    if text.isascii():
        return 0
    return sum("\u2e80" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" for char in text)


def letters(text: str) -> int:
    """Letters and digits, a CJK letter counting for two: 12 of them prove something (invariant 6)."""
    return sum(char.isalnum() for char in text) + asian(text)


def _spaced(char: str) -> bool:
    return char.isalpha() or char in "([?)"
