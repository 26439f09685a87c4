"""Which thing goes with which: "postgres in prod, sqlite in tests", "30 seconds for the API, 5 for jobs"."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from siltstone.pipeline.merging.likeness import stem
from siltstone.pipeline.proof.clauses import negates
from siltstone.pipeline.proof.normal_form import is_form
from siltstone.pipeline.proof.roles.tokens import UNIT_END, Keys, is_number, tokens, union
from siltstone.pipeline.proof.wording import opposites
from siltstone.pipeline.words import word_lists

FEW = 5
"""Words that carry meaning of one of two parts that may be two of a list."""
NEAR = 12
"""Parts of a list that are compared."""
OFTEN = 2
"""Parts in which a word stands that may tell one from another."""

_LISTS = word_lists(__file__, "words")
_LINKS, _COPULAS = _LISTS["links"] | _LISTS["copulas"], _LISTS["copulas"]
_OPPOSITES = opposites(_LISTS["opposites"])


class Unit(NamedTuple):
    """What stands between two commas, or "and"."""

    keys: Keys
    places: tuple[Keys, ...]
    """The runs of words that carry meaning: "port 3000" and "api" of "port 3000 for the api"; what it begins
    with by a link is put last."""
    links: frozenset[str]
    words: frozenset[str]
    """All of them, cut as `stem` does."""
    denies: bool
    """It says no."""
    sentence: int = 0
    """Number of its sentence in what was said."""


@lru_cache(maxsize=4_096)
def units_in(text: str) -> tuple[Unit, ...]:
    """The units of a sentence that carry meaning."""
    return tuple(one for one in map(_unit, UNIT_END.split(text)) if one.keys)


def mixed(text: str, said: Sequence[Unit]) -> bool:
    """Whether a text puts parts of two such units together, adds one to the wrong side of a pair, or says the
    opposite of the unit that is most like it."""
    known = sorted(union(one.keys for one in said))
    claimed = [_in_forms_of(one, known) for one in units_in(text)]
    return any(_mixes(one, said) or _opposes(one, said) or _adds(one, claimed, said) for one in claimed)


def _unit(text: str) -> Unit:
    found = tokens(text)
    runs: list[list[Keys]] = [[]]
    for one in found:
        number, link = any(map(is_number, one.keys)), one.word in _LINKS
        if number or link or not one.keys:
            runs.append([])
        if one.keys and not link:
            runs[-1].append(one.keys)
        if number:
            runs.append([])
    runs = [run for run in runs if run]
    if len(runs) == 1:  # "sqlite tests"
        runs = [[keys] for keys in runs[0]]
    if found and found[0].word in _LINKS - _LISTS["no_fronting"]:
        runs = [*runs[1:], *runs[:1]]
    places, words = tuple(map(union, runs)), frozenset(one.word for one in found)
    return Unit(union(places), places, words & _LINKS, frozenset(map(stem, words)), bool(negates(text)))


def _in_forms_of(unit: Unit, known: Sequence[str]) -> Unit:
    """A unit with its words in the forms that are known."""
    alike = {key: [it for it in known if it[0] == key[0]] for key in unit.keys.difference(known)}
    forms = {key: next((it for it in its if is_form(key, it)), key) for key, its in alike.items()}
    places = tuple(frozenset(forms.get(key, key) for key in place) for place in unit.places)
    return unit._replace(keys=union(places), places=places)


def _mixes(claim: Unit, said: Sequence[Unit]) -> bool:
    """Whether a unit of a claim takes one part of each of two that are said alike: "sqlite in prod" of
    "postgres in prod" and "sqlite in tests"."""
    whole = union(one.keys for one in said if one.keys <= claim.keys)
    partly = [one for one in said if not one.keys.isdisjoint(claim.keys) and not one.keys <= claim.keys]
    counts = Counter(key for one in partly for key in one.keys & claim.keys)
    common = {key for key, count in counts.items() if count > OFTEN}
    runs = [own for run in claim.places if (own := run - whole)]
    phrases = {run for run in runs if any(run <= it.keys for it in said)}
    for one, other in _lists(partly):
        # A run of words that was said elsewhere comes from there.
        mine, yours = (
            union(run & a.keys - b.keys - common for run in runs if run <= a.keys or run not in phrases)
            for a, b in ((one, other), (other, one))
        )
        if (
            mine
            and yours
            and _crosses(claim, one, other)
            and not any(mine & it.keys and yours & it.keys for it in partly)
        ):
            return True
    return False


def _lists(said: Sequence[Unit]) -> Iterator[tuple[Unit, Unit]]:
    """The pairs of units that may be two of a list."""
    for n, one in enumerate(said):
        for other in said[n + 1 : n + NEAR]:
            if other.sentence - one.sentence > 1:
                break
            if _alike(one, other):
                yield one, other


def _crosses(claim: Unit, one: Unit, other: Unit) -> bool:
    """Whether a claim takes something at one place of a unit, and at another place of the other, and leaves
    what stands there instead."""
    (taken, left), (taken_too, left_too) = _at(claim, one, other), _at(claim, other, one)
    return any(
        not _matches(p, q) and any(_matches(p, it) for it in left_too) and any(_matches(q, it) for it in left)
        for p, q in product(taken, taken_too)
    )


_Place = tuple[int, int]
"""Of a run of words in a unit, counted from its beginning and from its end."""


def _at(claim: Unit, one: Unit, other: Unit) -> tuple[list[_Place], list[_Place]]:
    """The places at which a claim takes what a unit has beside the other, and at which it leaves that."""
    count = len(one.places)
    own = [((n, n - count), run - other.keys) for n, run in enumerate(one.places)]
    taken = [place for place, run in own if run & claim.keys]
    return taken, [place for place, run in own if run and not run & claim.keys]


def _matches(one: _Place, other: _Place) -> bool:
    return one[0] == other[0] or one[1] == other[1]


def _alike(one: Unit, other: Unit) -> bool:
    """Whether two units may be two of a list: they stand in one sentence, or in two that are built alike. "It
    is not the proxy, it is the disk" is no list."""
    if one.denies != other.denies or max(len(one.keys), len(other.keys)) > FEW:
        return False
    if one.sentence == other.sentence:
        return True
    built_alike = len(one.places) == len(other.places)
    numbers = all(any(map(is_number, it.keys)) for it in (one, other))
    return built_alike and (numbers or not (one.links & other.links).issubset(_COPULAS))


def _adds(claim: Unit, claims: Sequence[Unit], said: Sequence[Unit]) -> bool:
    """Whether a unit of a claim says nothing but one part of a pair, beside another pair that is whole, and
    the other part is nowhere: "postgres in prod and in tests"."""
    told = union(one.keys for one in claims)
    for one in said:
        if not claim.keys < one.keys or len(one.places) != 2:
            continue
        gone = union(it for it in one.places if it.isdisjoint(told))
        beside = (it for it in said if it.sentence == one.sentence and it != one and len(it.places) > 1)
        whole = any(it.keys <= told and (it.links & one.links or not it.links | one.links) for it in beside)
        if gone and whole and not any(claim.keys <= it.keys for it in said if it != one):
            return True
    return False


def _opposes(claim: Unit, said: Sequence[Unit]) -> bool:
    """Whether a unit says "over" where what is most like it says "under". "May not" and "may only" are no
    opposite of "must not"."""
    most = max((len(claim.keys & one.keys) for one in said), default=0)
    alike = [one for one in said if len(claim.keys & one.keys) == most]
    if most == 0 or claim.denies or not _LISTS["limiting"].isdisjoint(claim.words):
        return False
    return all(
        any(this in claim.words - one.words and that in one.words - claim.words for this, that in _OPPOSITES)
        for one in alike
    )
