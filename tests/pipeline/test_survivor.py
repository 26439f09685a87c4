"""Which of several memories of one fact a merge keeps: source, origin, detail, freshness, in this order."""

from itertools import pairwise, permutations

import pytest
from merge_support import entry, store

from siltstone.pipeline.merging.survivor import rank, survivor
from siltstone.store.entry import Entry

PLAIN = "The tests run with the usual command and need the usual time"
PRECISE = "`make unit` takes 90 s"
"""Two identifiers in fewer words than PLAIN."""

ORDER = {
    "source": (
        entry(PRECISE, day=9, source="extraction", origin="user-said"),
        entry(PLAIN, source="manual", origin="read-content"),
        entry(PLAIN, source="explicit", origin="read-content"),
    ),
    "origin": (
        entry(PRECISE, day=9, origin="read-content"),
        entry(PLAIN, origin="assistant-inferred"),
        entry(PLAIN, origin="tool-observed"),
        entry(PLAIN, origin="user-said"),
    ),
    "identifiers": (
        entry(PLAIN, day=9),
        entry("the suite takes 90 s", day=5),
        entry(PRECISE),
    ),
    "words": (
        entry("The queue is fast", day=9),
        entry("The queue is fast and small"),
    ),
    "freshness": (
        entry(PRECISE, day=1),
        entry(PRECISE, day=2),
    ),
}
"""By what decides: entries, the weakest first; each is weaker in something that counts less."""


@pytest.mark.parametrize("entries", ORDER.values(), ids=ORDER.keys())
def test_the_stronger_entry_ranks_above(entries: tuple[Entry, ...]) -> None:
    assert all(rank(weaker) < rank(stronger) for weaker, stronger in pairwise(entries))


@pytest.mark.parametrize("entries", ORDER.values(), ids=ORDER.keys())
def test_the_strongest_survives_in_any_order(entries: tuple[Entry, ...]) -> None:
    files = [store(one) for one in entries]
    assert {survivor(order).entry for order in permutations(files)} == {entries[-1]}


def test_identifiers_count_in_the_description_too() -> None:
    told = entry("The suite is slow", description="`make unit` takes 90 s")
    assert rank(told) > rank(entry("The suite is slow", description="It is slow, as we all know by now"))


def test_of_equals_the_last_path_survives() -> None:
    one, other = (store(entry(PLAIN, name=name)) for name in ("a", "b"))
    assert survivor([one, other]) == survivor([other, one]) == other
