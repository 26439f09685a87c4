"""What `silt install` asks on a terminal: who extracts, and whether past sessions are read now."""

import json
import re
import shutil
from pathlib import Path

import pytest
from agents_home import program
from support.commands import call
from support.terminal import seen


@pytest.fixture
def here(person: Path, sessions: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with Claude Code, its program and one session that is over."""
    shutil.copytree(sessions / "claude", person / ".claude", dirs_exist_ok=True)
    answer = program(person.parent / "bin" / "claude", "#!/bin/sh\nexit 1\n")
    monkeypatch.setenv("PATH", f"{answer.parent}:/usr/bin:/bin")
    return person


def model() -> object:
    return call("config", "--json").json["model"]["value"]


def test_no_answer_means_the_rules_and_past_sessions_wait(here: Path) -> None:
    shown = seen("install", "claude", keys="\r\r")
    assert "2  agent:claude/haiku" in shown
    assert "sends nothing; costs nothing" in shown
    assert "Read your agents' 1 past session" in shown
    assert model() == "rules"
    assert call("status", "--json").json["sessions_read"] == 0


def test_where_there_are_only_the_rules_nobody_is_asked_to_choose(here: Path) -> None:
    (here.parent / "bin" / "claude").unlink()
    shown = seen("install", "claude", keys="l")
    assert "Who should find" not in shown
    assert "past session" in shown


def test_ctrl_c_at_a_question_hides_nothing_that_is_left_to_do(here: Path) -> None:
    shown = seen("install", "codex", keys="\x03")
    assert "by hand: Codex needs you to approve" in shown
    assert "silt: interrupted" in shown


def test_who_was_chosen_is_not_asked_for_again(here: Path) -> None:
    assert "Who should find" in seen("install", "claude", keys="1y")
    assert call("status", "--json").json["sessions_read"] == 1
    assert call("list", "--json").json
    again = seen("install", "claude")
    assert "Who should find" not in again
    assert "past session" not in again
    assert "next: start a new agent session" in again


def test_just_installed_there_is_no_store_and_nothing_is_wrong(here: Path) -> None:
    shutil.rmtree(here / ".claude" / "projects")
    seen("install", "claude", keys="\r")
    assert "next: start a new agent session" in call().out
    assert "next       start a new agent session" in call("status").out
    begun = json.dumps({"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(here)})
    assert "Siltstone: nothing is remembered yet" in call("hook", "claude", given=begun).out


def test_why_a_reading_ended_early_is_told(here: Path) -> None:
    call("config", "set", "max_tokens_per_run", "1000")
    shown = " ".join(seen("install", "claude", keys="2y").split())
    assert "one takes at most 1,000 tokens" in shown
    assert "not read: 1 session left for the next run" in shown
    assert "more than the 1,000 allowed: run again for the rest" in shown
    assert "next: silt run — the last run ended early; this one continues" in call().out
    assert "the 1,000 allowed" in call("status").out.partition("\nstopped    ")[2]


def test_a_model_is_told_what_it_would_be_sent_before_it_is_sent_anything(here: Path) -> None:
    shown = " ".join(seen("install", "claude", keys="2l").split())
    assert model() == "agent:claude/haiku"
    assert "1 session, about" in shown
    assert "would be sent to agent:claude/haiku" in shown
    assert "yes and never both agree that new sessions are sent to agent:claude/haiku" in shown
    assert call("run").code == 3, "nobody agreed yet"
    assert "silt run — see what agent:claude/haiku would be sent, and agree" in call().out


def test_with_no_past_sessions_the_choice_of_a_model_is_the_agreement(here: Path) -> None:
    shutil.rmtree(here / ".claude" / "projects")
    shown = " ".join(seen("install", "claude", keys="2").split())
    assert "is sent your words, the agents' answers and shortened output" in shown
    assert "what you say from now on is sent to agent:claude/haiku" in shown
    assert call("status", "--json").json["agreed"]


def test_what_was_said_before_may_stay_unread(here: Path) -> None:
    shown = seen("install", "claude", keys="1n")
    assert re.search(r"read \d+ messages? in 1 session .*\nskipped \d+ older messages", shown)
    assert call("status", "--json").json["sessions_read"] == 1
    assert call("list").out.startswith("no memories yet")


def test_a_pipe_is_asked_nothing(here: Path) -> None:
    said = call("install", "claude")
    assert said.out.splitlines()[-1].startswith("next: start a new agent session")
    assert model() is None
