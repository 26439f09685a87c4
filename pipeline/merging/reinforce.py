"""Reinforcement: a repeated fact gains evidence, slowly (docs/seeds.md A25 and Source)."""

from collections.abc import Iterable, Sequence

from siltstone.store.entry import HEARD, Evidence
from siltstone.store.reinforcement import MAX_COUNT, reinforcements, stacks


def reinforced(evidence: Sequence[Evidence], repeats: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The evidence with those repeats that count, sorted. What is there already is never dropped.

    A repeat counts unless it is of a session or a UTC day that speaks already, comes within an hour
    of another telling, or six repeats stand already. All words that one counting session says are
    kept together (an adopted proposal is two quotes). Without any evidence the repeats are all kept:
    they are the first telling. What a hook heard is no telling of its own once its message is read: that
    one stands in its place.
    """
    kept = sorted(set(_read(evidence, repeats := tuple(repeats))))
    fresh = sorted(set(repeats) - set(kept))
    if not kept:
        return tuple(fresh)
    for said in _by_session(fresh):
        if all(stacks(new, old) for new in said for old in kept) and reinforcements(kept) < MAX_COUNT:
            kept = sorted([*kept, *said])
    return tuple(kept)


def _read(evidence: Sequence[Evidence], repeats: Sequence[Evidence]) -> list[Evidence]:
    """The evidence with the messages of `repeats` instead of what a hook heard of them."""
    messages = {(said.agent, said.session, said.quote): said for said in repeats}
    return [
        messages.get((said.agent, said.session, said.quote), said) if said.message.startswith(HEARD) else said
        for said in evidence
    ]


def _by_session(evidence: Sequence[Evidence]) -> list[list[Evidence]]:
    """Groups in order of their first words."""
    groups: dict[tuple[str, str], list[Evidence]] = {}
    for item in evidence:
        groups.setdefault((item.agent, item.session), []).append(item)
    return list(groups.values())
