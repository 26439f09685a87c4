"""The commands agents call at every turn: light to start, and never in the agent's way."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import Said, call

from siltstone.cli.hooks import common
from siltstone.cli.hooks.main import is_hook_command
from siltstone.store.errors import Misuse

ROOT = Path(__file__).resolve().parents[2]
HEAVY = frozenset(
    {"typer", "click", "pydantic", "litellm", "rich", "jinja2", "httpx", "mcp", "yaml", "orjson"}
)
"""Packages that take longer to load than a hook may take (docs/benchmarks.md)."""
MODULES = "import sys; print('modules:', *sys.modules)"


def python(code: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """An interpreter of its own, in the person's folder."""
    env = dict(os.environ) | {"PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-c", code], env=env, input=given, capture_output=True, text=True, check=False
    )


def silt(*words: str, before: str = "", after: str = "", given: str = "") -> subprocess.CompletedProcess[str]:
    """`silt` in a process of its own; `before` runs first, `after` when it is done."""
    return python(
        f"import os, sys\n{before}\nsys.argv = ['silt', *{list(words)!r}]\n"
        "from siltstone.__main__ import main\n"
        f"try:\n    main()\nexcept SystemExit as end:\n    status = end.code\n{after}\nsys.exit(status)",
        given,
    )


def modules_of(told: str) -> set[str]:
    return set(told.rpartition("modules:")[2].split())


def packages_of(told: str) -> set[str]:
    return {name.partition(".")[0] for name in modules_of(told)}


@pytest.mark.parametrize(
    "words", [("inject", "--receipt"), ("inject", "--query", "When do deploys go out?")], ids=" ".join
)
def test_a_hot_command_imports_no_heavy_package(kept: Said, words: tuple[str, ...]) -> None:
    done = silt(*words, after=MODULES)
    assert "Tuesdays" in done.stdout
    assert f"siltstone.cli.hooks.{words[0]}" in modules_of(done.stdout)
    assert packages_of(done.stdout) & HEAVY == set()


@pytest.mark.parametrize(
    ("word", "given"),
    [("event", '{"event": "idle", "agent": "a", "session": "s"}'), ("prune", "a\\n" * 200)],
)
def test_events_and_pruning_import_no_heavy_package(kept: Said, word: str, given: str) -> None:
    done = silt(word, after=MODULES, given=given)
    assert f"siltstone.cli.hooks.{word}" in modules_of(done.stdout)
    assert packages_of(done.stdout) & HEAVY == set()


@pytest.mark.parametrize("prompt", ["When do deploys go out?", "Please remember that we use pnpm, not npm."])
@pytest.mark.parametrize(
    ("agent", "event"), [("claude", "UserPromptSubmit"), ("codex", "SessionStart"), ("gemini", "BeforeAgent")]
)
def test_a_hook_imports_no_heavy_package(kept: Said, agent: str, event: str, prompt: str) -> None:
    told = {"cwd": str(Path.cwd()), "hook_event_name": event, "source": "startup", "prompt": prompt}
    done = silt("hook", agent, after=MODULES, given=json.dumps(told | {"session_id": "s1"}))
    assert f"siltstone.agents.{agent}.hooks" in modules_of(done.stdout)
    assert packages_of(done.stdout) & HEAVY == set()


@pytest.mark.parametrize("words", [(), ("list",), ("inject", "--help"), ("inject", "-h"), ("-h", "inject")])
def test_everything_else_is_for_the_command_line_library(words: tuple[str, ...]) -> None:
    assert not is_hook_command(words)


@pytest.mark.parametrize(
    ("words", "found"),
    [
        pytest.param((), {}, id="none"),
        pytest.param(("--cwd", "/a"), {"cwd": "/a"}, id="apart"),
        pytest.param(("--cwd=/a=b",), {"cwd": "/a=b"}, id="joined"),
        pytest.param(("--cwd", "--json"), {"cwd": "--json"}, id="a value may look like an option"),
        pytest.param(("--json", "--cwd", "x", "--cwd", "y"), {"json": "", "cwd": "y"}, id="the last counts"),
    ],
)
def test_options(words: tuple[str, ...], found: dict[str, str]) -> None:
    assert common.options(words, ["cwd"], ["json"]) == found


@pytest.mark.parametrize("words", [("--no",), ("x",), ("--cwd",), ("--json=1",), ("-c", "x"), ("cwd=x",)])
def test_wrong_options_are_misuse(words: tuple[str, ...]) -> None:
    with pytest.raises(Misuse):
        common.options(words, ["cwd"], ["json"])


@pytest.mark.parametrize("said", ["", "-1", "1.5", "x", "²", "99999999999", "51"])
def test_a_wrong_number_is_misuse(said: str) -> None:
    with pytest.raises(Misuse, match="from 0 to 50"):
        common.whole_number("budget", said, 0, 50)


def test_misuse_by_a_person_is_status_2(home: Path) -> None:
    done = silt("inject", "--budget", "lots")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--budget takes a number" in done.stderr


def state_is_missing(state: Path) -> None:
    for file in state.iterdir():
        file.unlink()


def file_is_damaged(state: Path) -> None:
    (state / "recall.sqlite3").write_bytes(b"SQLite format 3\0" + b"rubbish" * 500)


def file_is_no_database(state: Path) -> None:
    (state / "recall.sqlite3").write_bytes(b"hello" * 500)


def file_is_empty(state: Path) -> None:
    (state / "recall.sqlite3").write_bytes(b"")


def file_is_a_folder(state: Path) -> None:
    (state / "recall.sqlite3").unlink()
    (state / "recall.sqlite3").mkdir()


@pytest.mark.parametrize(
    "break_it",
    [state_is_missing, file_is_damaged, file_is_no_database, file_is_empty, file_is_a_folder],
    ids=lambda done: str(done.__name__),
)
def test_whatever_is_broken_the_agent_goes_on(home: Path, kept: Said, break_it: object) -> None:
    assert callable(break_it)
    break_it(home / "state")
    done = silt("inject")
    assert (done.returncode, done.stdout) == (0, "")
    assert len(done.stderr.splitlines()) == 1
    assert "silt rebuild" in done.stderr
    if not (home / "state" / "recall.sqlite3").is_dir():
        assert call("rebuild").code == 0
        assert "Tuesdays" in silt("inject").stdout


def test_a_fault_nobody_thought_of_does_not_break_the_agent(home: Path, kept: Said) -> None:
    with sqlite3.connect(home / "state" / "recall.sqlite3") as db:
        db.execute("update fragment set type = 'gossip', hot = 1, clock = 'yesterday'")
    db.close()
    done = silt("inject")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("silt: inject failed (TypeError")
    assert len(done.stderr.splitlines()) == 1


def test_a_reader_that_went_away_is_no_failure(home: Path, kept: Said) -> None:
    code = "from siltstone.__main__ import main; import sys; sys.argv = ['silt', 'inject']; main()"
    env = dict(os.environ) | {"PYTHONPATH": str(ROOT)}
    ends = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", code], env=env, **ends) as process:  # type: ignore[call-overload]
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0
