"""Working memory of a session: slots that keep the newest, a pool that fades (docs/seeds.md B10–B14).

A mention adds 1 to a thing's score, and every event takes 15% of it: `score · 0.85^events`. A thing
mentioned once is gone after 29 events. (Source of the row: `exp(−0.85·age) + mentions` loses 57% an event
and never falls below 1.)
"""

from siltstone.recall.session.state import SLOTS, Pooled, SessionState, Slot
from siltstone.store.errors import Misuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

KEEPS = 0.85
LEAST = 0.01
MOST = 50
"""Things the pool holds at most: the highest scores."""
_FADED = 200
"""After so many events no score is above LEAST."""


def score(thing: Pooled, event: int) -> float:
    """What is left of a thing's score at an event."""
    age = min(max(event - thing.event, 0), _FADED)
    return min(thing.score, 1 / (1 - KEEPS)) * KEEPS**age


def mention(pool: tuple[Pooled, ...], texts: "Iterable[str]", event: int) -> tuple[Pooled, ...]:
    """The pool after texts were mentioned at an event; what has faded is gone."""
    known = {thing.text: thing for thing in pool}
    for text in dict.fromkeys(texts):
        before = known.get(text, Pooled(text))
        known[text] = Pooled(text, before.mentions + 1, score(before, event) + 1.0, event)
    alive = [thing for thing in known.values() if score(thing, event) >= LEAST]
    return tuple(ranked(alive, event)[:MOST])


def ranked(pool: "Iterable[Pooled]", event: int) -> list[Pooled]:
    """The highest score first; of equals the latest."""
    return sorted(pool, key=lambda thing: (-score(thing, event), -thing.event, thing.text))


def slot(slots: tuple[Slot, ...], kind: str, texts: "Iterable[str]", event: int) -> tuple[Slot, ...]:
    """The slots with texts of a kind as the newest; the oldest beyond the kind's number go.

    Raises Misuse for a kind there is none of.
    """
    if kind not in SLOTS:
        raise Misuse(f"there are no slots {kind[:40]!r}; there are {', '.join(SLOTS)}.")
    new = {text: Slot(kind, text, event) for text in texts}
    same = [one for one in slots if one.kind == kind and one.text not in new] + list(new.values())
    return tuple([one for one in slots if one.kind != kind] + same[-SLOTS[kind] :])


def clear(state: SessionState, kind: str | None = None) -> SessionState:
    """The state without slots of a kind, or without any working memory. Raises Misuse as `slot` does."""
    if kind is None:
        return state._replace(slots=(), pool=())
    slot((), kind, (), 0)
    return state._replace(slots=tuple(one for one in state.slots if one.kind != kind))


def remove(state: SessionState, text: str) -> SessionState:
    """The state without a thing in slots and pool. Raises Misuse where there is none of these words."""
    slots = tuple(one for one in state.slots if one.text != text)
    pool = tuple(one for one in state.pool if one.text != text)
    if len(slots) + len(pool) == len(state.slots) + len(state.pool):
        raise Misuse(
            f"working memory holds nothing that says {text[:80]!r}; copy the words as it shows them."
        )
    return state._replace(slots=slots, pool=pool)
