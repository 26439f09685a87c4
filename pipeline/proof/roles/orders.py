"""Which way round: "lint before you push", "the gateway calls the worker", "move it from dev to main"."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from siltstone.pipeline.merging.likeness import stem
from siltstone.pipeline.proof.clauses import COMMA
from siltstone.pipeline.proof.phrases import opens
from siltstone.pipeline.proof.roles.tokens import UNIT_END, Keys, Token, tokens, union
from siltstone.pipeline.words import word_lists

_LISTS = word_lists(__file__, "words")
_DIRECTED = frozenset(map(stem, _LISTS["directed"]))


class Order(NamedTuple):
    """A word by which two things have each its own part, and what stands on either side of it."""

    by: str
    """The word, cut as `stem` does; "before" also for "after" and "then", with the sides as they follow."""
    before: Keys
    behind: Keys
    governed: str = ""
    """The word that a preposition goes with: "goes to" and "is connected to" are two things."""
    turned: bool = False
    """It says "after"."""


@lru_cache(maxsize=4_096)
def orders_in(text: str) -> tuple[Order, ...]:
    """The orders in a sentence, and in each of its units. What it begins with by such a word, up to a comma,
    is put behind the rest."""
    comma, first = COMMA.search(text), tokens(text)[:1]
    if comma and (opens("bound", text) or any(stem(one.word) in _DIRECTED for one in first)):
        text = f"{text[comma.end() :]} {text[: comma.start()]}"
    parts = UNIT_END.split(text)
    return tuple(order for one in (text, *(parts if len(parts) > 1 else ())) for order in _of(tokens(one)))


def turned(text: str, said: Sequence[Order]) -> bool:
    """Whether a text exchanges what stands on either side of such a word."""
    return any(_exchanges(order, [one for one in said if one.by == order.by]) for order in orders_in(text))


def _of(found: Sequence[Token]) -> Iterator[Order]:
    words = [one.word for one in found]
    stems = [stem(one) for one in words]
    for at, word in enumerate(stems):
        ahead, behind = (words[at - 1] if at else ""), (words[at + 1] if at + 1 < len(words) else "")
        infinitive = word == "to" and ahead in _LISTS["infinitive"]
        once = stems.count(word) == 1 or (word == "then" and word not in stems[at + 1 :])
        if word not in _DIRECTED or not once or infinitive:
            continue
        left, right = (union(one.keys for one in side) for side in (found[:at], found[at + 1 :]))
        done = words[at].endswith("ed")
        if done and behind == "by":
            yield Order(word, right, left)
        elif words[at] == "after":
            if behind not in _LISTS["pointing"]:
                yield Order("before", right, left, turned=True)
        elif words[at] in ("before", "then"):
            yield Order("before", left, right)
        elif not (done and ahead in _LISTS["passive"]):
            yield Order(word, left, right, ahead if words[at] in _LISTS["prepositions"] else "")


def _exchanges(claim: Order, said: Sequence[Order]) -> bool:
    """Whether one of these has it the other way round, and none so. "Ask before merging" has nothing that can
    change places: it is turned by "after" with the same behind it."""
    found = False
    for one in said:
        behind = one.before & claim.behind - one.behind - claim.before
        before = one.behind & claim.before - one.before - claim.behind
        if one.turned != claim.turned and not one.before and one.behind & claim.before:
            found = True
        elif behind and before:
            goes_with = {one.governed, "", *behind, *before}
            found = found or not one.governed or claim.governed in goes_with
        elif one.before & claim.before and one.behind & claim.behind:
            return False
    return found
