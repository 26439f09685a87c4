"""Rivals: two texts that give different values to what may well be one subject.

Found without a model, so that a word of change finds what it replaces, and nothing is merged that may
contradict: a different number with the same unit beside mostly the same words, a different name behind the
same subject and verb, the same words once with and once without a negation, or in other roles. What puts
two memories before the user, though nothing set them against each other, is stricter: `opposed.py`.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from siltstone.pipeline.identifiers import identifiers
from siltstone.pipeline.merging.likeness import (
    CJK,
    COMMA,
    DASH,
    NEGATIONS,
    SENTENCE_END,
    content,
    fold,
    negated,
    overlap,
    stem,
    swapped,
)
from siltstone.pipeline.rules.change import old_values
from siltstone.pipeline.words import asian, words

FEW = 2
"""Words besides its value with which a claim says little else."""
MIN_LETTERS, SHARED = 6, 0.6
"""Letters and share of the words that two clauses with other numbers must have in common."""
MAX_CLAUSES = 40
MAX_CLAUSE = 300

_CLAUSE_END = re.compile(rf"{SENTENCE_END}|{COMMA}|{DASH}|:\s")
VALUE = re.compile(
    rf"(?<![a-z0-9_.])(?P<sign>[£$€¥₩#v])?\s?(?P<number>[0-9]+(?:[.,:/-][0-9]+){{0,5}})\s?-?"
    rf"(?P<unit>%|[a-z]{{1,12}}|[{CJK}]{{1,2}})?"
)
_PERIODIC = re.compile(r"\b(?:every|each|per|once)\s$|每\s?$")
_NO_UNIT = words("a and as at but by for from if in is it not of on or so the then to until v with")
SETTING = words("bump chang increas limit lower now rais reduc set start updat")
"""Verbs that give a value to a subject and are no part of it, as `content` cuts them."""
_NO_NEGATION = NEGATIONS | words("alway always")

_NAMED = (
    re.compile(
        r"^(?:(?:we|i|always|please)\s){0,2}(?:use|prefer|pick|run)\s(?P<value>\S.{0,40}?)\s"
        r"(?P<subject>(?:for|as|when)\s.{2,80})$"
    ),
    re.compile(
        r"^(?P<subject>\S.{0,100}?)\s?(?:\b(?:is|are|uses?|runs on|runs|lives on|comes? from|goes to|stays)"
        r"\s|=\s?)"
        r"(?P<value>\S.{0,60})$"
    ),
    re.compile(rf"^(?P<subject>[^是用为為]{{2,40}}?)(?:是|使用|用|为|為)\s?(?P<value>[^{CJK}]{{1,40}})$"),
)
DESCRIBES = ("able", "ed", "ing", "ly")
"""Ends of words that tell what a thing is like, not which it is."""


def rivals(one: str, other: str) -> bool:
    """Whether some clause of one text contradicts a clause of the other. Symmetric."""
    if swapped(one, other):
        return True
    pairs = product(_clauses(one), _clauses(other))
    return any(_numbers_clash(a, b) or _names_clash(a, b) or polarity_clash(a, b) for a, b in pairs)


def replaces(one: str, other: str) -> bool:
    """Whether two texts that are rivals differ in nothing but the value: stricter, for a memory is hidden by
    it. "Commit messages: at most 72 characters" says nothing against "log messages: at most 200".
    """
    values = frozenset(
        word for text in (one, other) for clause in _clauses(text) for word in _value_words(clause)
    )
    return rivals(one, other) and not (content(one) ^ content(other)) - values - SETTING - _NO_NEGATION


def names_old_value(quote: str, old: str) -> bool:
    """Whether a quote speaks of a value of the old text, and of what it is the value of.

    "We moved the ingest queue from Redis Streams to NATS" names "Redis Streams" of "The ingest queue
    is Redis Streams" and shares "ingest queue" with it. The name alone is not enough: many memories
    may mention Redis. What is said to be left behind ("from SumUp", "no longer Jest") needs one such word,
    or a claim that says little besides.
    """
    quoted = content(quote)
    gone = set(map(content, old_values(old)))
    left = [value for value in map(content, old_values(quote)) if value and value not in gone]
    for clause in _clauses(old):
        values = _value_words(clause)
        subject = content(clause) - values
        if values & quoted and subject and len(subject & quoted) >= 0.5 * len(subject):
            return True
        about = content(clause)
        for value in left if left and not negated(clause) else ():
            if value <= about and ((about - value) & quoted or len(about - value) <= FEW):
                return True
    return False


@dataclass(frozen=True, slots=True)
class _Value:
    number: str
    unit: str
    periodic: bool


@lru_cache(maxsize=16_384)
def _clauses(text: str) -> tuple[str, ...]:
    parts = (part.strip()[:MAX_CLAUSE] for part in _CLAUSE_END.split(fold(text)))
    return tuple(dict.fromkeys(part for part in parts if part))[:MAX_CLAUSES]


@lru_cache(maxsize=16_384)
def values(clause: str) -> tuple[_Value, ...]:
    found = []
    for match in VALUE.finditer(clause):
        unit = match["sign"] or stem(match["unit"] or "")
        periodic = _PERIODIC.search(clause[: match.start()]) is not None
        number = match["number"].replace(",", "")
        found.append(_Value(number, "" if unit in _NO_UNIT else unit, periodic))
    return tuple(found)


def _numbers_clash(one: str, other: str) -> bool:
    mine, yours = values(one), values(other)
    if not mine or not of_one_measure(mine, yours) or {v.number for v in mine} & {v.number for v in yours}:
        return False
    if negated(one) != negated(other):
        return False
    left, right = _subject(one), _subject(other)
    return letters_of(left & right) >= MIN_LETTERS and overlap(left, right) >= SHARED


def of_one_measure(mine: tuple[_Value, ...], yours: tuple[_Value, ...]) -> bool:
    """Whether as many values stand in the same units, in the same order."""
    return [(a.unit, a.periodic) for a in mine] == [(b.unit, b.periodic) for b in yours]


def letters_of(shared: frozenset[str]) -> int:
    """Letters of words, a pair of CJK letters counting for three."""
    return sum(len(word) if not asian(word) else 3 for word in shared)


@lru_cache(maxsize=16_384)
def _subject(clause: str) -> frozenset[str]:
    """The words of a clause without its numbers and their units."""
    return content(VALUE.sub(" ", clause)) - SETTING


@lru_cache(maxsize=16_384)
def _named(clause: str) -> tuple[frozenset[str], frozenset[str]] | None:
    """Subject and value of a clause that names a thing: "the queue is NATS", "use pnpm for installs"."""
    for pattern in _NAMED:
        match = pattern.match(clause)
        if match is None:
            continue
        value, name = content(match["value"]), match["value"].split()
        if any(word.endswith(DESCRIBES) for word in name) or len(name) > 3:
            return None
        if content(match["subject"]) and value:
            return content(match["subject"]), value
    return None


def _names_clash(one: str, other: str) -> bool:
    if values(one) or values(other) or negated(one) != negated(other):
        return False
    mine, yours = _named(one), _named(other)
    return mine is not None and yours is not None and mine[0] == yours[0] and not mine[1] & yours[1]


def polarity_clash(one: str, other: str) -> bool:
    """Whether two clauses are the same words once with and once without a negation."""
    if negated(one) == negated(other):
        return False
    left, right = content(one) - _NO_NEGATION, content(other) - _NO_NEGATION
    return len(left) >= 2 and left == right


@lru_cache(maxsize=16_384)
def _value_words(clause: str) -> frozenset[str]:
    """Words of a clause that a change would replace: its numbers, names and the value it gives."""
    named = _named(clause)
    value = named[1] if named else frozenset[str]()
    named_words = (word for identifier in identifiers(clause) for word in content(identifier))
    return value | frozenset(word for word in named_words if len(word) > 1)
