"""The words of a text one by one, with what each means."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from siltstone.pipeline.merging.likeness import CJK, fold
from siltstone.pipeline.proof.clauses import CLAUSE
from siltstone.pipeline.proof.normal_form import (
    ASIAN_WORD,
    is_ending,
    numbers_of,
    plain,
    without_unit,
    words_of,
)
from siltstone.pipeline.proof.wording import WORDING
from siltstone.pipeline.rules import language
from siltstone.pipeline.rules.language import language_of
from siltstone.pipeline.rules.sentences import mask, sentences
from siltstone.pipeline.words import asian, word_lists

Keys = frozenset[str]
"""Words that carry meaning, and numbers without their units."""
UNIT_END = re.compile(
    rf"{CLAUSE.pattern}|\s(?:while|or|oder|ou|e|и|или|&|\+)\s|\s(?=(?:bc|otherwise)\s)|[和而]"
)
"""Between two parts of a sentence that each say something of their own."""

MAX_SENTENCE = 1_000
"""Characters of a sentence that are taken apart."""

_SMALL = word_lists(__file__, "words")["small"] | language.phrases_of("small", *language.LATIN)
_TOKEN = re.compile(rf"{ASIAN_WORD}|[^\s{CJK}]+")
_SIGNS = "`'\"()[]{}.,:;!?*_“”"
_NUMBER = re.compile(r"[^\w\s]?\d")


class Token(NamedTuple):
    word: str
    """In small letters, without signs around it."""
    keys: Keys


def sentences_in(text: str) -> Iterator[str]:
    """The sentences of a text, long ones cut."""
    for line in plain(text).split("\n"):
        for one in sentences(mask(line)):
            yield line[one.start : min(one.end, one.start + MAX_SENTENCE)]


@lru_cache(maxsize=4_096)
def tokens(text: str) -> tuple[Token, ...]:
    """The words of a text in order."""
    found = [it.strip(_SIGNS) or it for it in _TOKEN.findall(fold(text))]
    code = language_of(text)
    small = _SMALL | language.phrases_of("small", code) if code in language.others() else _SMALL
    return tuple(Token(one, frozenset() if one in small else _keys(one)) for one in found)


def keys_of(text: str) -> Keys:
    """What a text means."""
    return union(one.keys for one in tokens(text))


def union(several: Iterable[Keys]) -> Keys:
    """All of several keys."""
    return frozenset[str]().union(*several)


def is_number(key: str) -> bool:
    return key[0].isdigit()


def _keys(word: str) -> Keys:
    if asian(word):
        return frozenset() if is_ending(word) or not words_of(word) else frozenset({word})
    if not any(map(str.isdigit, word)):
        return words_of(word) - WORDING
    if _NUMBER.match(word):
        return frozenset(map(without_unit, numbers_of(word)))
    # "postgres-16" is "postgres 16", and "arm64" one name.
    parts = word.split("-")
    return union(map(_keys, parts)) if len(parts) > 1 else frozenset({word})
