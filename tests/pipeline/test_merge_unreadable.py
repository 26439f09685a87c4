"""Beside a file that cannot be read no twin is written, nothing is lost, and it is said."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from merge_support import NOW, SCOPE, applied, entries, entry, judged
from merge_support import store as stored

from siltstone.pipeline.inbox import UNSEEN, accept, expired
from siltstone.pipeline.ledger import UNREADABLE, to_do
from siltstone.pipeline.merging.merge import Merged, merge
from siltstone.pipeline.merging.working_copy import View
from siltstone.store.entry import Stored
from siltstone.store.errors import Misuse

FACT = "The cache lives in .cache/turbo"
PATH = f"{SCOPE}/project-cache.md"
SIDES = "<<<<<<< ours\ndescription: Where the cache is\n=======\n>>>>>>> theirs"
MARKED = f"---\nname: cache\n{SIDES}\n---\n{FACT}\n"
BARE = "---\nname: [broken\n---\nsomething else\n"
DENIAL = "It is wrong that\nwe never use pnpm here"


def look(text: str | None = BARE, *inbox: Stored) -> View:
    """A scope with one file that cannot be read and holds `text`, or none."""
    files = {} if text is None else {PATH: text}
    return View(SCOPE, NOW, inbox=inbox, unreadable=files, taken=files.keys())


def fate(merged: Merged) -> tuple[str, str, str | None]:
    (outcome,) = merged.outcomes
    return outcome.kind, outcome.reason, outcome.path


WAITS = ("quarantined", UNREADABLE)
CASES = {
    "its very text": (MARKED, FACT, "another-name", "", "inbox/project-another-name.md"),
    "its text in other form": (MARKED, "the cache lives in `.cache/turbo`.", "x", "", "inbox/project-x.md"),
    "its file name": (BARE, FACT, "cache", "", "inbox/project-cache.md"),
    "its name": (MARKED, "Elsewhere by now", "cache", "", "inbox/project-cache.md"),
    "its description": (MARKED, "Elsewhere", "x", "Where the cache is", "inbox/project-x.md"),
    "a part of a line": (DENIAL, "use pnpm here", "x", "", f"{SCOPE}/project-x.md"),
    "nothing of it": (BARE, FACT, "x", "", f"{SCOPE}/project-x.md"),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_a_candidate_beside_a_file_that_cannot_be_read(case: tuple[str, str, str, str, str]) -> None:
    text, body, name, description, path = case
    merged = merge([judged(body, name=name, description=description or body)], look(text))
    held = path.startswith("inbox/")
    assert fate(merged) == (*(WAITS if held else ("promoted", "accepted")), path)
    assert list(applied([], merged.changes)) == [path]
    assert [PATH in said for said in to_do(merged.outcomes)] == [True] * held


def test_the_type_makes_no_other_memory_of_it_and_the_scope_does() -> None:
    assert fate(merge([judged(FACT, name="cache", type="decision")], look())) == (
        *WAITS,
        "inbox/decision-cache.md",
    )
    assert fate(merge([judged(FACT, name="cache", scope="global")], look()))[0] == "promoted"


def waiting() -> Stored:
    merged = merge([judged(FACT, name="cache")], look())
    ((_, found),) = entries(applied([], merged.changes)).items()
    return stored(found, folder="inbox")


def test_what_waits_is_neither_lifted_nor_accepted_nor_expired() -> None:
    item = waiting()
    guess = judged(FACT, name="cache", day=3, origin="assistant-inferred", outcome="quarantine", reason="x")
    assert fate(merge([guess], look(BARE, item)))[0] == "quarantined"
    with pytest.raises(Misuse, match=f"{PATH} cannot be read"):
        accept(item.path, look(BARE, item))
    assert expired([item], {item.path: NOW - UNSEEN - timedelta(days=1)}, NOW) == []


def test_it_leaves_when_the_file_is_gone() -> None:
    item = waiting()
    merged = merge([], look(None, item))
    assert merged.released == 1
    assert list(applied([item], merged.changes)) == [PATH]


def test_it_strengthens_the_file_that_was_repaired() -> None:
    item, repaired = waiting(), stored(entry(FACT, name="cache", day=-3))
    merged = merge([], replace(look(None, item), current=[repaired]))
    files = entries(applied([item, repaired], merged.changes))
    assert list(files) == [PATH]
    assert len(files[PATH].evidence) == 2


def test_an_agents_own_words_are_not_released() -> None:
    guess = stored(entry(FACT, name="cache", origin="assistant-inferred"), folder="inbox")
    assert merge([], look(None, guess)).changes == ()


@given(st.text(max_size=200), st.text(max_size=60))
def test_whatever_the_file_holds_the_candidate_stands_somewhere(text: str, body: str) -> None:
    merged = merge([judged(f"{FACT} {body}", name="cache")], look(text))
    path = fate(merged)[2]
    assert path != PATH
    assert list(applied([], merged.changes)) == [path]
