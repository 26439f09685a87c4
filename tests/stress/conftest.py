"""A home of its own for every test that calls the command line in this process."""

from pathlib import Path

import pytest
from person import Person


@pytest.fixture
def person(home: Path) -> Person:
    """Somebody with an empty home and a folder of plain transcripts."""
    (home / "said").mkdir()
    return Person(home)
