"""The line that tells a person how things stand: at a session's start, and in Claude Code's status line."""

import json
from pathlib import Path
from typing import Any

import hook_calls
import pytest
from support.commands import Said, call
from support.table import table

pytestmark = pytest.mark.usefixtures("nobody_waits")


def folder(here: Path) -> str:
    return json.dumps({"workspace": {"current_dir": str(here)}})


def test_the_status_line_counts_what_holds_in_the_folder(home: Path, kept: Said) -> None:
    here = Path.cwd()
    assert call("statusline", given=folder(here)).out == "Siltstone: 1 memory\n"
    call("remember", "I live in Porto")
    assert call("statusline", given=folder(here)).out == "Siltstone: 2 memories\n"
    assert call("statusline", given=folder(here.parent)).out == "Siltstone: 1 memory\n"


def test_the_status_line_tells_of_contradictions(demo: Path) -> None:
    told = call("statusline", given=folder(Path("/home/dev/heron"))).out
    assert told == "Siltstone: 12 memories, 1 contradiction to settle\n"


@pytest.mark.parametrize("given", ["", "{", "[]", '{"workspace": 1, "cwd": {}}', '{"cwd": "/nowhere"}'])
def test_whatever_it_is_given_the_status_line_disturbs_nobody(home: Path, given: str) -> None:
    assert call("statusline", given=given) == Said(0, "", "")


def hook(agent: str, event: str, **given: str) -> dict[str, Any]:
    payload = {"hook_event_name": event, "session_id": "s1", "session": "s1", "source": "startup"}
    said = hook_calls.hook(agent, payload | {"cwd": str(Path.cwd())} | given).stdout
    return dict(json.loads(said or "{}"))


@table("statusline", "a_session_begins_with_a_line_for_the_person")
def test_a_session_begins_with_a_line_for_the_person(
    home: Path, kept: Said, agent: str, begins: str, then: str, line: str
) -> None:
    asked = {"prompt": "when do deploys go out?", "text": "when do deploys go out?"}
    answer = hook(agent, begins, **asked)
    assert answer[line] == "Siltstone: 1 memory"
    assert "Tuesdays" in json.dumps(answer)
    assert line not in hook(agent, then, **asked)
    asks = "Please remember: releases are tagged by Marta."
    assert hook(agent, then, prompt=asks, text=asks)[line].startswith("Siltstone ")


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_before_the_first_memory_the_line_shows_that_siltstone_is_there(home: Path, agent: str) -> None:
    says = {"systemMessage": "Siltstone: nothing is remembered yet"}
    assert hook(agent, "SessionStart") == says
    call("run")  # makes an empty store
    assert hook(agent, "SessionStart", session_id="s2") == says
    assert hook("opencode", "system", text="Hello") == {"told": says["systemMessage"]}
    call("remember", "Deploys go out on Tuesdays only", "--type", "project")
    assert hook(agent, "SessionStart", session_id="s3", cwd=str(home)) == {}
