"""Which memories are shown beside a window, in which order, and within which space."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.recalled import memory
from support.snapshots import snapshot_of
from support.windows import AT, LARKSPUR, talk

from siltstone.pipeline.candidate import RelatedEntry
from siltstone.pipeline.extraction.related import (
    BODY_CHARS,
    HITS_A_QUERY,
    LINE_CHARS,
    MOST,
    WHOLE_BODY,
    related,
)
from siltstone.store.entry import Evidence, Stored
from siltstone.store.ranking import Hit
from siltstone.store.search import Search

SCOPE = "projects/larkspur"


def kept(name: str, body: str = "a body", *, message: str = "other", age: int = 0, **more: Any) -> Stored:
    proof = Evidence(AT, more.pop("agent", "claude"), LARKSPUR.id, message, "quoted words")
    archived = more.pop("archived", False)
    made = memory(f"about {name}", name=name, body=body, days=age, **more)
    return made._replace(entry=made.entry._replace(evidence=(proof,)), archived=archived)


@dataclass
class Finding:
    """Finds what it was told to find, by words of the query."""

    hits: Mapping[str, Sequence[str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    scopes: Collection[str] | None = None

    def query(self, text: str, scopes: Collection[str] | None, limit: int) -> list[Hit]:
        assert limit == HITS_A_QUERY
        self.asked.append(text)
        self.scopes = scopes
        names = (name for word in self.hits if word in text for name in self.hits[word])
        return [Hit(f"{SCOPE}/project-{name}.md", 100) for name in names]


def names(shown: Sequence[RelatedEntry]) -> list[str]:
    return [one.name for one in shown]


def test_nothing_stored_is_nothing_asked() -> None:
    finding = Finding()
    assert related(talk("hello"), [], finding.query) == ()
    assert finding.asked == []


def test_saved_from_these_messages_first_then_matches_then_the_newest() -> None:
    stored = [
        kept("old", age=9),
        kept("new"),
        kept("matched", body="matched body"),
        kept("saved", body="saved body", message="m2"),
        kept("saved-too", message="m1"),
    ]
    shown = related(
        talk("shipping", "please remember"), stored, Finding({"shipping": ["matched", "saved"]}).query
    )
    assert names(shown) == ["saved-too", "saved", "matched", "new", "old"]
    assert [one.number for one in shown] == [1, 2, 3, 4, 5]
    assert [one.saved_from for one in shown] == [1, 2, None, None, None]
    assert [one.body for one in shown] == ["a body", "saved body", "matched body", "", ""]
    assert shown[2].path == f"{SCOPE}/project-matched.md"


def test_only_this_scope_and_the_global_one() -> None:
    finding = Finding()
    stored = [
        kept("here"),
        kept("everywhere", scope="global"),
        kept("elsewhere", scope="projects/quern", message="m1"),
        kept("archived", archived=True, message="m1"),
    ]
    assert set(names(related(talk("hello"), stored, finding.query))) == {"here", "everywhere"}
    assert finding.scopes == {SCOPE, "global"}


def test_evidence_of_another_session_is_not_of_this_window() -> None:
    one = kept("x", message="m1", agent="codex")
    assert related(talk("hello"), [one], Finding().query)[0].saved_from is None


def test_hits_of_several_texts_are_put_together_by_rank() -> None:
    finding = Finding({"one": ["a", "b"], "two": ["c", "b"]})
    window = talk("one " + "x" * 300, "two " + "y" * 300)
    shown = related(window, [kept("a"), kept("b"), kept("c"), kept("d")], finding.query)
    assert names(shown) == ["b", "a", "c", "d"]
    assert len(finding.asked) == 2


def test_short_texts_are_looked_up_together_and_interim_answers_not_at_all() -> None:
    finding = Finding()
    related(talk("yes", ("assistant", "thinking aloud"), "do that"), [kept("a")], finding.query)
    assert finding.asked == ["yes\ndo that"]


def test_a_match_without_room_for_its_body_is_an_index_line() -> None:
    stored = [kept("long", body="x" * (WHOLE_BODY + 1)), kept("short", body="y" * 100)]
    shown = related(talk("shipping"), stored, Finding({"shipping": ["long", "short"]}).query)
    assert [(one.name, len(one.body)) for one in shown] == [("short", 100), ("long", 0)]


def test_a_window_is_shown_five_memories_and_more_that_a_text_of_its_own_is_about() -> None:
    few = related(talk("hello"), [kept(f"n{n:03}", age=n) for n in range(200)], Finding().query)
    assert names(few) == [f"n{n:03}" for n in range(MOST)]
    told = {f"topic{n:02}": [f"n{n:03}", "other"] for n in range(20)}
    window = talk(*(f"{topic} " + "x" * 300 for topic in told))
    stored = [*(kept(f"n{n:03}") for n in range(20)), kept("other"), kept("newest", age=-1)]
    more = names(related(window, stored, Finding(told).query))
    assert more == ["other", *(f"n{n:03}" for n in range(2 * MOST - 1))]


sizes = st.lists(st.tuples(st.integers(0, 4_000), st.booleans(), st.booleans()), max_size=60)


@given(sizes)
def test_space_is_kept_and_nothing_is_shown_twice(told: list[tuple[int, bool, bool]]) -> None:
    stored = [
        kept(f"n{n}", body="x" * size, message="m1" if saved and n < 3 else "other")
        for n, (size, _, saved) in enumerate(told)
    ]
    found = [f"n{n}" for n, (_, matched, _) in enumerate(told) if matched]
    shown = related(talk("shipping"), stored, Finding({"shipping": found}).query)
    assert [one.number for one in shown] == list(range(1, len(shown) + 1))
    assert len(set(names(shown))) == len(shown)
    sizes = {one.number: len(one.body) + len(one.description) + LINE_CHARS for one in shown}
    own = sum(sizes[one.number] for one in shown if one.saved_from)
    bodies = sum(sizes[one.number] for one in shown if one.body and not one.saved_from)
    assert bodies <= max(BODY_CHARS - own, 0)
    assert len(shown) <= 2 * MOST + 3


def test_it_works_with_the_search_of_the_store(tmp_path: Path) -> None:
    stored = [kept("free-shipping", "Free shipping starts at £40."), kept("hosting", "Hosted on Vercel.")]
    with Search(tmp_path / "search.db") as search:
        search.sync(snapshot_of(stored))
        shown = related(talk("free shipping is from £50 from today"), stored, search.query)
    assert [(one.name, one.body) for one in shown] == [
        ("free-shipping", "Free shipping starts at £40."),
        ("hosting", ""),
    ]


@pytest.mark.parametrize("text", ['"', "AND OR NOT", "a* (b", "", "\0", "\ud800", "？！"], ids=repr)
def test_any_text_can_be_looked_up(text: str, tmp_path: Path) -> None:
    stored = [kept("hosting")]
    with Search(tmp_path / "search.db") as search:
        search.sync(snapshot_of(stored))
        assert names(related(talk(text), stored, search.query)) == ["hosting"]
