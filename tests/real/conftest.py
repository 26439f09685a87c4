"""For the tests with real agents: homes of their own, a scripted model, and the programs from npm."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from real_homes import VERSIONS
from real_model import ScriptedModel, scripted_model
from real_npm import NotInstalled, program
from real_opencode import OpenCodeHome, Project, Server
from real_silt import FakeSilt
from real_wait import end


def pytest_sessionstart(session: pytest.Session) -> None:
    """The agents are there before a test begins: without one, a sentence is worth more than its failures."""
    try:
        for agent, (package, version) in VERSIONS.items():
            program(package, version, agent)
    except NotInstalled as error:
        pytest.exit(str(error), returncode=1)


@pytest.fixture(autouse=True)
def nothing_lives_on(tmp_path: Path) -> Iterator[None]:
    """A hook may leave one behind who reads the session later: it ends with its test."""
    yield
    end(tmp_path)


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with scripted_model() as one:
        yield one


@pytest.fixture(scope="module")
def opencode_home(tmp_path_factory: pytest.TempPathFactory) -> OpenCodeHome:
    """One for the tests of a file: each has a project, a model and sessions of its own in it."""
    return OpenCodeHome(program(*VERSIONS["opencode"], "opencode"), tmp_path_factory.mktemp("opencode"))


@pytest.fixture(scope="module")
def server(opencode_home: OpenCodeHome) -> Iterator[Server]:
    with opencode_home.serving() as one:
        yield one


@pytest.fixture
def opencode(opencode_home: OpenCodeHome, server: Server, tmp_path: Path, model: ScriptedModel) -> Project:
    """A git repository."""
    project = Project(opencode_home, tmp_path / "project", model.url, server)
    for words in (["init", "-q"], ["add", "sum.py"], ["commit", "-qm", "First"]):
        project.git(*words)
    return project


@pytest.fixture
def silt(tmp_path: Path) -> FakeSilt:
    """What is called in place of `silt`."""
    return FakeSilt(tmp_path / "bin")
