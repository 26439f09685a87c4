"""How often a memory was told again, read off its evidence (docs/seeds.md A25 and Source).

Evidence is all there is: the count survives every rewrite and does not depend on the order in which
sessions were read. Merging decides by it which repeats are kept; recall slows decay by it.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from siltstone.store.entry import Evidence

MIN_APART = 3_600.0
"""Seconds."""
MAX_COUNT = 6


def reinforcements(evidence: "Iterable[Evidence]") -> int:
    """How often a memory was said again: 0 to 6. The first telling does not reinforce itself."""
    told: list[Evidence] = []
    for item in sorted(evidence):
        if all(stacks(item, earlier) for earlier in told):
            told.append(item)
    return min(max(len(told) - 1, 0), MAX_COUNT)


def stacks(one: "Evidence", other: "Evidence") -> bool:
    """Whether two tellings count as two: other sessions, other UTC days, an hour apart."""
    return (
        (one.agent, one.session) != (other.agent, other.session)
        and one.at.date() != other.at.date()
        and abs((one.at - other.at).total_seconds()) >= MIN_APART
    )
