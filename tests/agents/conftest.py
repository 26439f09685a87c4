"""What several tests of agents work with."""

from pathlib import Path

import pytest
from installed_home import Home
from support.fake_agent import FakeAgents


@pytest.fixture
def agents(tmp_path: Path) -> FakeAgents:
    return FakeAgents(tmp_path / "bin")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)
