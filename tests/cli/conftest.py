"""A home of its own for every command line test."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from agents_home import FOLDERS
from support.commands import Said, call

from siltstone.cli.hooks.background import held


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home; the store, the state and the config stand in it."""
    for name, place in (("SILT_HOME", "store"), ("SILT_STATE", "state"), ("SILT_CONFIG", "config.toml")):
        monkeypatch.setenv(name, str(tmp_path / place))
    for name in (
        "OPENAI_API_KEY",
        "SILT_MODEL",
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "GEMINI_CLI_HOME",
        "XDG_DATA_HOME",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.setenv("COLUMNS", "200")
    project = tmp_path / "person" / "src" / "larkspur"
    project.mkdir(parents=True)
    monkeypatch.chdir(project)
    return tmp_path


@pytest.fixture
def kept(home: Path) -> Said:
    """One memory of the project in whose folder the person stands."""
    return call("remember", "Deploys go out on Tuesdays only", "--type", "project")


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
    """A home with Claude Code and Codex, and a `silt` on its PATH."""
    silt = home / "bin" / "silt"
    silt.parent.mkdir()
    silt.write_text("#!/bin/sh\n", encoding="utf-8")
    silt.chmod(0o755)
    monkeypatch.setenv("PATH", f"{silt.parent}:/usr/bin:/bin")
    monkeypatch.setattr("sys.argv", [str(silt)])
    for name in ("XDG_CONFIG_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    for agent in ("claude", "codex"):
        (home / "person" / FOLDERS[agent]).mkdir()
    return home / "person"


@pytest.fixture
def everyone(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with all agents, in which silt is this Python's module."""
    for name in ("XDG_CONFIG_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    monkeypatch.setattr("sys.argv", ["pytest"])
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    for folder in (".claude", ".codex", ".gemini", ".config/opencode"):
        (home / "person" / folder).mkdir(parents=True)
    return home / "person"


@pytest.fixture
def heard() -> Iterator[None]:
    """Ctrl-C and SIGHUP reach what a test starts: a job in the background, or of nohup, is born deaf to
    them."""
    before = [signal.signal(signal.SIGINT, signal.default_int_handler)]
    before.append(signal.signal(signal.SIGHUP, signal.SIG_DFL))
    yield
    for kind, handler in zip((signal.SIGINT, signal.SIGHUP), before, strict=True):
        signal.signal(kind, handler)
