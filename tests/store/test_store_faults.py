"""Every step of a run fails once, and the next run still ends where one clean run ends (invariants 1–3)."""

import hashlib
import shutil
import subprocess
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from dying import die_at_each_step
from run_of_ours import NEW, run_of_ours
from store_support import by_hand, leftovers, open_store, status, subjects, text_of, tree
from support.faulty_disk import FaultyDisk
from support.git import git

from siltstone.store.errors import SiltError

MINE = "global/user-mine.md"
CREATION = 24
"""Steps of a run that it takes to make a new store, and a few more."""


def with_an_edit(root: Path) -> None:
    """A store in which the user is in the middle of writing."""
    store = open_store(root)
    by_hand(store.root, MINE, text_of("mine"))


@pytest.fixture
def template(tmp_path: Path) -> Path:
    with_an_edit(tmp_path / "template")
    return tmp_path / "template"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a store is after a run, apart from its commits' ids."""

    tree: str
    subjects: list[str]
    mine: str


def outcome(root: Path) -> Outcome:
    return Outcome(tree(root), subjects(root), git(root, "log", "--format=%an %s", "--", MINE))


@pytest.fixture
def clean(tmp_path: Path, template: Path) -> Outcome:
    shutil.copytree(template, tmp_path / "clean")
    return outcome(run_of_ours(tmp_path / "clean").root)


def left(root: Path) -> str:
    """What a fault left on the disk: faults at steps that only read leave the same."""
    told = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        held = path.read_bytes() if path.is_file() and path.name != "index" else b""
        told.update(f"{path.relative_to(root)}\0{len(held)}\0".encode() + held)
    staged = subprocess.run(["git", "-C", str(root), "ls-files", "-s"], capture_output=True, check=False)
    told.update(staged.stdout)  # the index itself holds times too
    return told.hexdigest()


def check(root: Path, clean: Outcome) -> None:
    """After a clean run the store is the one of a clean run, and nothing else is left."""
    store = run_of_ours(root)
    assert outcome(root) == clean
    assert status(root) == []
    assert leftovers(root) == []
    assert git(root, "fsck", "--full", "--strict", "--no-dangling") == ""
    assert store.complaints == []


def test_a_clean_run_changes_nothing_the_second_time(template: Path) -> None:
    run_of_ours(template)
    before = git(template, "rev-parse", "HEAD")
    store = run_of_ours(template)
    assert git(template, "rev-parse", "HEAD") == before
    assert [s.path for s in store.entries(archived=True)] == ["global/archive/project-old.md", MINE, NEW]


@pytest.mark.parametrize(("how", "steps"), [("before", 50), ("after", 20), ("half", 5)])
def test_a_run_that_fails_at_any_step_is_made_good(
    tmp_path: Path, template: Path, clean: Outcome, how: str, steps: int
) -> None:
    seen: set[str] = set()
    for k in count(1):
        root = tmp_path / f"{k:03d}"
        shutil.copytree(template, root)
        disk = FaultyDisk(k, how)
        said = failure(root, disk)
        assert said is None or ("\n" not in said and len(said) < 500)
        if (found := left(root)) not in seen:
            check(root, clean)
        seen.add(found)
        if not disk.broke:
            break
    assert k > steps


def failure(root: Path, disk: FaultyDisk) -> str | None:
    try:
        run_of_ours(root, disk)
    except SiltError as error:
        return str(error)
    return None


def test_a_run_that_dies_at_any_step_is_made_good(tmp_path: Path, template: Path, clean: Outcome) -> None:
    assert 50 < die_at_each_step("run", template, tmp_path / "runs", 500) < 500
    roots = {left(root): root for root in sorted((tmp_path / "runs").iterdir())}
    for root in roots.values():
        check(root, clean)


def test_a_creation_that_fails_or_dies_at_any_step_is_taken_up_again(tmp_path: Path) -> None:
    clean = outcome(run_of_ours(tmp_path / "clean").root)
    die_at_each_step("run", tmp_path / "none", tmp_path / "runs", CREATION)
    roots = []
    for k in range(1, CREATION + 1):
        roots += [tmp_path / "runs" / f"{k:03d}", tmp_path / "failing" / f"{k:03d}"]
        failure(roots[-1], FaultyDisk(k, "before"))
    for root in {left(root): root for root in roots}.values():
        check(root, clean)
