"""The inbox (invariant 6): in by the agent's own word, out by the user's or a second session's."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from merge_support import NOW, SCOPE, applied, entries, entry, judged, said, store

from siltstone.pipeline.candidate import Judged
from siltstone.pipeline.inbox import UNSEEN, accept, expired
from siltstone.pipeline.merge import Merged, View, merge
from siltstone.store.entry import Delete, Stored
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
