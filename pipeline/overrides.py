"""Where a project says otherwise than what holds everywhere (invariant 11).

That is an override and no conflict: both stay as they are, and in that project the global one is not
shown. Nothing records it when a fact is merged, since either side may change later; it is found from
the texts as they stand, by the same plain contradictions that flag conflicts within a scope.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from siltstone.pipeline.conflicts import agreed
from siltstone.pipeline.rivals import replaces
from siltstone.store.entry import Stored
from siltstone.store.words import words

SHARED = 0.5
"""Of the words of the shorter description that two must have in common to be compared."""
MIN_SHARED = 2


def overrides(projects: Sequence[Stored], everywhere: Sequence[Stored]) -> Iterator[tuple[Stored, Stored]]:
    """Pairs of a project's memory and a global one that it contradicts.

    A pair that the user said is true both ways is none. Cost grows with the words two sides share, not
    with their product: most pairs are never looked at.
    """
    holders: dict[str, list[int]] = defaultdict(list)
    lengths = []
    for number, one in enumerate(everywhere):
        said = set(words(one.entry.description))
        lengths.append(len(said))
        for word in said:
            holders[word].append(number)
    for mine in projects:
        said = set(words(mine.entry.description))
        shared = Counter(number for word in said for number in holders.get(word, ()))
        for number, count in sorted(shared.items()):
            enough = max(MIN_SHARED, SHARED * min(len(said), lengths[number]))
            if count >= enough and _differ(mine, everywhere[number]):
                yield mine, everywhere[number]


def _differ(mine: Stored, other: Stored) -> bool:
    if agreed(mine.entry, mine.path, other.entry, other.path):
        return False
    return replaces(mine.entry.description, other.entry.description)
