"""Which memories fit a question, and how well in percent (docs/seeds.md C10, E7, E19).

    percent = 100 · covered · (0.75 + 0.15 · fresh + 0.10 · worth)

- `covered`, 0 to 1, is the share of the question's significant words that the memory holds, each word
  weighted by how rare it is in the store. Name and description count in full, the body four fifths. A
  memory cannot hold much of a long question; there the share of the memory's own words that the question
  holds counts too, and the larger share wins.
- `fresh` is what retention left of its strength (1 for evidence of today, 1/2 after a half-life).
- `worth` is its initial strength as a share of the highest possible.

So the figure means the same for every question. A memory that holds all of the question's words reaches
75% at any age. One that shares only stop words (`stop_words.txt`) is never shown.

`cited` is the way back: the memories that an answer uses.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import log2
from pathlib import Path
from typing import NamedTuple

from siltstone.recall.prepared import Fragment, Hit, View
from siltstone.recall.retention import IMPORTANCE, SOURCES, TYPES, end_of_day, strength
from siltstone.recall.settings import RecallSettings
from siltstone.store.names import stem
from siltstone.store.search import SearchReader, Texts, quoted
from siltstone.store.words import query_words, words

ENDS = 3_000
"""Characters of a longer question that are read at its start, and at its end. The request stands there,
and pasted text between."""
MAX_TERMS = 24
"""Significant words of a long question that count: the rarest that any memory holds."""
_AT_ENDS, _LONGEST = 20, 40
"""Those are chosen among so many words at either end, and so many of the longest."""
LONG = 8
"""A question with more significant words than this may be covered from the memory's side."""
BODY = 0.8
CANDIDATES = 40
RAREST = 12
"""Number of words, the rarest, by which candidates are looked up."""
ENOUGH = 20
"""Size of a store from which a word can be called common in it."""
MIN_SHARED = 2
_FROM_MEMORY_SIDE = 6
"""Number of memories compared from their own side: each of their words is looked up."""
_STRONGEST = max(TYPES.values()) * max(SOURCES.values()) * max(IMPORTANCE.values())
_ENDINGS = ("ing", "ed", "es", "s", "e")
_MIN_STEM = 4
_LISTED = (Path(__file__).parent / "stop_words.txt").read_text("utf-8").splitlines()
STOP_WORDS = frozenset(word for row in _LISTED if not row.startswith("#") for word in row.split())


class Term(NamedTuple):
    """A word of a question as it is looked up."""

    word: str
    forms: tuple[str, ...]
    """The forms in which memories write it; with `*`, every word that begins so."""
    match: str
    """The forms as an FTS5 expression."""
    memories: int
    """Number of memories that hold one of them."""


def significant_words(question: str) -> list[str]:
    """The words of a question, of any length, that say something about its subject, each once, in order."""
    if len(question) > 2 * ENDS:
        question = f"{question[:ENDS]} {question[-ENDS:]}"
    return _significant(word.rstrip("*") for word in query_words(question))


def relevant(
    asked: Sequence[str],
    seeker: SearchReader,
    fragments: Callable[[Sequence[str]], Mapping[str, Fragment]],
    view: View,
    now: float,
    settings: RecallSettings,
    seen: Collection[str] = (),
) -> list[Hit]:
    """The memories of a view's scopes that fit the `significant_words` of a question, best first.

    Hot and overridden memories and those whose paths are in `seen` are left out, and take no other's
    place. Raises Locked or StateError.
    """
    threshold = settings.similarity_threshold
    terms = _terms(asked if len(asked) <= MAX_TERMS else _rarest(asked, seeker), seeker)
    total = seeker.total()
    weights = {term: _weight(term.memories, total, _is_cjk(term.word)) for term in terms}
    whole = sum(weights.values())
    known = sum(weights[term] for term in terms if term.memories)
    if not whole or (len(asked) <= LONG and known / whole < threshold):
        return []  # no memory can reach the threshold, and ranking would take most of the time
    useful = {term.match: term.memories for term in terms if weights[term]}
    left_out = {*(one.path for one in view.hot), *view.overridden, *seen}
    texts = seeker.texts(useful, [scope.name for scope in view.scopes], CANDIDATES, RAREST, left_out)
    shares = {}
    for text in texts:
        head, body = set(f"{text.name} {text.description}".split()), set(text.body.split())
        in_head = [term for term in weights if _holds(head, term)]
        in_body = [term for term in weights if term not in in_head and _holds(body, term)]
        held = sum(weights[term] for term in in_head) + BODY * sum(weights[term] for term in in_body)
        shares[text.path] = held / whole
    if len(asked) > LONG:
        for path, share in _memory_side(texts[:_FROM_MEMORY_SIDE], asked, seeker, total).items():
            shares[path] = max(shares[path], share)
    activity = {scope.name: scope.activity for scope in view.scopes}
    found = fragments([path for path, share in shares.items() if share >= threshold])
    hits = [Hit(one, percent(shares[path], one, activity.get(one.scope), now)) for path, one in found.items()]
    hits = [hit for hit in hits if hit.percent >= 100 * threshold]
    hits.sort(key=lambda hit: (-hit.percent, -(hit.fragment.clock or 0.0), hit.fragment.path))
    return hits[: settings.max_memories]


def percent(covered: float, one: Fragment, activity: float | None, now: float) -> int:
    """The figure of a memory that covers a share of the question; 0 to 100. `activity` as in `strength`."""
    fresh = strength(1.0, one.repeats, one.clock, end_of_day(now), activity)
    worth = min(one.initial / _STRONGEST, 1.0)
    return int(100 * min(covered, 1.0) * (0.75 + 0.15 * min(fresh, 1.0) + 0.10 * worth))


def _significant(words: Iterable[str]) -> list[str]:
    return [word for word in words if word not in STOP_WORDS and (len(word) > 1 or not word.isascii())]


def _weight(count: int, total: int, cjk: bool = False) -> float:
    """The weight of a word that `count` of `total` memories hold.

    A word in no memory still says that the question is about something else: half as much as the rarest
    known word. An unknown CJK pair says much less, since half of all pairs are no words. A word in half of
    all memories weighs nothing, in a store large enough to tell.
    """
    if count == 0:
        return log2(1 + total) / (8 if cjk else 2)
    if total >= ENOUGH and 2 * count >= total:
        return 0.0
    return log2(1 + total / count)


def _holds(words: set[str], term: Term) -> bool:
    return any(
        any(word.startswith(form[:-1]) for word in words) if form.endswith("*") else form in words
        for form in term.forms
    )


def _memory_side(
    texts: Sequence[Texts], asked: Sequence[str], seeker: SearchReader, total: int
) -> dict[str, float]:
    """The share of each memory's own significant words that the question holds, at least two of them."""
    words, stems = set(asked), {_stem(word) for word in asked} - {""}
    heads: dict[str, set[str]] = {}
    shared: dict[str, set[str]] = {}
    for text in texts:
        head = set(_significant(f"{text.name} {text.description}".split()))
        held = {word for word in head if word in words or stems & {word, *_without_endings(word)}}
        if len(held) >= MIN_SHARED:
            heads[text.path], shared[text.path] = head, held
    counted = seeker.counts(set().union(*heads.values()))
    shares = {}
    for path, head in heads.items():
        weights = {word: _weight(counted[word], total) for word in sorted(head)}
        whole = sum(weights.values())
        shares[path] = sum(weights[word] for word in sorted(shared[path])) / whole if whole else 0.0
    return shares


def _rarest(asked: Sequence[str], seeker: SearchReader) -> list[str]:
    """Of the words at either end and the longest, those that the fewest memories hold."""
    longest = sorted(asked, key=lambda word: -len(word))[:_LONGEST]
    some = list(dict.fromkeys((*asked[:_AT_ENDS], *asked[-_AT_ENDS:], *longest)))
    counted = seeker.counts(some)
    return sorted(some, key=lambda word: (not counted[word], counted[word], -len(word)))[:MAX_TERMS]


def _terms(asked: Sequence[str], seeker: SearchReader) -> list[Term]:
    forms: dict[str, Collection[str]] = {}  # in which a word may be written, itself first
    for word in asked:
        stem = _stem(word)
        forms[word] = (
            dict.fromkeys((word, stem, *(stem + ending for ending in _ENDINGS))) if stem else (word,)
        )
        if len(word) == 1 and _is_cjk(word):
            forms[word] = (f"{word}*",)
    counted = seeker.counts({form for each in forms.values() for form in each})
    terms = []
    for word, each in forms.items():
        used = [form for form in each if counted[form]]
        match = f"({' OR '.join(map(quoted, used or [word]))})"
        memories = max((counted[form] for form in used), default=0)
        if len(used) > 1:  # a memory may hold several forms, so they are counted together
            memories = max(seeker.count(match), memories)
        terms.append(Term(word, tuple(used), match, memories))
    return terms


def _is_cjk(word: str) -> bool:
    return not word.isascii() and ord(word[0]) >= 0x3040


def _stem(word: str) -> str:
    """The common beginning of a word's forms; "" for a word without other forms."""
    if len(word) < _MIN_STEM or not (word.isascii() and word.isalpha()):
        return ""
    if not word.endswith("ss"):
        for stem in _without_endings(word):
            if len(stem) >= _MIN_STEM:
                return stem
    return word


def _without_endings(word: str) -> list[str]:
    return [word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending)]


MAX_ANSWER = 200_000
"""Characters of an answer that are searched."""
MIN_QUOTE = 12
"""Letters that a quoted run of words must have, stop words not counted. A Chinese, Japanese or Korean
character counts as two (invariant 6 asks for 12 letters or 6 characters)."""
_MIN_NAME = 8
"""Letters of a name that counts without its type and ".md"."""


def cited(answer: str, shown: Iterable[Fragment]) -> list[str]:
    """Paths of the memories in `shown` that the answer names or quotes.

    Only unmistakable signs count, because a citation slows a memory's decay. A memory that is never cited
    does not decay faster: an agent may follow a rule without mentioning it.
    """
    answer = answer[:MAX_ANSWER]
    in_words = f" {' '.join(words(answer))} "
    folded = answer.casefold()
    found = []
    for one in shown:
        names = [stem(one.path).casefold()]
        if len(one.name) >= _MIN_NAME and "-" in one.name:
            names.append(one.name.casefold())
        present = (rf"(?<![\w-]){re.escape(name)}(?![\w-])" for name in names if name in folded)
        if any(re.search(form, folded) for form in present) or _is_quoted(one.line, in_words):
            found.append(one.path)
    return found


def _is_quoted(line: str, answer: str) -> bool:
    """Whether the answer repeats a run of the line's words that is long enough."""
    in_line = words(line)
    for start in range(len(in_line)):
        weight, run = 0, ""
        for word in in_line[start:]:
            run = f"{run} {word}"
            if f"{run} " not in answer:
                break
            if word not in STOP_WORDS:  # pairs of CJK characters overlap, so each adds one character
                weight += len(word) if ord(word[0]) < 0x3040 else 2
            if weight >= MIN_QUOTE and " " in run[1:]:
                return True
    return False
