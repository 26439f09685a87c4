"""Which of several entries about one fact stays (docs/seeds.md A16: source, origin, detail, freshness).

Siltstone keeps no confidence number; the origin of the words takes its place.
"""

from collections.abc import Sequence
from datetime import datetime

from siltstone.pipeline.identifiers import identifiers
from siltstone.store.entry import Entry, Origin, Source, Stored

SOURCE_RANK: dict[Source, int] = {"extraction": 0, "manual": 1, "explicit": 2}
ORIGIN_RANK: dict[Origin, int] = {
    "read-content": 0,
    "assistant-inferred": 1,
    "tool-observed": 2,
    "user-said": 3,
}


def rank(entry: Entry) -> tuple[int, int, int, int, datetime]:
    """The larger rank survives. Break ties by path."""
    return (
        SOURCE_RANK[entry.source],
        ORIGIN_RANK[entry.origin],
        len(identifiers(entry.claim)),
        len(entry.claim.split()),
        entry.updated,
    )


def survivor(sources: Sequence[Stored]) -> Stored:
    """The file that a merge keeps (A16); of equals the one whose path sorts last."""
    return max(sorted(sources, key=lambda s: s.path, reverse=True), key=lambda s: rank(s.entry))


def better(one: Origin, other: Origin) -> Origin:
    """The more trustworthy of two origins."""
    return max(one, other, key=ORIGIN_RANK.__getitem__)


def stronger_source(one: Source, other: Source) -> Source:
    """The stronger of two sources: an explicit save stays one."""
    return max(one, other, key=SOURCE_RANK.__getitem__)
