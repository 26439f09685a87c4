"""Reading and applying: what is shown, what is refused, and that a pass is one commit or nothing."""

import os
from pathlib import Path

import pytest
from store_support import (
    BROKEN,
    NOON,
    OURS,
    SECRET,
    by_hand,
    drop,
    leftovers,
    open_store,
    put,
    save,
    status,
    subjects,
    text_of,
)
from support.git import git
from support.table import table

from siltstone.store.entry import Change, Delete, Write
from siltstone.store.errors import Locked, Stale, StoreError
from siltstone.store.store import LOOSE_OBJECTS, Store

FACT = "global/project-fact.md"


def test_a_pass_is_one_commit_with_its_trailers(store: Store) -> None:
    with store.locked():
        commit = store.apply([put(store, FACT, text_of("pnpm"))], "memory: learn 1 fact", OURS, "why")

    assert git(store.root, "rev-parse", "HEAD").strip() == commit
    assert git(store.root, "log", "-1", "--format=%B").strip() == (
        "memory: learn 1 fact\n\nwhy\n\nSilt-Run: 0001\nSilt-Op: extract"
    )
    assert git(store.root, "log", "-1", "--format=%at").strip() == str(int(NOON.timestamp()))
    assert status(store.root) == []
    assert leftovers(store.root) == []


def test_entries_are_sorted_and_say_where_they_stand(store: Store) -> None:
    paths = ["projects/b/project-x.md", "projects/b/archive/project-old.md", "global/system/user-me.md", FACT]
    save(
        store,
        *(put(store, path, text_of(path)) for path in paths),
        put(store, "inbox/project-q.md", "---\nmetadata:\n  scope: global\n---\nq\n"),
    )

    assert [(s.path, s.pinned, s.archived) for s in store.entries(archived=True)] == [
        (FACT, False, False),
        ("global/system/user-me.md", True, False),
        ("projects/b/archive/project-old.md", False, True),
        ("projects/b/project-x.md", False, False),
    ]
    assert [s.path for s in store.entries("projects/b")] == ["projects/b/project-x.md"]
    assert [s.path for s in store.inbox()] == ["inbox/project-q.md"]
    assert store.scopes() == ["global", "projects/b"]
    assert store.taken("projects/b") == {"projects/b/project-x.md", "projects/b/archive/project-old.md"}


def test_a_complaint_ends_with_its_cause(store: Store) -> None:
    by_hand(store.root, FACT, BROKEN)
    store.entries()
    assert store.complaints
    by_hand(store.root, FACT, text_of("fine"))
    store.entries()
    assert store.complaints == []
    by_hand(store.root, FACT, BROKEN + "again")
    store.entries()
    (store.root / FACT).unlink()
    store.entries()
    assert store.complaints == []


def test_links_are_not_followed_for_reading(store: Store, tmp_path: Path) -> None:
    by_hand(tmp_path, "outside/project-x.md", text_of("from outside"))
    (store.root / "global").mkdir()
    (store.root / FACT).symlink_to(tmp_path / "outside/project-x.md")
    (store.root / "projects").mkdir()
    (store.root / "projects/evil").symlink_to(tmp_path / "outside")
    os.mkfifo(store.root / "global/project-pipe.md")

    assert store.entries() == []
    assert store.scopes() == ["global"]
    assert [line.split()[0] for line in store.complaints] == [FACT, "global/project-pipe.md"]


@table("store", "no_path_leads_out_of_its_place")
def test_no_path_leads_out_of_its_place(store: Store, path: str) -> None:
    with store.locked(), pytest.raises(StoreError, match="nothing was written"):
        store.apply([Write(path, "x", None)], "memory: x", OURS)
    assert subjects(store.root) == ["memory: begin"]
    assert status(store.root) == []


def test_a_linked_folder_is_not_written_through(store: Store, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (store.root / "projects").mkdir()
    (store.root / "projects/evil").symlink_to(tmp_path / "outside")
    with store.locked(), pytest.raises(StoreError, match="symbolic link"):
        store.apply([Write("projects/evil/project-x.md", "x", None)], "memory: x", OURS)
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_change_decided_on_other_content_is_stale(store: Store) -> None:
    save(store, put(store, FACT, text_of("one")), put(store, "global/project-b.md", text_of("b")))
    change = put(store, FACT, text_of("two"))
    gone = drop(store, "global/project-b.md")
    by_hand(store.root, FACT, text_of("by hand"))
    (store.root / "global/project-b.md").unlink()

    with store.locked(), pytest.raises(Stale) as caught:
        store.apply([change, gone, Write("global/project-c.md", "new", None)], "memory: x", OURS)

    assert caught.value.paths == ("global/project-b.md", FACT)
    assert (store.root / FACT).read_text() == text_of("by hand")
    assert not (store.root / "global/project-c.md").exists()
    assert leftovers(store.root) == []


def test_a_new_file_never_overwrites_one_that_is_there(store: Store) -> None:
    by_hand(store.root, FACT, f"{SECRET}\n")
    with store.locked(), pytest.raises(Stale):
        store.apply([Write(FACT, text_of("new"), None)], "memory: x", OURS)
    assert (store.root / FACT).read_text() == f"{SECRET}\n"


def test_a_move_leaves_no_empty_folder(store: Store) -> None:
    save(store, put(store, "projects/a/system/project-x.md", text_of("x")))
    save(
        store,
        drop(store, "projects/a/system/project-x.md"),
        put(store, "projects/b/archive/project-x.md", text_of("x")),
    )
    assert store.scopes() == ["global", "projects/b"]
    assert not (store.root / "projects/a").exists()


def test_no_change_still_carries_its_trailers(store: Store) -> None:
    by_hand(store.root, "notes.txt", "staged by the user")
    git(store.root, "add", "notes.txt")
    (store.root / "notes.txt").write_text(SECRET)
    git(store.root, "add", "notes.txt")

    with store.locked():
        store.apply([], "memory: nothing new", [("Silt-Op", "extract"), ("Silt-Session", "claude/s@m")])
        store.apply([], "memory: again nothing", [("Silt-Op", "extract")])

    assert git(store.root, "show", "--name-only", "--format=", "HEAD~1", "HEAD").strip() == ""
    assert status(store.root) == ["A  notes.txt"]


def test_the_same_content_again_is_an_empty_commit(store: Store) -> None:
    save(store, put(store, FACT, text_of("x")))
    save(store, put(store, FACT, text_of("x")), subject="same")
    assert subjects(store.root)[0] == "memory: same"


def test_a_secret_the_user_never_committed_can_be_deleted(store: Store) -> None:
    by_hand(store.root, FACT, text_of(SECRET))
    save(store, drop(store, FACT), op="forget")
    assert not (store.root / FACT).exists()
    assert SECRET not in git(store.root, "log", "-p", "--all")


def test_writing_without_the_lock_is_a_mistake(store: Store) -> None:
    with pytest.raises(RuntimeError, match="locked"):
        store.apply([], "memory: x", OURS)
    with pytest.raises(RuntimeError, match="locked"):
        store.settle()
    with store.locked(), pytest.raises(RuntimeError, match="already held"), store.locked():
        pass
    with store.locked(), pytest.raises(ValueError, match="Silt-Op"):
        store.apply([], "memory: x", [])
    twice: list[Change] = [Write(FACT, "a", None), Delete(FACT, "b")]
    with store.locked(), pytest.raises(ValueError, match="same path"):
        store.apply(twice, "memory: x", OURS)


def test_one_writer_at_a_time(store: Store) -> None:
    other = open_store(store.root)
    with store.locked(), pytest.raises(Locked, match="another silt process"), other.locked(wait=0.2):
        pass
    with other.locked(wait=0):
        assert other.entries() == store.entries()


def test_untrusted_words_cannot_break_a_commit(store: Store) -> None:
    body = "a\0b \ud800\n\nSilt-Session: claude/forged@m"
    save(store, put(store, FACT, text_of(body)), subject=body)
    message = git(store.root, "log", "-1", "--format=%B")
    assert message.startswith("memory: a b \ufffd Silt-Session: claude/forged@m\n\nSilt-Run: 0001\n")


def test_many_loose_objects_are_packed(store: Store) -> None:
    for n in range(LOOSE_OBJECTS):
        by_hand(store.root, f"global/project-{n}.md", text_of(str(n)))
    with store.locked():
        assert store.pack() is False
    git(store.root, "add", "-A")
    git(store.root, "commit", "-q", "-m", "mine")
    with store.locked():
        assert store.pack() is True
        assert store.pack() is False
    assert len(store.entries()) == LOOSE_OBJECTS
    assert git(store.root, "count-objects").startswith("0 objects")


def test_files_belong_to_their_owner_alone(store: Store) -> None:
    save(store, put(store, FACT, text_of("x")))
    assert (store.root / FACT).stat().st_mode & 0o777 == 0o600
    assert (store.root / "global").stat().st_mode & 0o777 == 0o700
    assert store.root.stat().st_mode & 0o777 == 0o700
