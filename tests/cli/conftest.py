"""What several tests of the command line work with."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from agents_home import FOLDERS, program
from support import recorded
from support.bench import planted
from support.commands import Said, call, moved_into

from siltstone.cli.hooks.background import held


@pytest.fixture
def kept(home: Path, blank: Path) -> Said:
    """One memory of the project in whose folder the person stands."""
    shutil.copytree(blank, home / "store")
    return call("remember", "Deploys go out on Tuesdays only", "--type", "project")


@pytest.fixture(scope="session")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two planted sessions, each in the form of its agent."""
    return planted(tmp_path_factory.mktemp("agents"), "02", "03")["claude"].parent


@pytest.fixture
def roots(home: Path, sessions: Path) -> list[str]:
    """`--root` options for planted sessions of two agents."""
    shutil.copytree(sessions, home / "agents")
    return ["--root", f"claude={home / 'agents' / 'claude'}", "--root", f"codex={home / 'agents' / 'codex'}"]


@pytest.fixture(scope="session")
def demo_that_ran(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home after a run over the recorded sessions of `make run`, to be copied."""
    folder = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        home = moved_into(folder, patch)
        agents = recorded.demo(home / "agents").items()
        roots = [word for agent, path in agents for word in ("--root", f"{agent}={path}")]
        assert call("run", "--idle", "0", *roots).code == 0
    return folder


@pytest.fixture
def demo(home: Path, demo_that_ran: Path) -> Path:
    """What the recorded sessions of `make run` give: a conflict, an inbox, something replaced."""
    for name in ("agents", "store", "state"):
        shutil.copytree(demo_that_ran / name, home / name, dirs_exist_ok=True)
    return home


@pytest.fixture
def nobody_waits(home: Path) -> Iterator[None]:
    """The place of the waiter is taken: no test leaves a process behind."""
    (home / "state").mkdir(mode=0o700)
    handle = held(str(home / "state"))
    assert handle is not None
    yield
    os.close(handle)


@pytest.fixture
def person(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with Claude Code and Codex, and on its PATH a `silt` that answers at once: a hook with nothing,
    as an MCP server its first message."""
    answer = '{"jsonrpc": "2.0", "id": 1, "result": {}}'
    silt = program(home / "bin" / "silt", f"#!/bin/sh\n[ $1 != mcp ] || echo '{answer}'\n")
    monkeypatch.setenv("PATH", f"{silt.parent}:/usr/bin:/bin")
    monkeypatch.setattr("sys.argv", [str(silt)])
    for agent in ("claude", "codex"):
        (home / "person" / FOLDERS[agent]).mkdir()
    return home / "person"


@pytest.fixture
def everyone(person: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same with all agents, and nothing of ours on its PATH."""
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    for agent in ("gemini", "opencode"):
        (person / FOLDERS[agent]).mkdir(parents=True)
    return person


@pytest.fixture
def heard() -> Iterator[None]:
    """Ctrl-C and SIGHUP reach what a test starts: a job in the background, or of nohup, is born deaf to
    them."""
    before = [signal.signal(signal.SIGINT, signal.default_int_handler)]
    before.append(signal.signal(signal.SIGHUP, signal.SIG_DFL))
    yield
    for kind, handler in zip((signal.SIGINT, signal.SIGHUP), before, strict=True):
        signal.signal(kind, handler)
