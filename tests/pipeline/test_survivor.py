"""Which of several memories of one fact a merge keeps: source, origin, detail, freshness, in this order."""

from itertools import combinations

import pytest
from merge_support import entry, store

from siltstone.pipeline.merging.survivor import survivor
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
def test_of_any_two_the_stronger_survives(entries: tuple[Entry, ...]) -> None:
    for weaker, stronger in combinations(map(store, entries), 2):
        assert survivor([weaker, stronger]) == survivor([stronger, weaker]) == stronger


def test_identifiers_count_in_the_description_too() -> None:
    told = store(entry("The suite is slow", description="`make unit` takes 90 s"))
    other = store(entry("The suite is slow", name="z", description="It is slow, as we all know by now"))
    assert survivor([told, other]) == told


def test_of_equals_the_last_path_survives() -> None:
    one, other = (store(entry(PLAIN, name=name)) for name in ("a", "b"))
    assert survivor([one, other]) == survivor([other, one]) == other
