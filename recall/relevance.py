"""Which memories fit what is asked just now, and how well, in percent (docs/seeds.md C10, E7, E19).

    percent = 100 · covered · (0.75 + 0.15 · fresh + 0.10 · worth)

- `covered`, 0 to 1, is the share of the question's telling words that the memory holds, each weighed
  by how rare it is in the store: 72% of a fresh, strong memory says that it holds about three quarters
  of what the question is about. Name and description count in full, the body four fifths. Of a long
  question, where no memory can hold much, it is also enough that the question holds the memory's own
  words: the larger of the two shares counts.
- `fresh` is what retention left of its strength (1 for what was told today, 1/2 after a half-life),
  `worth` its strength when told, as a share of the most there is.

So the figure means the same for every question. A memory that holds all of the question's words is
shown however old (75% and more); one that shares nothing but common words is not shown, whatever the
threshold: these weigh nothing, by a table for each language (`common.py`).
"""

from math import log2

from siltstone.recall.common import WORDS as COMMON
from siltstone.recall.retention import IMPORTANCE, SOURCES, TYPES, end_of_day, strength
from siltstone.recall.rules import Rules
from siltstone.recall.view import Fragment, Hit, View
from siltstone.store.seek import Seeker, Texts, quoted
from siltstone.store.tuples import NamedTuple
from siltstone.store.words import query_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    Fragments = Callable[[Sequence[str]], Mapping[str, Fragment]]
    """`Prepared.fragments`."""

ENDS = 3_000
"""Characters of a longer question that are read at its start, and as many at its end: what is asked stands
there, and what was pasted between them."""
MAX_TERMS = 24
"""Telling words of a long question that count: the rarest of those that any memory holds."""
_AT_ENDS, _LONGEST = 20, 40
"""Telling words at either end of a long question, and the longest in it, among which these are sought."""
LONG = 8
"""A question with more telling words than this may be covered from the memory's side."""
BODY = 0.8
CANDIDATES = 40
RAREST = 12
"""Of the words looked up, so many are asked for."""
ENOUGH = 20
"""Memories from which on it can be said that a word is common in a store."""
LEAST_SHARED = 2
_SIDE = 6
"""Memories that are weighed from their own side: each of their words is looked up."""
_STRONGEST = max(TYPES.values()) * max(SOURCES.values()) * max(IMPORTANCE.values())
_ENDINGS = ("ing", "ed", "es", "s", "e")
_LEAST_STEM = 4


class Term(NamedTuple):
    """A word of a question that is looked up."""

    word: str
    forms: tuple[str, ...]
    """The ways in which memories write it; with `*`, whatever begins so."""
    match: str
    """These as FTS5 wants them."""
    memories: int
    """How many hold one of them."""


def telling(question: str) -> list[str]:
    """The telling words of a question of any length, each once, in its order."""
    if len(question) > 2 * ENDS:
        question = f"{question[:ENDS]} {question[-ENDS:]}"
    return list(filter(tells, (word.rstrip("*") for word in query_words(question))))


def tells(word: str) -> bool:
    """Whether a folded word says anything of what a text is about."""
    return word not in COMMON and (len(word) > 1 or not word.isascii())


def relevant(
    asked: "Sequence[str]",
    seeker: Seeker,
    fragments: "Fragments",
    view: View,
    now: float,
    rules: Rules,
    seen: "Collection[str]" = (),
) -> list[Hit]:
    """The memories of a view's scopes that fit what is asked (`telling`), the best first.

    Hot ones are shown anyway, for overridden ones another stands, and those whose paths are `seen` were
    shown before: they take no other's place.
    Raises Locked or StateError.
    """
    terms = _terms(asked if len(asked) <= MAX_TERMS else _rarest(asked, seeker), seeker)
    total = seeker.total()
    weights = {term: _weight(term.memories, total, _cjk(term.word)) for term in terms}
    whole = sum(weights.values())
    known = sum(weights[term] for term in terms if term.memories)
    if not whole or (len(asked) <= LONG and known / whole < rules.similarity_threshold):
        return []  # no memory can hold enough of it: to rank those that hold some takes most of the time
    useful = {term.match: term.memories for term in terms if weights[term]}
    beside = {*(one.path for one in view.hot), *view.overridden, *seen}
    texts = seeker.texts(useful, [scope.name for scope in view.scopes], CANDIDATES, RAREST, beside)
    weigh = _weigher(weights)
    shares = {text.path: weigh(text) / whole for text in texts}
    if len(asked) > LONG:
        for path, share in _from_their_side(texts[:_SIDE], asked, seeker, total).items():
            shares[path] = max(shares[path], share)
    active = {scope.name: scope.activity for scope in view.scopes}
    found = fragments([path for path, share in shares.items() if share >= rules.similarity_threshold])
    hits = [Hit(one, percent(shares[path], one, active.get(one.scope), now)) for path, one in found.items()]
    hits = [hit for hit in hits if hit.percent >= 100 * rules.similarity_threshold]
    hits.sort(key=lambda hit: (-hit.percent, -(hit.fragment.clock or 0.0), hit.fragment.path))
    return hits[: rules.max_memories]


def percent(covered: float, one: Fragment, activity: float | None, now: float) -> int:
    """The figure of a memory that holds a share of what is asked; 0 to 100. `activity` as in `strength`."""
    fresh = strength(1.0, one.repeats, one.clock, end_of_day(now), activity)
    worth = min(one.initial / _STRONGEST, 1.0)
    return int(100 * min(covered, 1.0) * (0.75 + 0.15 * min(fresh, 1.0) + 0.10 * worth))


def _weight(count: int, total: int, cjk: bool = False) -> float:
    """How much a word tells that stands in `count` of `total` memories.

    One that stands in none still tells that something else is meant too, half as much as the rarest
    word there is; a CJK pair much less, for half of all pairs are no words. One that half of the
    memories hold tells nothing, where they are enough to say so.
    """
    if count == 0:
        return log2(1 + total) / (8 if cjk else 2)
    if total >= ENOUGH and 2 * count >= total:
        return 0.0
    return log2(1 + total / count)


def _weigher(weights: "Mapping[Term, float]") -> "Callable[[Texts], float]":
    """What says of a memory how much the terms weigh that it holds."""
    each = tuple(weights.values())
    numbers: dict[str, list[int]] = {}
    for number, term in enumerate(weights):
        for form in term.forms:
            numbers.setdefault(form, []).append(number)
    begin = [form for form in numbers if form.endswith("*")]

    def held(texts: str) -> set[int]:
        words = texts.split()
        found = {
            *(numbers.keys() & words),
            *(form for form in begin if any(word.startswith(form[:-1]) for word in words)),
        }
        return {number for form in found for number in numbers[form]}

    def weigh(text: Texts) -> float:
        head, body = held(f"{text.name} {text.description}"), held(text.body)
        whole, less = sum(each[n] for n in sorted(head)), sum(each[n] for n in sorted(body - head))
        return whole + BODY * less

    return weigh


def _from_their_side(
    texts: "Sequence[Texts]", asked: "Sequence[str]", seeker: Seeker, total: int
) -> dict[str, float]:
    """Of each memory, what share of its own telling words the question holds; two of them at least."""
    said = frozenset(asked)

    def is_said(word: str) -> bool:
        return word in said or any(
            stem + end in said and _stem(stem + end) == stem
            for stem in (word, *(word[: -len(end)] for end in _ended(word)))
            if stem
            for end in ("", *_ENDINGS)
        )

    heads = {
        text.path: {word for word in (*text.name.split(), *text.description.split()) if tells(word)}
        for text in texts
    }
    shared = {path: set(filter(is_said, head)) for path, head in heads.items()}
    near = {path: head for path, head in heads.items() if len(shared[path]) >= LEAST_SHARED}
    counted = seeker.counts(set().union(*near.values()))
    shares = {}
    for path, head in near.items():
        weights = {word: _weight(counted[word], total) for word in head}
        whole = sum(weights.values())
        shares[path] = (
            sum(weight for word, weight in weights.items() if word in shared[path]) / whole if whole else 0.0
        )
    return shares


def _rarest(asked: "Sequence[str]", seeker: Seeker) -> list[str]:
    """Those of the words at either end, and of the longest, that stand in the fewest memories."""
    longest = sorted(asked, key=lambda word: -len(word))[:_LONGEST]
    some = list(dict.fromkeys((*asked[:_AT_ENDS], *asked[-_AT_ENDS:], *longest)))
    counted = seeker.counts(some)
    return sorted(some, key=lambda word: (not counted[word], counted[word], -len(word)))[:MAX_TERMS]


def _terms(asked: "Sequence[str]", seeker: Seeker) -> list[Term]:
    forms = {word: _forms(word) for word in asked}
    counted = seeker.counts({form for each in forms.values() for form in each})
    return [
        _term(word, [form for form in each if counted[form]], counted, seeker) for word, each in forms.items()
    ]


def _term(word: str, forms: "Sequence[str]", counted: "Mapping[str, int]", seeker: Seeker) -> Term:
    match = f"({' OR '.join(map(quoted, forms or [word]))})"
    most = max(map(counted.__getitem__, forms), default=0)
    # a memory may hold several
    return Term(word, tuple(forms), match, max(seeker.count(match), most) if len(forms) > 1 else most)


def _forms(word: str) -> "Collection[str]":
    """The ways a word may be written, itself first."""
    if len(word) == 1 and _cjk(word):
        return (f"{word}*",)
    stem = _stem(word)
    return dict.fromkeys((word, stem, *(stem + ending for ending in _ENDINGS))) if stem else (word,)


def _cjk(word: str) -> bool:
    return not word.isascii() and ord(word[0]) >= 0x3040


def _stem(word: str) -> str:
    """What a word's other forms begin with; "" for one that has none."""
    if len(word) < _LEAST_STEM or not (word.isascii() and word.isalpha()):
        return ""
    if not word.endswith("ss"):
        for ending in _ended(word):
            if len(word) - len(ending) >= _LEAST_STEM:
                return word.removesuffix(ending)
    return word


def _ended(word: str) -> "Iterator[str]":
    """The endings that a word has."""
    return (ending for ending in _ENDINGS if word.endswith(ending))
