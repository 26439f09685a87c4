"""Every step of a whole run fails once, and the next run ends where one clean run ends (invariants 1–4)."""

from collections import Counter
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from larkspur import SESSIONS, reply
from support.bench import planted
from support.fake_model import FakeModel
from support.faulty_disk import FaultyDisk, QuietDisk
from support.git import git
from whole_run import StressBench

from siltstone.store.errors import SiltError

STRIDE = 4
LATER = 37
"""Of the first steps every `STRIDE`-th fails, of the rest every `LATER`-th: all of them would take minutes,
and tests/store fails at each step of a commit."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is to be the same whatever happened on the way."""

    tree: str
    derived: dict[str, bytes]
    counted: Counter[str]


def outcome(bench: StressBench) -> Outcome:
    store = bench.folder / "store"
    files = [*store.glob("*.md"), *store.glob("projects/*/MEMORY.md")]
    derived = {str(path.relative_to(store)): path.read_bytes() for path in files}
    return Outcome(bench.tree(), derived, bench.counted())


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return planted(tmp_path_factory.mktemp("home"), *SESSIONS)


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory, roots: dict[str, Path]) -> Outcome:
    bench = StressBench(tmp_path_factory.mktemp("clean"), roots)
    report = bench.whole_run(FakeModel(otherwise=reply))
    kinds = report.kinds
    assert {"superseded", "conflicted", "quarantined"} <= kinds.keys(), "a run worth failing in"
    return outcome(bench)


def check(bench: StressBench, clean: Outcome) -> None:
    """A clean run on top ends in the clean store, and nothing else is left."""
    bench.disk = QuietDisk()
    report = bench.whole_run(FakeModel(otherwise=reply))
    assert (report.stopped, report.failed, report.busy, report.complaints) == (None, 0, 0, [])
    assert outcome(bench) == clean
    store = bench.folder / "store"
    assert git(store, "status", "--porcelain", "-uall") == ""
    assert git(store, "fsck", "--full", "--strict", "--no-dangling") == ""
    left = [p.name for p in store.rglob("*") if p.suffix in (".tmp", ".lock") or p.name == "silt-intent"]
    assert left == []


def broken(bench: StressBench) -> None:
    """A run that meets the fault: whatever it says is one sentence."""
    try:
        said = bench.whole_run(FakeModel(otherwise=reply)).stopped
    except SiltError as error:
        said = str(error)
    assert said is None or ("\n" not in said and len(said) < 500)


@pytest.mark.parametrize(("how", "first", "least"), [("before", 60, 230), ("after", 1, 36)])
def test_a_run_that_fails_at_any_step_is_made_good(
    tmp_path: Path, roots: dict[str, Path], clean: Outcome, how: str, first: int, least: int
) -> None:
    for k in count(1):
        if k > 1 and k % (STRIDE if k <= first else LATER):
            continue
        disk = FaultyDisk(k, how)
        bench = StressBench(tmp_path / f"{k:03d}", roots, disk=disk)
        bench.folder.mkdir()
        broken(bench)
        check(bench, clean)
        if not disk.broke:
            break
    assert k > least
