"""The user's hand wins, our unfinished work goes, and secrets stay out (invariants 3, 8, 9)."""

import os
import signal
from pathlib import Path

import pytest
from store_support import (
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
from support.faulty_disk import QuietDisk
from support.git import git
from support.table import table

from siltstone.store import entry_reader, intent
from siltstone.store.errors import Deferred, Locked, RedactionError
from siltstone.store.intent import Intent, hash_of
from siltstone.store.recovery import Settled
from siltstone.store.store import Store

FACT = "global/project-fact.md"
OTHER = "global/project-other.md"


def settle(store: Store) -> Settled:
    with store.locked():
        return store.settle()


def test_uncommitted_edits_are_committed_first_as_the_users(store: Store) -> None:
    save(store, put(store, FACT, text_of("ours")), put(store, OTHER, text_of("other")))
    git(store.root, "config", "user.name", "Ada")
    git(store.root, "config", "user.email", "ada@example.org")
    by_hand(store.root, FACT, text_of("theirs"))
    by_hand(store.root, "global/project-new.md", text_of("new"))
    (store.root / OTHER).unlink()

    settled = settle(store)

    assert settled.edited == (FACT, "global/project-new.md", OTHER)
    assert settled.commit == git(store.root, "rev-parse", "HEAD").strip()
    said = git(store.root, "log", "-1", "--format=%an <%ae> %cn%n%B").strip()
    assert said == f"Ada <ada@example.org> siltstone\nmemory: update {FACT}, global/project-new.md, {OTHER}"
    assert status(store.root) == []
    assert {s.path: s.user_written for s in store.entries()} == {FACT: True, "global/project-new.md": True}
    assert settle(store) == Settled()


@pytest.mark.parametrize(
    "text", [None, "", "!MEMORY.md\n!projects/a/MEMORY.md\n"], ids=["gone", "empty", "turned"]
)
def test_derived_files_are_not_committed_whatever_became_of_gitignore(
    store: Store, tmp_path: Path, text: str | None
) -> None:
    for path in ("MEMORY.md", "projects/a/MEMORY.md", "projects.md", "PROTOCOL.md"):
        by_hand(store.root, path, "written anew")
    if text is None:
        (store.root / ".gitignore").unlink()
    else:
        by_hand(store.root, ".gitignore", text)
    by_hand(store.root, FACT, text_of("theirs"))

    assert settle(store).edited == (".gitignore", FACT)
    assert settle(store) == Settled()
    assert git(store.root, "ls-files").split() == ([] if text is None else [".gitignore"]) + [FACT]
    if not text:
        assert status(store.root) == [], "nor by the user's own `git add -A`"

    git(tmp_path, "clone", "-q", str(store.root), "clone")
    assert [one.path for one in open_store(tmp_path / "clone").entries()] == [FACT]


def test_without_an_identity_the_user_is_called_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    store = open_store(tmp_path / "store")
    by_hand(store.root, FACT, text_of("x"))
    settle(store)
    assert git(store.root, "log", "-1", "--format=%an <%ae>").strip() == "user <user@localhost>"


def test_a_hand_edit_with_a_secret_stays_out_and_the_rest_goes_on(store: Store) -> None:
    save(store, put(store, FACT, text_of("ours")))
    by_hand(store.root, FACT, text_of(f"one\ntwo {SECRET}"))
    by_hand(store.root, OTHER, text_of("fine"))

    settled = settle(store)

    assert settled.edited == (OTHER,)
    assert settled.refused == tuple(store.complaints)
    assert settled.refused[0].startswith(f"{FACT}, line 5: contains a secret (token)")
    assert SECRET not in settled.refused[0]
    assert SECRET not in git(store.root, "log", "-p")
    assert (store.root / FACT).read_text() == text_of(f"one\ntwo {SECRET}")
    assert [s.path for s in store.entries()] == [OTHER]

    save(store, put(store, "global/project-third.md", text_of("third")))
    assert status(store.root) == [f" M {FACT}"]


def test_what_cannot_be_checked_stays_out(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsure(text: str) -> None:
        raise RedactionError("a rule took too long")

    monkeypatch.setattr(entry_reader, "findings", unsure)
    by_hand(store.root, FACT, text_of("x"))
    assert (
        settle(store).refused[0].startswith(f"{FACT} could not be checked for secrets (a rule took too long)")
    )
    assert subjects(store.root) == ["memory: begin"]


def test_a_repository_inside_the_store_is_named_and_left(store: Store) -> None:
    git(store.root, "init", "-q", "global/nested")
    by_hand(store.root, "global/nested/x", "x")
    git(store.root / "global/nested", "add", "-A")
    git(store.root / "global/nested", "commit", "-q", "-m", "x")
    by_hand(store.root, FACT, text_of("fine"))
    settled = settle(store)
    assert settled.edited == (FACT,)
    assert settled.refused == ("global/nested/ is a repository of its own: move it out of the store",)


def test_what_the_user_staged_stays_staged(store: Store) -> None:
    by_hand(store.root, FACT, text_of(SECRET))
    git(store.root, "add", FACT)
    save(store, put(store, OTHER, text_of("other")))
    assert status(store.root) == [f"A  {FACT}"]
    assert git(store.root, "show", "--name-only", "--format=", "HEAD").split() == [OTHER]


def test_a_file_untracked_by_the_user_comes_back_and_odd_names_go_through(store: Store) -> None:
    save(store, put(store, FACT, text_of("ours")))
    git(store.root, "rm", "-q", "--cached", FACT)
    odd = ['global/a "quoted" name.md', "global/:(glob)*.md", "global/tab\there.md", "ünï/çødé.md"]
    for path in odd:
        by_hand(store.root, path, text_of("x"))
    (store.root / "link").symlink_to("/nowhere")
    settle(store)
    assert status(store.root) == []
    assert len(git(store.root, "ls-files").splitlines()) == 7


@pytest.mark.parametrize("known", [True, False], ids=["in place of a memory", "new"])
def test_a_link_where_a_memory_stands_stays_out(store: Store, tmp_path: Path, known: bool) -> None:
    if known:
        save(store, put(store, FACT, text_of("ours")))
        (store.root / FACT).unlink()
    (tmp_path / "away.md").write_text(text_of("away"))
    (store.root / FACT).parent.mkdir(parents=True, exist_ok=True)
    (store.root / FACT).symlink_to(tmp_path / "away.md")
    before = git(store.root, "rev-parse", "HEAD")
    settled = settle(store)
    assert settled.edited == ()
    (said,) = settled.refused
    assert f"{FACT} is a symbolic link" in said
    assert (store.root / FACT).is_symlink()
    assert git(store.root, "rev-parse", "HEAD") == before


def test_a_file_that_became_a_folder_is_committed(store: Store) -> None:
    by_hand(store.root, "notes", "x")
    settle(store)
    (store.root / "notes").unlink()
    by_hand(store.root, "notes/today.md", SECRET)
    settle(store)
    assert subjects(store.root) == ["memory: update notes", "memory: begin"]
    by_hand(store.root, "notes/today.md", "x")
    settle(store)
    assert status(store.root) == []


# Recovery


def hashed(text: str | None) -> str:
    return hash_of(None if text is None else text.encode())


def unfinished(store: Store, **paths: tuple[str | None, str | None]) -> None:
    """Leave an intent as a pass leaves it that died: path → old and new text."""
    named = {name.replace("__", "/") + ".md": pair for name, pair in paths.items()}
    hashes = {path: (hashed(old), hashed(new)) for path, (old, new) in named.items()}
    intent.write(store.git.dir / "silt-intent", Intent("0001", hashes), QuietDisk())


def test_what_an_unfinished_pass_wrote_goes_back_to_head(store: Store) -> None:
    save(store, put(store, FACT, text_of("old")), put(store, OTHER, text_of("other")))
    before = git(store.root, "rev-parse", "HEAD")
    new = text_of("new")
    unfinished(
        store,
        **{
            "global__project-fact": (text_of("old"), new),
            "global__project-other": (text_of("other"), None),
            "projects__a__project-made": (None, new),
        },
    )
    by_hand(store.root, FACT, new)
    (store.root / OTHER).unlink()
    by_hand(store.root, "projects/a/project-made.md", new)
    git(store.root, "add", "-A")
    assert settle(store) == Settled()
    assert git(store.root, "rev-parse", "HEAD") == before
    assert status(store.root) == []
    assert leftovers(store.root) == []
    assert not (store.root / "projects").exists()


def test_what_the_user_changed_after_the_crash_is_the_users(store: Store) -> None:
    save(store, put(store, FACT, text_of("old")))
    unfinished(store, **{"global__project-fact": (text_of("old"), text_of("new"))})
    by_hand(store.root, FACT, text_of("by hand"))

    assert settle(store).edited == (FACT,)
    assert (store.root / FACT).read_text() == text_of("by hand")
    assert leftovers(store.root) == []


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", '{"version": 9}', '{"version": 1, "run": "", "paths": {"a": 1}}', "\0\0\0"],
    ids=ascii,
)
def test_an_intent_that_makes_no_sense_claims_nothing(store: Store, content: str) -> None:
    by_hand(store.root, ".git/silt-intent", content)
    by_hand(store.root, FACT, text_of("x"))
    assert settle(store).edited == (FACT,)
    assert leftovers(store.root) == []


def test_temporary_files_of_ours_are_swept(store: Store) -> None:
    by_hand(store.root, "projects/a/.silt-1-2.tmp", "half")
    by_hand(store.root, ".git/.silt-1-3.tmp", "half")
    assert settle(store) == Settled()
    assert leftovers(store.root) == []


# What must wait


@table("store", "in_the_middle_of_something_nothing_is_touched")
def test_in_the_middle_of_something_nothing_is_touched(store: Store, file: str, what: str) -> None:
    by_hand(store.root, FACT, text_of("x"))
    by_hand(store.root, f".git/{file}", "0" * 40 + "\n")
    with pytest.raises(Deferred, match=f"in the middle of a {what}: finish or abort that"):
        settle(store)
    with store.locked(), pytest.raises(Deferred):
        store.apply([], "memory: x", OURS)
    assert status(store.root) == [f"?? {FACT}"]
    assert [s.path for s in store.entries()] == [FACT]


def test_a_real_merge_conflict_defers_and_is_named(store: Store, tmp_path: Path) -> None:
    save(store, put(store, FACT, text_of("base")))
    git(tmp_path, "clone", "-q", str(store.root), "clone")
    clone = open_store(tmp_path / "clone")
    save(clone, put(clone, FACT, text_of("there")))
    save(store, put(store, FACT, text_of("here")))
    git(store.root, "remote", "add", "origin", str(clone.root))
    git(store.root, "fetch", "-q", "origin")
    with pytest.raises(Exception, match="returned non-zero"):
        git(store.root, "merge", "origin/main")

    with pytest.raises(Deferred, match="in the middle of a merge"):
        settle(store)
    assert store.entries() == []
    assert store.complaints[0].startswith(f"{FACT}, line 4: has git conflict markers")

    (store.root / ".git/MERGE_HEAD").unlink()
    with pytest.raises(Deferred, match=f"unsettled conflicts in {FACT}"):
        settle(store)


def test_two_clones_pull_and_push(store: Store, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(store.root), "hub.git")
    git(store.root, "remote", "add", "origin", str(tmp_path / "hub.git"))
    git(tmp_path, "clone", "-q", "hub.git", "clone")
    clone = open_store(tmp_path / "clone")
    save(clone, put(clone, FACT, text_of("there")))
    save(store, put(store, OTHER, text_of("here")))
    git(clone.root, "push", "-q", "origin", "main")
    git(store.root, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    git(store.root, "push", "-q", "origin", "main")
    git(clone.root, "pull", "-q", "--ff-only", "origin", "main")

    assert [(s.path, s.user_written) for s in store.entries()] == [(FACT, False), (OTHER, False)]
    assert store.entries() == clone.entries()
    save(clone, drop(clone, FACT))
    assert status(clone.root) == []


LOCKS = ("index.lock", "HEAD.lock", "refs/heads/main.lock", "next-index-12.lock", "packed-refs.new")


def killed(store: Store, tmp_path: Path, script: str) -> None:
    """A writer is killed, whose git is this script."""
    git = tmp_path / "bin" / "git"
    git.parent.mkdir()
    git.write_text(f"#!/bin/sh\n{script}\nkill -9 $PPID\n")
    git.chmod(0o755)
    if (child := os.fork()) == 0:
        store.git.environ["PATH"] = f"{git.parent}:{os.environ['PATH']}"
        with store.locked():
            store.git.run("update-index", writes=True)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL


@pytest.mark.parametrize("lock", LOCKS)
def test_a_killed_writers_git_locks_go_with_the_next_write(store: Store, tmp_path: Path, lock: str) -> None:
    killed(store, tmp_path, f"touch '{store.root}/.git/{lock}'")
    save(store, put(store, FACT, text_of("x")))
    assert leftovers(store.root) == []


def test_a_lock_that_no_git_of_a_killed_writer_made_stays(store: Store, tmp_path: Path) -> None:
    git(store.root, "worktree", "add", "-q", "--detach", str(tmp_path / "tree"))
    if (child := os.fork()) == 0:
        with store.locked():
            os.kill(os.getpid(), signal.SIGKILL)  # between two gits
    os.waitpid(child, 0)
    by_hand(store.root, ".git/index.lock", "")
    quiet = open_store(store.root, QuietDisk())
    with pytest.raises(Locked, match="another git process holds"):
        save(quiet, put(quiet, FACT, text_of("x")))
    (store.root / ".git/index.lock").unlink()

    elsewhere = store.root / ".git/worktrees/tree/index.lock"
    killed(store, tmp_path, f"touch '{elsewhere}'")
    save(quiet, put(quiet, FACT, text_of("x")))
    assert elsewhere.exists()


def test_a_lost_index_is_made_again_without_a_commit(store: Store) -> None:
    save(store, put(store, FACT, text_of("ours")), put(store, OTHER, text_of("other")))
    (store.root / ".git/index").unlink()
    (store.root / OTHER).unlink()
    assert settle(store).edited == (OTHER,)
    (store.root / ".git/index").unlink()
    assert settle(store) == Settled()


@pytest.mark.parametrize("lock", ["index.lock", "refs/heads/main.lock"])
def test_another_gits_lock_is_waited_for_and_never_deleted(tmp_path: Path, lock: str) -> None:
    disk = QuietDisk()
    store = open_store(tmp_path / "store", disk)
    by_hand(store.root, f".git/{lock}", "")
    with store.locked(), pytest.raises(Locked, match="another git process holds"):
        store.apply([put(store, FACT, text_of("x"))], "memory: x", OURS)
    assert disk.pauses == 6
    assert (store.root / ".git" / lock).exists()
    assert store.entries() == [], "what could not be committed is not shown"

    (store.root / ".git" / lock).unlink()
    assert settle(store) == Settled()
    save(store, put(store, FACT, text_of("x")))
    assert status(store.root) == []
