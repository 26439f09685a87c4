"""For the tests with real agents: homes of their own, a scripted model, and the programs from npm."""

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from plugin_steps import MAIN, SUB, Step
from real_homes import VERSIONS
from real_model import ScriptedModel, scripted_model
from real_npm import NotInstalled, program
from real_opencode import OpenCodeHome, Project, Server
from real_silt import FakeSilt
from real_wait import end

from siltstone.agents.opencode.door import plugin_text

DRIVER = Path(__file__).parent / "plugin_driver.mjs"


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


@pytest.fixture
def play(tmp_path: Path, silt: FakeSilt) -> Callable[..., Any]:
    """Call hooks in turn; the outputs they leave."""

    def calls(
        *steps: Step,
        words: list[str] | None = None,
        copies: int = 1,
        mcp: bool = False,
        at_once: bool = False,
        **env: str,
    ) -> Any:
        file = tmp_path / "siltstone.mjs"  # node takes a .js file for the older kind of module
        file.write_text(plugin_text(words or [str(silt.path)], ["mcp"] if mcp else []))
        asked = {"file": str(file), "copies": copies, "directory": str(tmp_path), "parents": {SUB: MAIN}}
        asked["at_once"] = at_once
        done = subprocess.run(
            ["node", str(DRIVER)],
            input=json.dumps(asked | {"steps": steps}),
            env={"PATH": os.environ["PATH"], **env},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        said = json.loads(done.stdout)
        silt.toasts += said["toasts"]
        return said["outputs"]

    return calls
