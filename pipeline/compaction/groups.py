"""Which entries are judged together (docs/architecture.md).

Entries of one scope that share rare words form a cluster. For each entry that a model has judged, a hash of
path and words is kept. Only clusters with an entry that is new or changed since are asked about, so cost
follows change. Those clusters are packed into groups, one prompt each. Near linear: words that many entries
share link none.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from siltstone.pipeline.merging.likeness import related
from siltstone.store.conflicts import Section
from siltstone.store.entry import Stored

BUDGET = 16_000
"""Characters of entries in one prompt."""
NEIGHBOURHOOD = 6_000
"""Characters of a cluster at most. A scope that has fewer is one cluster, so that the model also finds what
shares no word there."""
OVERHEAD = 80
"""Characters that showing an entry takes beside its text."""


class Group(NamedTuple):
    scope: str
    entries: tuple[Stored, ...]
    """In order of path; an entry's number is its place, from 1."""

    @property
    def numbered(self) -> dict[int, Stored]:
        """Entries by the number that the model answers with."""
        return dict(enumerate(self.entries, 1))

    def disputed(self, sections: Iterable[Section]) -> dict[int, list[int]]:
        """The sides of open conflicts by number, each with the numbers of its other sides in this group."""
        numbers = {stored.path: n for n, stored in self.numbered.items()}
        found: dict[int, list[int]] = {}
        for one, other in (section.sides for section in sections):
            for side, against in ((one.path, other.path), (other.path, one.path)):
                others = found.setdefault(numbers[side], []) if side in numbers else []
                others += [numbers[against]] if against in numbers else []
        return found

    @property
    def hashes(self) -> tuple[str, ...]:
        """One for each entry, to be kept as judged once the group's plan is committed."""
        return tuple(map(mark, self.entries))


def size(stored: Stored) -> int:
    """Characters an entry takes in a prompt."""
    return len(stored.entry.description) + len(stored.entry.body) + OVERHEAD


def mark(stored: Stored) -> str:
    """A hash of an entry's path and words. Evidence is left out: a repeat changes nothing to judge."""
    return sha256(f"{stored.path}\n{stored.entry.claim}".encode("utf-8", "surrogatepass")).hexdigest()


def plan_groups(stored: Iterable[Stored], judged: Collection[str], budget: int = BUDGET) -> list[Group]:
    """Groups of the clusters that hold an entry which is not in `judged` (hashes; empty: all clusters).

    Every entry is in at most one group. An entry larger than the budget is left out.
    """
    groups: list[Group] = []
    for scope, entries in live_by_scope(stored).items():
        packs: list[list[Stored]] = []
        for cluster in _clusters([s for s in entries if size(s) <= budget], min(NEIGHBOURHOOD, budget)):
            if all(mark(one) in judged for one in cluster):
                continue
            if not packs or sum(map(size, (*packs[-1], *cluster))) > budget:
                packs.append([])
            packs[-1] += cluster
        groups += [Group(scope, tuple(sorted(pack, key=lambda s: s.path))) for pack in packs]
    return groups


def live_by_scope(stored: Iterable[Stored]) -> dict[str, list[Stored]]:
    """The live entries of each scope; both in order, entries by path."""
    scopes: dict[str, list[Stored]] = defaultdict(list)
    for item in sorted(stored, key=lambda s: s.path):
        if not item.archived:
            scopes[item.entry.scope].append(item)
    return dict(sorted(scopes.items()))


def _clusters(ordered: Sequence[Stored], limit: int) -> list[tuple[Stored, ...]]:
    """Entries of one scope, each in exactly one cluster of at most so many characters."""
    if sum(map(size, ordered)) <= limit:
        return [tuple(ordered)] if ordered else []
    cluster_of = [[i] for i in range(len(ordered))]
    for one, other in related(ordered):
        mine, others = cluster_of[one], cluster_of[other]
        if mine is not others and sum(size(ordered[i]) for i in (*mine, *others)) <= limit:
            mine += others
            for i in others:
                cluster_of[i] = mine
    clusters = sorted({tuple(sorted(cluster)) for cluster in cluster_of})
    return [tuple(ordered[i] for i in cluster) for cluster in clusters]
