"""Reinforcement: a repeated fact gains evidence, slowly (SEEDS.md A25 and Source).

Evidence is all there is: how often a memory was reinforced is read off its evidence, so the count
survives every rewrite and does not depend on the order in which sessions were read.
"""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from siltstone.store.entry import Evidence

MIN_APART = timedelta(hours=1)
MAX_COUNT = 6


def reinforcements(evidence: Iterable[Evidence]) -> int:
    """How often a memory was said again: 0 to 6. The first telling does not reinforce itself."""
    told: list[Evidence] = []
    for item in sorted(evidence):
        if all(_stacks(item, earlier) for earlier in told):
            told.append(item)
    return min(max(len(told) - 1, 0), MAX_COUNT)


def reinforced(evidence: Sequence[Evidence], repeats: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The evidence with those repeats that count, sorted. What is there already is never dropped.

    A repeat counts unless it is of a session or a UTC day that speaks already, comes within an hour
    of another telling, or six repeats stand already. All words that one counting session says are
    kept together (an adopted proposal is two quotes). Without any evidence the repeats are all kept:
    they are the first telling.
    """
    kept = sorted(set(evidence))
    fresh = sorted(set(repeats) - set(kept))
    if not kept:
        return tuple(fresh)
    for said in _by_session(fresh):
        if all(_stacks(new, old) for new in said for old in kept) and reinforcements(kept) < MAX_COUNT:
            kept = sorted([*kept, *said])
    return tuple(kept)


def _stacks(one: Evidence, other: Evidence) -> bool:
    return (
        (one.agent, one.session) != (other.agent, other.session)
        and one.at.date() != other.at.date()
        and abs(one.at - other.at) >= MIN_APART
    )


def _by_session(evidence: Sequence[Evidence]) -> list[list[Evidence]]:
    """Groups in order of their first words."""
    groups: dict[tuple[str, str], list[Evidence]] = {}
    for item in evidence:
        groups.setdefault((item.agent, item.session), []).append(item)
    return list(groups.values())
