"""What several tests of the pipeline work with."""

import shutil
from pathlib import Path

import pytest
from support.bench import NOON, Bench, planted

from siltstone.store.store import Store


@pytest.fixture
def store(tmp_path: Path, blank: Path) -> Store:
    """A store at noon."""
    return Store.open(shutil.copytree(blank, tmp_path / "store"), clock=lambda: NOON)


@pytest.fixture
def empty_bench(tmp_path: Path, blank: Path) -> Bench:
    """A store and no sessions."""
    shutil.copytree(blank, tmp_path / "store")
    return Bench(tmp_path, {})


@pytest.fixture
def bench(tmp_path: Path, empty_bench: Bench) -> Bench:
    """Planted session 02 in Claude Code's form."""
    empty_bench.roots = planted(tmp_path / "home", "02")
    return empty_bench
