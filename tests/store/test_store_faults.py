"""Every step of a run fails once, and the next run still ends where one clean run ends (invariants 1–3)."""

import os
import shutil
import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest
from run_of_ours import NEW, run_of_ours
from store_support import FaultyDisk, by_hand, git, leftovers, open_store, status, subjects, text_of, tree

from siltstone.store.errors import SiltError
from siltstone.store.store import Store

MINE = "global/user-mine.md"


def with_an_edit(root: Path) -> None:
    """A store in which the user is in the middle of writing."""
    store = open_store(root)
    by_hand(store.root, MINE, text_of("mine"))


@pytest.fixture
def template(tmp_path: Path) -> Path:
    with_an_edit(tmp_path / "template")
    return tmp_path / "template"


@pytest.fixture
def clean(tmp_path: Path, template: Path) -> Path:
    shutil.copytree(template, tmp_path / "clean")
    run_of_ours(tmp_path / "clean")
    return tmp_path / "clean"


def check(root: Path, clean: Path) -> None:
    """After a clean run the store is the one of a clean run, and nothing else is left."""
    store = run_of_ours(root)
    assert tree(root) == tree(clean)
    assert subjects(root) == subjects(clean)
    assert git(root, "log", "--format=%an %s", "--", MINE) == git(clean, "log", "--format=%an %s", "--", MINE)
    assert status(root) == []
    assert leftovers(root) == []
    assert git(root, "fsck", "--full", "--strict", "--no-dangling") == ""
    assert store.complaints == []


def test_a_clean_run_changes_nothing_the_second_time(clean: Path) -> None:
    before = git(clean, "rev-parse", "HEAD")
    store = run_of_ours(clean)
    assert git(clean, "rev-parse", "HEAD") == before
    assert [s.path for s in store.entries(archived=True)] == ["global/archive/project-old.md", MINE, NEW]


@pytest.mark.parametrize(("how", "steps"), [("before", 50), ("full", 50), ("after", 20), ("half", 5)])
def test_a_run_that_fails_at_any_step_is_made_good(
    tmp_path: Path, template: Path, clean: Path, how: str, steps: int
) -> None:
    for k in count(1):
        root = tmp_path / f"{k:03d}"
        shutil.copytree(template, root)
        disk = FaultyDisk(k, how)
        said = failure(root, disk)
        assert said is None or ("\n" not in said and len(said) < 500)
        check(root, clean)
        if not disk.broke:
            break
    assert k > steps


def failure(root: Path, disk: FaultyDisk) -> str | None:
    try:
        run_of_ours(root, disk)
    except SiltError as error:
        return str(error)
    return None


def test_a_run_that_dies_at_any_step_is_made_good(tmp_path: Path, template: Path, clean: Path) -> None:
    assert dying_runs(template, tmp_path / "runs", "die") > 30
    for root in sorted((tmp_path / "runs").glob("*/store")):
        check(root, clean)


def test_a_creation_that_fails_or_dies_at_any_step_is_taken_up_again(tmp_path: Path) -> None:
    clean = run_of_ours(tmp_path / "clean").root
    steps = dying_runs(tmp_path / "none", tmp_path / "runs", "die")
    for k in range(1, min(steps, 20)):
        check(tmp_path / "runs" / f"{k:03d}" / "store", clean)
        failing = tmp_path / "failing" / f"{k:03d}"
        failure(failing, FaultyDisk(k, "before"))
        check(failing, clean)


def dying_runs(template: Path, into: Path, how: str) -> int:
    here = Path(__file__).parent
    env = dict(os.environ) | {"PYTHONPATH": f"{here}:{os.getcwd()}"}
    argv = [sys.executable, str(here / "dying_runs.py"), str(template), str(into), how]
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=True)
    return int(done.stdout)


def test_a_full_disk_is_one_sentence_and_nothing_is_lost(tmp_path: Path) -> None:
    root = tmp_path / "store"
    run_of_ours(root)
    store: Store = open_store(root, FaultyDisk(3, "full"))
    by_hand(root, MINE, text_of("mine"))
    with pytest.raises(SiltError, match="No space left on device"), store.locked():
        store.settle()
    assert (root / MINE).read_text() == text_of("mine")
