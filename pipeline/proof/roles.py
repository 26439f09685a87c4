"""Which thing goes with which, which way round, and when.

A claim may be made of nothing but words that were said and still be wrong. Of "postgres in prod, sqlite in
tests" it may make "sqlite in prod", of "lint before you push" "push before you lint", of "deploy by hand if it
is Friday" "deploy by hand". So what was said is taken apart, and each piece of a claim is held against it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from siltstone.pipeline.merging.likeness import CJK, fold, negated, stem
from siltstone.pipeline.proof.clauses import CLAUSE, COMMA
from siltstone.pipeline.proof.normal_form import is_form, numbers_of, plain, without_unit, words_of
from siltstone.pipeline.proof.phrases import opens, pattern
from siltstone.pipeline.proof.wording import NEUTRAL, OPPOSITES, WORDING
from siltstone.pipeline.rules import language
from siltstone.pipeline.rules.sentences import mask, sentences
from siltstone.pipeline.words import word_lists

FEW = 5
"""Words that carry meaning of one of two sentences that may be two of a list."""

_LISTS = word_lists(__file__, "words")
_LINKS, _COURTESY = _LISTS["links"], _LISTS["courtesy"]
_DIRECTED = frozenset(map(stem, _LISTS["directed"]))
_UNIT_END = re.compile(
    rf"{CLAUSE.pattern}|\s(?:while|or|oder|ou|e|и|или|&|\+)\s|\s(?=(?:bc|otherwise)\s)|[和而]"
)
_TOKEN = re.compile(rf"[{CJK}]|[^\s{CJK}]+")
_SMALL = language.phrases_of("small", *language.LATIN, *language.others()) | _LISTS["small"]
_NUMBER = re.compile(r"[^\w\s]?\d")
_SIGNS = "`'\"()[]{}.,:;!?*_“”"

_Keys = frozenset[str]
"""Words that carry meaning, and numbers without their units."""


class _Token(NamedTuple):
    word: str
    """In small letters, without signs."""
    keys: _Keys


class _Unit(NamedTuple):
    """What stands between two commas, or "and"."""

    keys: _Keys
    places: tuple[_Keys, ...]
    """The runs of words that carry meaning: "port 3000" and "api" of "port 3000 for the api"; what it begins
    with by a link is put last."""
    links: frozenset[str]
    words: frozenset[str]
    """All of them, cut as `stem` does."""
    sentence: int


class _Condition(NamedTuple):
    """A condition, and what holds under it."""

    main: _Keys
    when: _Keys
    holds: bool
    """Whether what is said holds with the condition, and not without it."""
    excepts: bool
    """It takes something out of what holds."""


class Roles(NamedTuple):
    """What was said, taken apart."""

    units: tuple[_Unit, ...] = ()
    orders: tuple["_Order", ...] = ()
    conditions: tuple[_Condition, ...] = ()
    plain: tuple[_Keys, ...] = ()
    """The units of sentences without a condition."""


def roles_of(texts: Iterable[str]) -> Roles:
    """The roles of the things in what was said."""
    said = [one for text in texts for one in _sentences(text)]
    split = [(one, tuple(_conditions(one))) for one in said]
    return Roles(
        tuple(unit._replace(sentence=n) for n, one in enumerate(said) for unit in _units(one)),
        tuple(order for one in said for order in _orders(one)),
        tuple(one for _, conditions in split for one in conditions),
        tuple(unit.keys for one, conditions in split if not conditions for unit in _units(one)),
    )


def rearranged(text: str, said: Roles) -> bool:
    """Whether a piece of a claim puts what was said together in another way."""
    known = frozenset[str]().union(*(one.keys for one in said.units))
    units = [_known(one, known) for one in _units(text)]
    return (
        any(_mixes(unit, said.units) or _opposes(unit, said.units) for unit in units)
        or any(_adds(unit, units, said.units) for unit in units)
        or any(_exchanges(order, said.orders) for order in _orders(text))
        or _changes_when(text, said)
    )


def _sentences(text: str) -> Iterator[str]:
    for line in plain(text).split("\n"):
        yield from (line[one.start : one.end] for one in sentences(mask(line)))


@lru_cache(maxsize=4_096)
def _tokens(text: str) -> tuple[_Token, ...]:
    found = (it.strip(_SIGNS) or it for it in _TOKEN.findall(fold(text)))
    return tuple(_Token(one, _keys(one)) for one in found)


def _keys(word: str) -> _Keys:
    if word in _SMALL:
        return frozenset()
    if any(map(str.isdigit, word)):
        return frozenset(map(without_unit, numbers_of(word))) if _NUMBER.match(word) else frozenset({word})
    return words_of(word) - WORDING


def _is_number(key: str) -> bool:
    return key[0].isdigit()


# Which thing goes with which


@lru_cache(maxsize=4_096)
def _units(text: str) -> tuple[_Unit, ...]:
    return tuple(one for one in map(_unit, _UNIT_END.split(text)) if one.keys)


def _unit(text: str) -> _Unit:
    tokens = _tokens(text)
    runs: list[set[str]] = [set()]
    for one in tokens:
        number = any(map(_is_number, one.keys))
        if number or not one.keys or one.word in _LINKS:
            runs.append(set())
        runs[-1] |= one.keys if one.word not in _LINKS else set()
        if number:
            runs.append(set())
    places = [frozenset(one) for one in runs if one]
    if tokens and tokens[0].word in _LINKS:
        places = [*places[1:], *places[:1]]
    words = frozenset(stem(one.word) for one in tokens)
    keys = frozenset[str]().union(*places)
    return _Unit(keys, tuple(places), frozenset(one.word for one in tokens) & _LINKS, words, 0)


def _known(unit: _Unit, known: _Keys) -> _Unit:
    """A unit with its words in the forms that are known."""
    forms = {key: next((it for it in known if is_form(key, it)), key) for key in unit.keys - known}
    places = tuple(frozenset(forms.get(key, key) for key in place) for place in unit.places)
    return unit._replace(keys=frozenset[str]().union(*places), places=places)


def _mixes(claim: _Unit, said: Sequence[_Unit]) -> bool:
    """Whether a unit of a claim takes some of each of two that are said alike, and leaves some of each:
    "sqlite in prod" of "postgres in prod" and "sqlite in tests"."""
    whole = frozenset[str]().union(*(one.keys for one in said if one.keys <= claim.keys))
    runs = [run - whole for run in claim.places]
    known = {run for run in runs if any(run <= it.keys for it in said)}
    partly = [one for one in said if not one.keys.isdisjoint(claim.keys) and not one.keys <= claim.keys]
    for one, other in combinations(partly, 2):
        if not _alike(one, other):
            continue
        mine, yours = (
            frozenset(
                key for run in runs if run <= a.keys or run not in known for key in run & a.keys - b.keys
            )
            for a, b in ((one, other), (other, one))
        )
        left = _left(claim, one, other) and _left(claim, other, one)
        if not (_tells(mine) and _tells(yours) and left) or _places(mine, one) == _places(yours, other):
            continue
        if not any(not mine.isdisjoint(it.keys) and not yours.isdisjoint(it.keys) for it in said):
            return True
    return False


def _left(claim: _Unit, one: _Unit, other: _Unit) -> bool:
    """Whether a claim leaves out a run of a unit, or puts a word of the other in the place of one."""
    runs = [run - other.keys for run in one.places]
    runs = [run for run in runs if run]
    if len(runs) == 1:
        return not runs[0] <= claim.keys
    return any(
        run.isdisjoint(claim.keys)
        or any(
            len(run & its) == len(run) - 1 == len(its) - 1 and its - run <= other.keys - one.keys
            for its in claim.places
            if len(run) > 1
        )
        for run in one.places
        if not run <= other.keys
    )


def _tells(keys: _Keys) -> bool:
    """Whether keys are more than one letter of Chinese, Japanese or Korean."""
    return len(keys) > 1 or any(len(key) > 1 or key.isdecimal() for key in keys)


def _alike(one: _Unit, other: _Unit) -> bool:
    """Whether two units may be two of a list: they stand in one sentence, or next to each other, and say
    something by one word or of numbers."""
    if one.sentence == other.sentence:
        return True
    short = len(one.places) == len(other.places) and max(len(one.keys), len(other.keys)) <= FEW
    numbers = all(any(map(_is_number, it.keys)) for it in (one, other))
    return other.sentence - one.sentence == 1 and short and (numbers or bool(one.links & other.links))


def _places(keys: _Keys, unit: _Unit) -> list[int]:
    return [n for n, place in enumerate(unit.places) if place & keys]


def _adds(claim: _Unit, claims: Sequence[_Unit], said: Sequence[_Unit]) -> bool:
    """Whether a unit of a claim says nothing but one part of a pair, beside another pair that is whole, and
    the other part is nowhere: "postgres in prod and in tests"."""
    told = frozenset[str]().union(*(one.keys for one in claims))
    for one in said:
        if not claim.keys < one.keys or len(one.places) != 2:
            continue
        gone = frozenset[str]().union(*(it for it in one.places if it.isdisjoint(told)))
        beside = (it for it in said if it.sentence == one.sentence and it != one and len(it.places) == 2)
        whole = any(it.keys <= told and (it.links & one.links or not it.links | one.links) for it in beside)
        if gone and whole and not any(claim.keys <= it.keys for it in said if it != one):
            return True
    return False


def _opposes(claim: _Unit, said: Sequence[_Unit]) -> bool:
    """Whether a unit says "over" where what is most like it says "under"."""
    most = max((len(claim.keys & one.keys) for one in said), default=0)
    alike = [one for one in said if len(claim.keys & one.keys) == most]
    return bool(most) and all(
        any(this in claim.words - one.words and that in one.words - claim.words for this, that in OPPOSITES)
        for one in alike
    )


# Which way round


class _Order(NamedTuple):
    """A word by which two things have each its own part, and what stands on either side of it."""

    by: str
    before: _Keys
    behind: _Keys
    governed: str
    """The word before it."""


@lru_cache(maxsize=4_096)
def _orders(text: str) -> tuple[_Order, ...]:
    """The orders in a sentence, and in each of its units. What a sentence begins with by such a word, up to a
    comma, is put behind the rest."""
    comma, first = COMMA.search(text), _tokens(text)[:1]
    if comma and (opens("bound", text) or any(stem(one.word) in _DIRECTED for one in first)):
        text = f"{text[comma.end() :]} {text[: comma.start()]}"
    units = _UNIT_END.split(text)
    return tuple(order for one in (text, *(units if len(units) > 1 else ())) for order in _of(_tokens(one)))


def _of(tokens: Sequence[_Token]) -> Iterator[_Order]:
    words = [stem(one.word) for one in tokens]
    for at, word in enumerate(words):
        infinitive = word == "to" and at and words[at - 1] in _LISTS["infinitive"]
        if word not in _DIRECTED or words.count(word) > 1 or infinitive:
            continue
        left, right = (
            frozenset[str]().union(*(one.keys for one in side)) for side in (tokens[:at], tokens[at + 1 :])
        )
        before = words[at - 1] if at else ""
        if tokens[at].word.endswith("ed") and words[at + 1 : at + 2] == ["by"]:
            yield _Order(word, right, left, "")
        elif tokens[at].word.endswith("ed") and before in _LISTS["passive"]:
            continue
        elif word == stem("after"):
            yield _Order("before", right, left, "")
        elif word in ("then", "before"):
            yield _Order("before", left, right, "")
        else:
            yield _Order(word, left, right, before)


def _exchanges(claim: _Order, said: Sequence[_Order]) -> bool:
    """Whether a claim exchanges what stands on either side of such a word, and nothing that was said has it
    so."""
    turned = False
    for one in said:
        if one.by != claim.by:
            continue
        moved = (
            one.before & claim.behind - one.behind - claim.before,
            one.behind & claim.before - one.before - claim.behind,
        )
        if all(moved):
            turned = turned or one.governed == claim.governed or claim.governed in moved[0] | moved[1]
        elif one.before & claim.before and one.behind & claim.behind:
            return False
    return turned


# When


def _conditions(sentence: str) -> Iterator[_Condition]:
    """Each condition in a sentence, with what holds under it: what stands before it up to a comma, or behind
    it where it comes first."""
    for found in pattern("limits").finditer(sentence):
        ahead = sentence[: found.start()]
        start = max((end.end() for end in _UNIT_END.finditer(ahead)), default=0)
        main = ahead[start:]
        rest = sentence[found.end() :]
        first = not any(one.keys for one in _tokens(main))
        end = next(
            (it for it in (COMMA.search(rest), first and pattern("main_clause").search(rest)) if it), None
        )
        when = rest[: end.start()] if end else rest
        if first:
            behind = rest[end.end() :] if end else ""
            main = _UNIT_END.split(behind.strip(), maxsplit=1)[0]
        its = words_of(when) | numbers_of(when)
        its = its - WORDING - NEUTRAL - _COURTESY
        if not its:
            continue
        excepts = pattern("excepts").fullmatch(found[0]) is not None
        holds = not (negated(main) ^ excepts ^ negated(when))
        yield _Condition(words_of(main) - WORDING, its, holds, excepts)


def _changes_when(text: str, said: Roles) -> bool:
    """Whether a claim leaves out the condition under which it was said, turns it round, or makes a rule of an
    exception."""
    claimed = [*_conditions(text)]
    keys = words_of(text) - WORDING
    for mine in claimed:
        for its in said.conditions:
            swapped = mine.when & its.main - its.when and mine.main & its.when - its.main
            same = (
                len(mine.when & its.when) * 2 >= len(its.when)
                and len(mine.main & its.main) * 2 >= len(mine.main) > 0
            )
            if swapped or (same and mine.holds != its.holds):
                return True
    if claimed or pattern("limits").search(text) or pattern("restricts").search(text):
        return False
    best = max((len(keys & main) for main in said.plain), default=0)
    for its in said.conditions:
        shared = len(keys & its.main)
        beside = any(_is_in(key, keys) for key in its.when)
        if shared > best and shared * 2 >= len(its.main) and beside == its.excepts:
            return True
    return False


def _is_in(key: str, keys: _Keys) -> bool:
    return key in keys or any(is_form(key, one) for one in keys)
