"""What several tests of agents work with."""

from pathlib import Path

import pytest
from support.fake_agent import FakeAgents


@pytest.fixture
def agents(tmp_path: Path) -> FakeAgents:
    return FakeAgents(tmp_path / "bin")
