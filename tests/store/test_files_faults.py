"""An edit that fails or dies at any step has happened or has not, and can be made again (invariants 2, 3)."""

import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from dying import HOT, NEW, OLD, die_at_each_step, one_edit
from files_support import open_desk
from store_support import leftovers, status
from support.faulty_disk import FaultyDisk
from support.git import git

from siltstone.store.errors import SiltError
from siltstone.store.files import edit, flush


@pytest.fixture
def template(tmp_path: Path) -> Path:
    desk = open_desk(tmp_path / "template")
    with desk.state:
        desk.put("hosting", OLD, hot=True)
    return tmp_path / "template"


def check(home: Path) -> None:
    """The body is the old one or the new one, the store is clean, and the edit can be made again."""
    desk = open_desk(home)
    with desk.state:
        flush(desk.hand)
        store = desk.store
        body = store.read(HOT).entry.body
        assert body in (OLD, NEW)
        assert (status(store.root), leftovers(store.root), store.complaints) == ([], [], [])
        authors = git(store.root, "log", "--format=%an").splitlines()
        assert set(authors) == {"siltstone"}, "what we left half-way is never taken for the user's"
        if body == OLD:
            assert edit(desk.hand, HOT, "Vercel", "Hetzner").file.content == NEW


@pytest.mark.parametrize("how", ["before", "after", "half"])
def test_an_edit_that_fails_in_its_midst_is_made_good(tmp_path: Path, template: Path, how: str) -> None:
    """At a few steps: an edit is one pass over the store, and test_store_faults.py fails at each step."""
    for k in (2, 5, 11):
        home = tmp_path / f"{k:03d}"
        shutil.copytree(template, home)
        with suppress(SiltError):
            one_edit(home, FaultyDisk(k, how))
        check(home)


def test_an_edit_that_dies_at_any_step_is_made_good(tmp_path: Path, template: Path) -> None:
    assert 20 < die_at_each_step("edit", template, tmp_path / "died", 300) < 300
    for home in sorted((tmp_path / "died").iterdir()):
        check(home)
