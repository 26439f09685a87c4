"""What counts as decided by the user, told by the commits of a store."""

from collections.abc import Callable

import pytest
from store_support import by_hand, drop, put, save, text_of

from siltstone.store.history import decided
from siltstone.store.store import Store

FACT = "global/project-fact.md"
OTHER = "global/project-other.md"
ARCHIVED = "global/archive/project-fact.md"
WAITING = "inbox/project-fact.md"

Act = Callable[[Store], object]


def add(op: str, path: str = OTHER) -> Act:
    return lambda store: save(store, put(store, path, text_of("New.")), op=op)


def change(op: str) -> Act:
    return lambda store: save(store, put(store, FACT, text_of("Changed.")), op=op)


def supersede(op: str) -> Act:
    return lambda store: save(store, drop(store, FACT), put(store, ARCHIVED, text_of("Old.")), op=op)


def edit(path: str, text: str) -> Act:
    def act(store: Store) -> None:
        by_hand(store.root, path, text)
        with store.locked():
            store.settle()

    return act


def delete(store: Store) -> None:
    (store.root / FACT).unlink()
    with store.locked():
        store.settle()


CASES = {
    "nothing": (lambda store: None, []),
    "learned": (add("extract"), []),
    "learned again": (change("extract"), []),
    "learned, in place of another": (supersede("extract"), ["superseded"]),
    "saved": (add("save"), []),
    "remembered": (add("remember"), []),
    "remembered anew": (change("remember"), ["remember"]),
    "imported": (add("import"), []),
    "compacted": (supersede("compact"), []),
    "waiting for a word": (add("write", WAITING), []),
    "written": (add("write"), ["write"]),
    "edited": (change("edit"), ["edit"]),
    "accepted": (add("accept"), ["accept"]),
    "forgotten": (lambda store: save(store, drop(store, FACT), op="forget"), ["forget"]),
    "settled": (add("conflicts", "_CONFLICTS.md"), ["conflicts"]),
    "edited by hand": (edit(FACT, text_of("Mine.")), ["hand"]),
    "deleted by hand": (delete, ["hand"]),
    "ticked by hand": (edit("_CONFLICTS.md", "- [x] 1\n"), ["hand"]),
    "notes of the user's own": (edit("notes/todo.txt", "milk\n"), []),
}


@pytest.mark.parametrize(("act", "expected"), CASES.values(), ids=CASES)
def test_what_is_decided(store: Store, act: Act, expected: list[str]) -> None:
    save(store, put(store, FACT, text_of("A fact.")))
    since = store.git.head() or ""
    act(store)
    assert decided(store.git, since, store.git.head() or "") == expected


def test_several_are_told_once_each_the_latest_first(store: Store) -> None:
    since = save(store, put(store, FACT, text_of("A fact.")))
    for act in (change("edit"), add("extract"), delete, add("write", FACT), change("write")):
        act(store)
    assert decided(store.git, since, store.git.head() or "") == ["write", "hand", "edit"]


def test_after_a_commit_that_is_not_found_anything_may_be_gone(store: Store) -> None:
    head = save(store, put(store, FACT, text_of("A fact.")))
    assert decided(store.git, "0" * 40, head) == ["purge"]
