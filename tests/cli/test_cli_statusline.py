"""The line that tells a person how things stand: at a session's start, and in Claude Code's status line."""

import json
from pathlib import Path

import pytest
from support.commands import Said, call

STARTS = {"hook_event_name": "SessionStart", "session_id": "s1", "source": "startup"}


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


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_session_begins_with_a_line_for_the_person(home: Path, kept: Said, agent: str) -> None:
    payload = json.dumps(STARTS | {"cwd": str(Path.cwd())})
    answer = call("hook", agent, given=payload).json
    assert answer["systemMessage"] == "Siltstone: 1 memory"
    assert "Tuesdays" in answer["hookSpecificOutput"]["additionalContext"]
    asked = STARTS | {"hook_event_name": "UserPromptSubmit", "prompt": "when do deploys go out?"}
    assert "systemMessage" not in call("hook", agent, given=json.dumps(asked)).out
