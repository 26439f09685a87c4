"""The commands agents call at every turn: light to start, and never in the agent's way."""

import sqlite3
from pathlib import Path

import pytest
from hook_calls import python, told
from support.commands import Said, call
from support.table import table

from siltstone.cli.hooks.main import main

HEAVY = frozenset(
    {"typer", "click", "pydantic", "litellm", "rich", "jinja2", "httpx", "mcp", "yaml", "orjson"}
)
"""Packages that take longer to load than a hook may take (docs/benchmarks.md)."""
LOADED = """
import signal, sys
signal.setitimer = lambda *_: None  # the machine may be busy
sys.argv = ['silt', *{words!r}]
from siltstone.__main__ import main
try:
    main()
except SystemExit:
    print('modules:', *sys.modules)
"""


def is_light(words: str, given: object, module: str) -> str:
    """What a command printed that loaded this module of its own and no heavy package."""
    said, _, modules = python(LOADED.format(words=words.split()), given).stdout.decode().partition("modules:")
    assert f"siltstone.{module}" in modules.split()
    assert {name.partition(".")[0] for name in modules.split()} & HEAVY == set()
    return said


@pytest.mark.parametrize("words", ["inject --receipt", "inject --query deploys"])
def test_a_block_imports_no_heavy_package(kept: Said, words: str) -> None:
    assert "Tuesdays" in is_light(words, "", "cli.hooks.inject")


def test_events_and_pruning_import_no_heavy_package(kept: Said) -> None:
    is_light("event", {"event": "idle", "agent": "a", "session": "s"}, "cli.hooks.event")
    is_light("prune", "a\n" * 200, "cli.hooks.prune")


@pytest.mark.parametrize("prompt", ["When do deploys go out?", "Please remember that we use pnpm, not npm."])
@pytest.mark.parametrize(
    ("agent", "event"), [("claude", "UserPromptSubmit"), ("codex", "SessionStart"), ("gemini", "BeforeAgent")]
)
def test_a_hook_imports_no_heavy_package(kept: Said, agent: str, event: str, prompt: str) -> None:
    is_light(f"hook {agent}", told(event, source="startup", prompt=prompt), f"agents.{agent}.hooks")


def test_a_tools_hook_loads_neither_memories_nor_rules(kept: Said) -> None:
    code = LOADED.format(words=["hook", "claude"])
    call = told(
        "PostToolUse", tool_name="Bash", tool_input={"command": "make"}, tool_response={"stdout": "ok"}
    )
    modules = python(code, call).stdout.decode().partition("modules:")[2].split()
    assert "siltstone.recall.session.apply" in modules
    assert {"siltstone.recall.prepared", "siltstone.pipeline.rules.saves", "inspect"} & {*modules} == set()


def test_a_call_that_no_memory_speaks_of_loads_nothing_that_shows_any(kept: Said) -> None:
    code = LOADED.format(words=["hook", "claude"])
    call = told("PreToolUse", tool_name="Bash", tool_input={"command": "make"})
    modules = python(code, call).stdout.decode().partition("modules:")[2].split()
    assert "siltstone.recall.action" in modules
    assert {"siltstone.recall.layouts", "siltstone.recall.steering", "siltstone.store.redaction"} & {
        *modules
    } == set()


@table("hooks_start", "misuse_by_a_person_is_status_2_and_one_line")
def test_misuse_by_a_person_is_status_2_and_one_line(
    words: tuple[str, ...], wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"silt: {wrong}")
    assert len(told.err.splitlines()) == 1


DAMAGE = {
    "damaged": b"SQLite format 3\0" + b"rubbish" * 500,
    "no database": b"hello" * 500,
    "empty": b"",
    "a folder": None,
    "the state is missing": None,
}


@pytest.mark.parametrize("what", DAMAGE)
def test_whatever_is_broken_the_agent_goes_on(home: Path, kept: Said, what: str) -> None:
    state, data = home / "state", DAMAGE[what]
    for file in [state / "recall.sqlite3"] if what == "a folder" else state.iterdir() if data is None else []:
        file.unlink()
    if what == "a folder":
        (state / "recall.sqlite3").mkdir()
    elif data is not None:
        (state / "recall.sqlite3").write_bytes(data)
    said = call("inject")
    assert (said.code, said.out, len(said.err.splitlines())) == (0, "", 1)
    assert "silt rebuild" in said.err
    if what != "a folder":
        assert call("rebuild").code == 0
        assert "Tuesdays" in call("inject").out


def test_a_fault_nobody_thought_of_does_not_break_the_agent(home: Path, kept: Said) -> None:
    with sqlite3.connect(home / "state" / "recall.sqlite3") as db:
        db.execute("update fragment set type = 'gossip', hot = 1, clock = 'yesterday'")
    db.close()
    said = call("inject")
    assert (said.code, said.out, len(said.err.splitlines())) == (0, "", 1)
    assert said.err.startswith("silt: inject failed (TypeError")
