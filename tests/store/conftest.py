"""A store or a state in a new folder, for the tests of this room."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from files_support import Desk, open_desk
from store_support import open_store

from siltstone.store.state import State
from siltstone.store.store import Store


@pytest.fixture
def store(tmp_path: Path, blank: Path) -> Store:
    return open_store(shutil.copytree(blank, tmp_path / "store"))


@pytest.fixture
def desk(tmp_path: Path, blank: Path) -> Iterator[Desk]:
    shutil.copytree(blank, tmp_path / "store")
    desk = open_desk(tmp_path)
    with desk.state:
        yield desk


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    with State.open(tmp_path) as opened:
        yield opened
