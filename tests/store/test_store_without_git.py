"""Without git memories are read and nothing is written (invariant 10, docs/seeds.md C26)."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from store_support import SECRET, by_hand, open_store, put, save, status, subjects, text_of
from support.folder import everything
from support.git import git

from siltstone.store.errors import GitError
from siltstone.store.store import Store
from siltstone.store.undo import undo

FACT, MINE = "global/project-fact.md", "global/project-mine.md"


def no_objects(root: Path) -> None:
    shutil.rmtree(root / ".git" / "objects")


def no_repository(root: Path) -> None:
    shutil.rmtree(root / ".git")


def an_empty_one(root: Path) -> None:
    shutil.rmtree(root / ".git")
    (root / ".git").mkdir()


def a_pointer_to_nothing(root: Path) -> None:
    shutil.rmtree(root / ".git")
    (root / ".git").write_text("gitdir: ../gone\n")


def a_lost_commit(root: Path) -> None:
    (root / ".git" / "refs" / "heads" / "main").write_text("1" * 40 + "\n")


BROKEN = (no_objects, no_repository, an_empty_one, a_pointer_to_nothing, a_lost_commit)


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    store = open_store(tmp_path / "store")
    save(store, put(store, FACT, text_of("ours")))
    by_hand(store.root, MINE, text_of("mine, not committed"))
    by_hand(store.root, "global/project-hidden.md", text_of(SECRET))
    return store.root


def reads_and_writes_nothing(root: Path) -> Store:
    before = everything(root)
    store = open_store(root)
    assert [one.path for one in store.entries()] == [FACT, MINE]
    assert all(one.user_written for one in store.entries()), "what nobody can tell apart is the user's"
    assert "project-hidden.md, line 4: contains a secret" in store.complaints[0]
    assert store.read(FACT).entry.body == "ours"
    said = store.lacks
    assert said is not None
    with pytest.raises(GitError) as raised, store.locked():
        pass
    assert str(raised.value) == said
    assert "memories can be read, but nothing is written" in said
    for act in (store.check_git, lambda: undo(store, None, store.clock)):
        with pytest.raises(GitError):
            act()
    assert everything(root) == before
    return store


def test_without_the_program(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    said = reads_and_writes_nothing(filled).lacks or ""
    assert said.startswith("git was not found on PATH: ")
    assert "install git" in said


@pytest.mark.parametrize("break_it", BROKEN)
def test_without_a_usable_repository(filled: Path, break_it: Callable[[Path], None]) -> None:
    break_it(filled)
    reads_and_writes_nothing(filled)


def test_a_program_that_goes_while_we_work_is_not_guessed_around(
    filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = open_store(filled)
    with store.locked():
        monkeypatch.setenv("PATH", str(tmp_path))
        store.git.environ["PATH"] = str(tmp_path)
        with pytest.raises(GitError, match="git was not found"):
            store.entries()


def test_a_new_history_begins_with_what_stands(filled: Path) -> None:
    no_repository(filled)
    git(filled, "init", "-q")
    (filled / "global/project-hidden.md").unlink()
    store = open_store(filled)
    with store.locked():
        store.settle()
    assert subjects(filled) == [f"memory: update {FACT}, {MINE}", "memory: begin"]
    assert status(filled) == []
