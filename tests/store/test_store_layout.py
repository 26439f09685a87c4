"""Whether a store changed, told by stat alone; and what editors leave beside a file, which is nobody's."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from store_support import by_hand, put, save, text_of
from support.git import git

from siltstone.store.layout import fingerprint
from siltstone.store.store import Store

FACT = "global/project-fact.md"
SCRATCH = (
    "global/.project-fact.md.swp",
    "global/project-fact.md~",
    "global/#project-fact.md#",
    "global/4913",
    ".DS_Store",
)


@pytest.fixture
def kept(store: Store) -> Path:
    """The root of a store with one memory."""
    save(store, put(store, FACT, text_of("ours")))
    return store.root


def replaced(root: Path) -> None:
    by_hand(root, "new", text_of("ours"))
    os.replace(root / "new", root / FACT)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda root: by_hand(root, FACT, text_of("theirs")), id="edited"),
        pytest.param(lambda root: by_hand(root, "inbox/new.md", "x"), id="made"),
        pytest.param(lambda root: by_hand(root, "projects/a/deep/down/new.txt", "x"), id="made deep down"),
        pytest.param(lambda root: (root / FACT).unlink(), id="deleted"),
        pytest.param(lambda root: (root / FACT).rename(root / "global/other.md"), id="renamed"),
        pytest.param(replaced, id="replaced by an editor"),
        pytest.param(lambda root: os.utime(root / FACT, ns=(1, 1)), id="touched"),
    ],
)
def test_what_a_hand_does_is_seen(kept: Path, change: Callable[[Path], None]) -> None:
    before = fingerprint(kept)
    assert fingerprint(kept) == before
    change(kept)
    assert fingerprint(kept) != before


@pytest.mark.parametrize(
    "path", ["MEMORY.md", "projects/a/MEMORY.md", ".git/silt-intent", "global/.silt-1-2.tmp", *SCRATCH]
)
def test_what_is_no_edit_is_not_seen(kept: Path, path: str) -> None:
    before = fingerprint(kept)
    by_hand(kept, path, "anything")
    assert fingerprint(kept) == before


def test_a_store_that_is_gone_is_empty(tmp_path: Path) -> None:
    assert fingerprint(tmp_path / "none") == 0


def test_what_an_editor_keeps_beside_a_file_is_not_committed(store: Store, kept: Path) -> None:
    for path in SCRATCH:
        by_hand(kept, path, "anything")
    by_hand(kept, FACT, text_of("theirs"))
    with store.locked():
        assert store.settle().edited == (FACT,)
    git(kept, "add", SCRATCH[1])
    git(kept, "commit", "-qm", "the user wants it")
    by_hand(kept, SCRATCH[1], "changed")
    with store.locked():
        assert store.settle().edited == (SCRATCH[1],)
    assert all((kept / path).exists() for path in SCRATCH)
