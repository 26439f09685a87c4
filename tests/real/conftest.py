"""For the tests with real agents: homes of their own, a scripted model, and the programs from npm."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from real_model import ScriptedModel, scripted_model
from real_npm import program
from real_opencode import VERSION, OpenCodeHome
from real_silt import FakeSilt


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with scripted_model() as one:
        yield one


@pytest.fixture(scope="session")
def opencode_program() -> Path:
    return program("opencode-ai", VERSION, "opencode")


@pytest.fixture
def opencode(opencode_program: Path, tmp_path: Path, model: ScriptedModel) -> OpenCodeHome:
    return OpenCodeHome(opencode_program, tmp_path / "home", model.url)


@pytest.fixture
def silt(tmp_path: Path) -> FakeSilt:
    """What is called in place of `silt`."""
    return FakeSilt(tmp_path / "bin")
