"""What several tests of agents work with."""

from pathlib import Path
from typing import Any

import pytest
from installed_home import Home
from opencode_home import Home as OpenCodeHome
from support.fake_agent import FakeAgents


@pytest.fixture
def agents(tmp_path: Path) -> FakeAgents:
    return FakeAgents(tmp_path / "bin")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture
def recorded(home: Any) -> Any:
    """The home of a module that has one for the recordings of its agent, filled."""
    home.record()
    return home


@pytest.fixture
def roots(tmp_path: Path) -> dict[str, Path]:
    """What the real agents left: OpenCode's lies in a database, which is made here."""
    home = OpenCodeHome(tmp_path)
    home.record()
    home.db.close()
    data = Path(__file__).parents[1] / "data"
    recorded = {"claude": data / "claude", "codex": data / "codex" / "home", "gemini": data / "gemini"}
    return recorded | {"opencode": home.root}
