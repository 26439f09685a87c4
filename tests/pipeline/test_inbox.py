"""The inbox (invariant 6): in by the agent's own word, out by the user's or a second session's."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from merge_support import NOW, SCOPE, applied, entries, entry, judged, said, store

from siltstone.pipeline.candidate import Judged
from siltstone.pipeline.inbox import UNSEEN, accept, expired
from siltstone.pipeline.merging.merge import Merged, merge
from siltstone.pipeline.merging.working_copy import View
from siltstone.store.conflicts import PATH
from siltstone.store.entry import Delete, Stored, body_mark
from siltstone.store.errors import Misuse

CLAIM = "The build needs 4 GB of memory on the CI box."


def guess(body: str = CLAIM, **more: Any) -> Judged:
    return judged(
        body, origin="assistant-inferred", outcome="quarantine", reason="assistant-inferred", **more
    )


def run(item: Judged, *stored: Stored, inbox: tuple[Stored, ...] = ()) -> tuple[Merged, dict[str, str]]:
    merged = merge([item], View(SCOPE, NOW, stored, inbox=inbox))
    return merged, applied([*stored, *inbox], merged.changes)


def waiting(**more: Any) -> Stored:
    _, files = run(guess(**more))
    (found,) = entries(files).values()
    return store(found, folder="inbox")


def test_an_agents_own_words_wait() -> None:
    merged, files = run(guess(name="CI memory"))
    assert [(o.kind, o.reason) for o in merged.outcomes] == [("quarantined", "assistant-inferred")]
    assert list(files) == ["inbox/project-ci-memory.md"]
    assert entries(files)["inbox/project-ci-memory.md"].scope == SCOPE


LIFTS = {
    "a second session": ("project", {"day": 3}, "promoted"),
    "the same session": ("project", {"evidence": [said(CLAIM, 0, message="m9")]}, "quarantined"),
    "a decision": ("decision", {"day": 3}, "quarantined"),
    "feedback": ("feedback", {"day": 3}, "quarantined"),
}


@pytest.mark.parametrize("case", LIFTS.values(), ids=LIFTS.keys())
def test_a_second_session_lifts_project_and_reference_only(case: tuple[str, dict[str, Any], str]) -> None:
    type_, again, kind = case
    merged, files = run(guess(type=type_, **again), inbox=(waiting(type=type_),))
    assert [outcome.kind for outcome in merged.outcomes] == [kind]
    assert len(files) == 1
    ((path, found),) = entries(files).items()
    assert path.startswith("inbox/") == (kind == "quarantined")
    assert found.origin == "assistant-inferred"
    if kind == "promoted":
        assert len(found.evidence) == 2


@pytest.mark.parametrize("written", ["first", "second"])
def test_what_an_agent_wrote_with_a_tool_lifts_nothing(written: str) -> None:
    """No transcript was searched for where it had read that."""
    item = waiting()
    again = guess(day=3)
    if written == "first":
        item = replace(item, entry=replace(item.entry, source="manual"))
    else:
        again = replace(again, candidate=replace(again.candidate, source="manual"))
    merged, _ = run(again, inbox=(item,))
    assert [outcome.kind for outcome in merged.outcomes] == ["quarantined"]


def test_the_users_words_let_it_out_with_its_evidence() -> None:
    item = waiting()
    merged, files = run(judged(CLAIM, day=4, name="memory"), inbox=(item,))
    assert [outcome.kind for outcome in merged.outcomes] == ["promoted"]
    ((path, found),) = entries(files).items()
    assert path == f"{SCOPE}/project-memory.md"
    assert found.origin == "user-said"
    assert set(item.entry.evidence) < set(found.evidence)


def test_what_the_store_says_does_not_wait() -> None:
    known = store(entry(CLAIM))
    merged, files = run(guess(day=4), known)
    assert [outcome.kind for outcome in merged.outcomes] == ["absorbed"]
    assert files == {known.path: known.text}


def test_accepting_makes_it_a_memory_of_the_users() -> None:
    item = waiting()
    done = accept(item.path, View(SCOPE, NOW, inbox=[item]))
    files = entries(applied([item], done.changes))
    assert files == {done.path: replace(item.entry, source="manual")}


def test_accepting_what_is_known_keeps_its_evidence() -> None:
    known, item = store(entry(CLAIM, day=8)), waiting()
    done = accept(item.path, View(SCOPE, NOW, [known], inbox=[item]))
    files = entries(applied([known, item], done.changes))
    assert files[known.path].evidence == (*item.entry.evidence, *known.entry.evidence)
    assert list(files) == [known.path]


OLD = "The api listens on port 8080. Why: the proxy expects it."
FULLER = "The api listens on port 8080, on loopback only. Why: the proxy expects it."
OTHER = "The api listens on port 9090. Why: the proxy expects it."
SHORTER = "The api listens on port 8080."


def new_text(of: Stored, body: str, written_for: str | None = None) -> Stored:
    """An agent's new text for a memory, as it waits."""
    one = replace(
        of.entry,
        body=body,
        origin="assistant-inferred",
        evidence=(said(body, 9),),
        created=said(body, 9).at,
        updated=said(body, 9).at,
        readonly=False,
        replaces=body_mark(of.entry.body if written_for is None else written_for),
    )
    return store(one, folder="inbox")


@pytest.mark.parametrize("body", [FULLER, SHORTER], ids=["fuller", "shorter"])
@pytest.mark.parametrize("pinned", [False, True], ids=["cold", "hot"])
def test_an_accepted_new_text_takes_the_place_of_the_old(body: str, pinned: bool) -> None:
    known = store(entry(OLD), pinned=pinned, folder="system" if pinned else "")
    item = new_text(known, body)
    done = accept(item.path, View(SCOPE, NOW, [known], inbox=[item]))
    files = entries(applied([known, item], done.changes))
    assert list(files) == [known.path]
    found = files[known.path]
    assert (found.body, found.source, found.origin, found.replaces) == (
        body,
        "manual",
        "assistant-inferred",
        None,
    )
    assert (found.created, found.updated) == (known.entry.created, item.entry.updated)
    assert found.evidence == (*known.entry.evidence, *item.entry.evidence)
    assert (done.path, done.replaced, done.beside) == (known.path, known.path, None)


def test_an_accepted_new_text_supersedes_what_it_contradicts() -> None:
    known = store(entry(OLD))
    item = new_text(known, OTHER)
    done = accept(item.path, View(SCOPE, NOW, [known], inbox=[item]))
    files = entries(applied([known, item], done.changes))
    assert done.replaced == f"{SCOPE}/archive/project-note.md"
    assert files[done.replaced].superseded_by == done.path
    assert (files[done.path].body, files[done.path].replaces) == (OTHER, None)


BESIDE: dict[str, tuple[bool, str | None, str, bool]] = {
    "the user's own hand": (True, None, FULLER, False),
    "the user's own hand, contradicted": (True, None, OTHER, True),
    "the user's own hand, made shorter": (True, None, SHORTER, False),
    "changed since": (False, "The api listens.", FULLER, False),
}


@pytest.mark.parametrize("case", BESIDE.values(), ids=BESIDE.keys())
def test_an_accepted_new_text_stands_beside(case: tuple[bool, str | None, str, bool]) -> None:
    by_hand, written_for, body, disputed = case
    known = store(entry(OLD), user_written=by_hand)
    item = new_text(known, body, written_for)
    done = accept(item.path, View(SCOPE, NOW, [known], inbox=[item]))
    after = applied([known, item], done.changes)
    files = entries(after)
    assert {path: one.body for path, one in files.items()} == {known.path: OLD, done.path: body}
    assert (done.beside, done.replaced) == (known.path, None)
    assert (PATH in after) == disputed


def test_a_new_text_for_a_readonly_memory_is_refused() -> None:
    known = store(entry(OLD, readonly=True))
    item = new_text(known, FULLER)
    with pytest.raises(Misuse, match="is readonly"):
        accept(item.path, View(SCOPE, NOW, [known], inbox=[item]))


def test_a_new_text_for_what_is_gone_is_a_memory_of_its_own() -> None:
    item = new_text(store(entry(OLD)), FULLER)
    done = accept(item.path, View(SCOPE, NOW, inbox=[item]))
    files = entries(applied([item], done.changes))
    assert {path: (one.body, one.replaces) for path, one in files.items()} == {done.path: (FULLER, None)}


def test_no_second_session_lifts_a_new_text_for_a_memory() -> None:
    known = store(entry(CLAIM, name="memory"))
    item = new_text(known, "The build needs 4 GB of memory on the CI box, and swap.")
    merged, files = run(guess(item.entry.body, day=12), known, inbox=(item,))
    assert [outcome.kind for outcome in merged.outcomes] == ["quarantined"]
    assert item.path in files


def test_accepting_what_is_not_there_says_so() -> None:
    with pytest.raises(Misuse, match="silt inbox"):
        accept("inbox/project-x.md", View(SCOPE, NOW))


@pytest.mark.parametrize(
    ("age", "gone"), [(UNSEEN, True), (UNSEEN - timedelta(seconds=1), False), (None, False)]
)
def test_what_nobody_repeated_for_sixty_days_goes(age: timedelta | None, gone: bool) -> None:
    item = waiting()
    seen = {} if age is None else {item.path: NOW - age}
    assert expired([item], seen, NOW) == ([Delete(item.path, item.hash)] if gone else [])
