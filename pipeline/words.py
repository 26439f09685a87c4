"""Small helpers of the word lists that the rules are made of."""

import re
from collections.abc import Iterable

_ASIAN = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f]")


def words(text: str) -> frozenset[str]:
    """The words of a list written as one string."""
    return frozenset(text.split())


def anyof(*phrases: str) -> str:
    """A pattern for any of the phrases, each a pattern itself with `_` for a gap between words and
    `_?` for one that may be missing; several may stand in one string, parted by "; ".

    Phrases that begin or end with a letter of a spaced script stand as whole words; CJK has none.
    """
    return (
        "(?:"
        + "|".join(_bounded(phrase.replace("_?", r"\s*").replace("_", r"\s+")) for phrase in _split(phrases))
        + ")"
    )


def asian(text: str) -> int:
    """How many CJK, kana and hangul letters there are."""
    return len(_ASIAN.findall(text))


def letters(text: str) -> int:
    """Letters and digits, a CJK letter counting for two: 12 of them prove something (invariant 6)."""
    return sum(char.isalnum() for char in text) + asian(text)


def _split(phrases: Iterable[str]) -> list[str]:
    return [phrase.strip() for block in phrases for phrase in block.split("; ") if phrase.strip()]


def _bounded(phrase: str) -> str:
    if _ASIAN.search(phrase):
        return f"(?:{phrase})"
    # an Asian letter beside a Latin word is no part of it
    before = r"(?<![^\W\u2e80-\u9fff\uac00-\ud7af])" if _spaced(phrase[0]) else ""
    after = r"(?![^\W\u2e80-\u9fff\uac00-\ud7af])" if _spaced(phrase[-1]) else ""
    return f"{before}(?:{phrase}){after}"


def _spaced(char: str) -> bool:
    return char.isalpha() or char in "([?)"
