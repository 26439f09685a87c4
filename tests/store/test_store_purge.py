"""`purge`: gone from every commit, the rest as it was."""

import shutil
import subprocess
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from store_support import (
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
from support.faulty_disk import FaultyDisk
from support.git import git

from siltstone.store.errors import Deferred, Misuse, SiltError, StoreError
from siltstone.store.history import tombstones, watermarks
from siltstone.store.history_index import session_trailer
from siltstone.store.purge import _unquoted, purge
from siltstone.store.store import Store

FACT = "global/project-fact.md"
OTHER = "projects/a/project-other.md"
CONFLICTS = """# Conflicts

## 11111111
- [ ] 1  2026-09-03 "fishy words"  project-fact.md
- [ ] 2  2026-10-06 "b"  project-b.md

## 22222222
- [x] 1  2026-09-03 "c"  project-c.md
- [ ] 2  2026-10-06 "d"  project-d.md
"""


def everything(root: Path) -> bytes:
    """All objects and everything else under `.git`, unpacked."""
    ids = git(root, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)")
    argv = ["git", "-C", str(root), "cat-file", "--batch"]
    objects = subprocess.run(argv, input=ids.encode(), capture_output=True, check=True).stdout
    return objects + b"".join(
        p.read_bytes() for p in root.rglob("*") if p.is_file() and "objects" not in p.parts
    )


def with_past(store: Store) -> None:
    """A store whose fact was learnt, changed, deleted and stands again, with other things between."""
    with store.locked():
        trailers = [("Silt-Run", "0001"), ("Silt-Op", "extract"), session_trailer("claude", "s", "m1")]
        changes = [put(store, FACT, text_of("fishy one")), put(store, OTHER, text_of("other"))]
        store.apply(changes, "memory: learn fishy things", trailers, "a fishy body")
    save(store, put(store, "_CONFLICTS.md", CONFLICTS), op="compact", run="0002")
    by_hand(store.root, FACT, text_of("fishy two"))
    by_hand(store.root, "global/project-hand.md", text_of("by hand"))
    save(store, drop(store, FACT), op="forget", subject="forget")
    save(store, put(store, FACT, text_of("fishy three")), subject="fishy again")


def test_nothing_of_the_file_is_left_and_the_rest_stands(store: Store) -> None:
    with_past(store)
    before = len(subjects(store.root))

    purged = purge(store, [FACT])

    assert (purged.paths, purged.commits, purged.shared, purged.remotes) == ((FACT,), 4, (), ())
    assert purged.objects == 3
    assert b"fishy" not in everything(store.root)
    assert sorted(git(store.root, "ls-files").split()) == [
        ".gitignore", "_CONFLICTS.md", "global/project-hand.md", OTHER,
    ]  # fmt: skip
    assert (store.root / "_CONFLICTS.md").read_text() == CONFLICTS[:13] + CONFLICTS[CONFLICTS.index("## 2") :]
    assert len(subjects(store.root)) == before + 1
    assert subjects(store.root)[0] == "memory: purge"
    assert status(store.root) == []
    assert leftovers(store.root) == []
    assert git(store.root, "fsck", "--full", "--strict") == ""
    assert git(store.root, "reflog").strip() == ""


def test_watermarks_and_authorship_survive(store: Store) -> None:
    with_past(store)
    purge(store, [FACT])
    fresh = open_store(store.root)
    assert watermarks(fresh) == watermarks(store) == {("claude", "s"): "m1"}
    assert tombstones(fresh) == []
    assert [(s.path, s.user_written) for s in fresh.entries()] == [
        ("global/project-hand.md", True),
        (OTHER, False),
    ]
    save(store, put(store, FACT, text_of("new")))


def test_a_folder_goes_with_all_it_ever_held(store: Store) -> None:
    with_past(store)
    by_hand(store.root, 'projects/a/notes with ünï "quotes"\t.txt', "other fishy")
    by_hand(store.root, "projects/ab/project-x.md", text_of("x"))
    purged = purge(store, ["projects/a/"])
    assert len(purged.paths) == 2
    assert not (store.root / "projects/a").exists()
    assert b"other fishy" not in everything(store.root)
    assert (store.root / "projects/ab/project-x.md").exists()


def test_an_uncommitted_secret_is_purged_too(store: Store) -> None:
    save(store, put(store, FACT, text_of("a")))
    by_hand(store.root, FACT, text_of(SECRET))
    purge(store, [FACT])
    assert SECRET.encode() not in everything(store.root)


def test_every_branch_tag_and_remote_copy_is_rewritten(store: Store, tmp_path: Path) -> None:
    with_past(store)
    git(store.root, "tag", "-a", "v1", "-m", "old", "HEAD~1")
    git(store.root, "branch", "side", "HEAD~2")
    git(tmp_path, "clone", "-q", "--bare", str(store.root), "hub.git")
    git(store.root, "remote", "add", "hub", str(tmp_path / "hub.git"))
    git(store.root, "fetch", "-q", "hub")
    assert purge(store, [FACT]).remotes == ("hub",)
    assert b"fishy" not in everything(store.root)
    assert git(store.root, "for-each-ref", "--format=%(refname)").split() == [
        "refs/heads/main",
        "refs/heads/side",
        "refs/tags/v1",
    ]


def test_content_that_another_file_shares_is_named(store: Store) -> None:
    save(store, put(store, FACT, text_of("same")), put(store, OTHER, text_of("same")))
    purged = purge(store, [FACT])
    assert (purged.objects, purged.shared) == (0, (FACT,))
    assert (store.root / OTHER).read_text() == text_of("same")


def test_what_is_refused_is_said(store: Store) -> None:
    with_past(store)
    before = git(store.root, "rev-parse", "HEAD")
    with pytest.raises(Misuse, match="no commit holds"):
        purge(store, ["global/project-unknown.md"])
    by_hand(store.root, "global/project-hand.md", "changed")
    git(store.root, "stash", "-q")
    with pytest.raises(StoreError, match="stashed changes"):
        purge(store, [FACT])
    git(store.root, "stash", "drop", "-q")
    by_hand(store.root, ".git/MERGE_HEAD", "x")
    with pytest.raises(Deferred):
        purge(store, [FACT])
    assert git(store.root, "rev-parse", "HEAD") == before


def test_a_fault_at_any_step_leaves_a_whole_store_and_purging_again_ends_it(tmp_path: Path) -> None:
    with_past(open_store(tmp_path / "whole"))
    # What comes before the rewrite is a settle and an apply, whose faults test_store_faults.py sweeps.
    for k in count(1):
        root = tmp_path / str(k)
        shutil.copytree(tmp_path / "whole", root)
        disk = FaultyDisk(k, "before", since="fast-export")
        # Not every step matters: a reader's cache that cannot be written is none.
        with suppress(SiltError):
            purge(open_store(root, disk), [FACT])
        if not disk.broke:
            break
        assert git(root, "fsck", "--full", "--no-dangling") == ""
        with suppress(Misuse):
            purge(open_store(root), [FACT])
        assert b"fishy" not in everything(root)
        assert status(root) == []
        assert leftovers(root) == []
    assert k > 10


@given(st.text(st.characters(exclude_characters="\0/", exclude_categories=["Cs"]), min_size=1, max_size=20))
def test_quoted_paths_are_read_as_git_writes_them(name: str) -> None:
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t"}
    quoted = '"' + "".join(escapes.get(c, f"\\{ord(c):03o}" if ord(c) < 32 else c) for c in name) + '"'
    assert _unquoted(quoted.encode()) == name
