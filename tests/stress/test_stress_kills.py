"""A run that is killed at any moment is made good by the next one (invariants 1-3, 13)."""

import random
import time
from pathlib import Path

import pytest
from process import started, words
from support.bench import planted
from support.git import git

SEED = 20261120
STORES = 2
KILLS = 2
LONGEST = 0.7
"""Seconds after its first write within which a run is killed: about as long as it works."""


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return planted(tmp_path_factory.mktemp("agents"), "01", "02", "04", "05", "08")


def killed(home: Path, argv: list[str], after: float) -> None:
    """Start a run and kill it `after` seconds from when its state database is there."""
    begun = started(home, argv)
    deadline = time.monotonic() + 20
    while not (home / "state").exists() and begun.poll() is None and time.monotonic() < deadline:
        time.sleep(0.002)
    time.sleep(after)
    begun.kill()
    begun.communicate()


def finished(home: Path, argv: list[str]) -> str:
    """The tree of a run that came to its end."""
    run = started(home, argv)
    _, said = run.communicate()
    assert (run.returncode, said) == (0, "")
    return git(home / "store", "rev-parse", "HEAD^{tree}")


def test_runs_killed_at_random_end_in_the_store_of_one_clean_run(
    tmp_path: Path, roots: dict[str, Path]
) -> None:
    argv = words(roots)
    (tmp_path / "clean").mkdir()
    clean = finished(tmp_path / "clean", argv)
    chance = random.Random(SEED)  # noqa: S311
    for n in range(STORES):
        home = tmp_path / str(n)
        home.mkdir()
        for _ in range(KILLS):
            killed(home, argv, chance.uniform(0, LONGEST))
        assert finished(home, argv) == clean
        assert git(home / "store", "fsck", "--full", "--strict", "--no-dangling") == ""
        assert git(home / "store", "status", "--porcelain", "-uall") == ""
        left = [p.name for p in (home / "store").rglob("*") if p.suffix == ".tmp" or p.name == "silt-intent"]
        assert left == []
