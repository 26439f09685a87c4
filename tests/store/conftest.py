"""A store in a new folder, for the tests of this room."""

from pathlib import Path

import pytest
from store_support import open_store

from siltstone.store.store import Store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return open_store(tmp_path / "store")
