"""Compaction without a model: duplicates of one scope become one, plain contradictions are flagged.

The ops go through the same checks as a model's.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from siltstone.pipeline.canonical import canonical, identity_key
from siltstone.pipeline.compaction.groups import live_by_scope
from siltstone.pipeline.compaction.plan import Flag, Merge, Op, protected
from siltstone.pipeline.conflicts import known
from siltstone.pipeline.identifiers import lost
from siltstone.pipeline.merging.contradictions import contradict
from siltstone.pipeline.merging.likeness import related, same_claim, swapped
from siltstone.pipeline.merging.survivor import survivor
from siltstone.store.conflicts import Section
from siltstone.store.entry import Stored


def propose(stored: Iterable[Stored], sections: Sequence[Section] = ()) -> list[Op]:
    """Ops over live entries of any scopes, in order of path. Near linear in their number.

    An entry that the user wrote, pinned or locked is never part of a merge, and may be flagged.
    """
    return [op for entries in live_by_scope(stored).values() for op in _scope(entries, sections)]


def _scope(entries: Sequence[Stored], sections: Sequence[Section]) -> Iterator[Op]:
    waiting = {side.path for section in sections for side in section.sides}
    free = [s for s in entries if not (protected(s) or s.path in waiting)]
    gone: set[str] = set()
    for same in _duplicates(free):
        kept = survivor(same)
        fitting = [s for s in same if s is kept or not lost(s.entry.claim, kept.entry.claim)]
        if len(fitting) > 1:
            gone.update(s.path for s in fitting if s is not kept)
            yield Merge(tuple(fitting), kept.entry.description, kept.entry.body)
    yield from contradictions([s for s in entries if s.path not in gone], sections)


def _duplicates(entries: Sequence[Stored]) -> Iterator[list[Stored]]:
    """Sets of entries that say the same, each entry in at most one."""
    exact: dict[tuple[str, str], list[Stored]] = defaultdict(list)
    for stored in entries:
        exact[stored.entry.origin, canonical(stored.entry.body)].append(stored)
    found = [same for same in exact.values() if len(same) > 1]
    used = {stored.path for same in found for stored in same}
    for same in found:
        kept = survivor(same)
        yield [s for s in same if s is kept or not swapped(s.entry.body, kept.entry.body)]
    alike: dict[tuple[str, str], list[Stored]] = defaultdict(list)
    for stored in entries:
        identity = identity_key(stored.entry.type, stored.entry.body)
        if identity is not None and stored.path not in used:
            alike[stored.entry.origin, identity].append(stored)
    for same in (entries for entries in alike.values() if len(entries) > 1):
        kept = survivor(same)
        yield [s for s in same if s is kept or same_claim(s.entry.body, kept.entry.body)]


def contradictions(entries: Sequence[Stored], sections: Sequence[Section]) -> Iterator[Flag]:
    """Pairs of live entries of one scope, in order of path, that plainly cannot both be true.

    A pair that the user is asked about, or has said to agree, is left out.
    """
    live = {stored.path: stored.entry for stored in entries}
    for i, j in sorted(related(entries)):
        one, other = entries[i], entries[j]
        if contradict(one.entry, other.entry) and not known(sections, live, one.path, other.path):
            yield Flag(one, other)
