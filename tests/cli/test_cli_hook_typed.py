"""What a person types reaches `silt hook`: kept at once where it asks for it, left where it does not."""

from pathlib import Path

import pytest
from hook_calls import begun, hook, log_of, opencode, prompted, state_of, told
from support.commands import Said, call
from support.crowd import contexts
from support.table import table

from siltstone.pipeline.reading.echo import strip

pytestmark = pytest.mark.usefixtures("nobody_waits")


@table("hook_typed", "what_is_asked_to_be_kept_is_kept_at_once")
def test_what_is_asked_to_be_kept_is_kept_at_once(home: Path, prompt: str) -> None:
    told_of = prompted(prompt)
    assert "Kept for this project, as the user asked" in told_of
    assert "silt forget" in told_of
    assert strip(told_of).strip() == ""
    (one,) = call("list", "--json").json
    assert one["type"] == "feedback"
    assert log_of(home) == []


def test_a_keyword_of_the_users_own_asks_too(home: Path) -> None:
    (home / "config.toml").write_text("keyword_patterns = ['^FYI agents?:']\n", encoding="utf-8")
    told_of = prompted("FYI agent: releases are cut on Fridays only")
    assert "Kept for this project, as the user asked" in told_of
    (one,) = call("list", "--json").json
    assert one["description"] == "releases are cut on Fridays only"
    assert [note.text for note in state_of(home).pending] == ["releases are cut on Fridays only"]


@pytest.mark.parametrize(
    ("agent", "event"),
    [("codex", "UserPromptSubmit"), ("gemini", "BeforeAgent"), ("opencode", "chat.message")],
)
def test_whichever_agent_it_is_typed_to(home: Path, agent: str, event: str) -> None:
    prompt = "Please remember: releases are cut on Fridays only"
    done = hook(agent, told(event, prompt=prompt) | opencode(event, text=prompt))
    assert b"Kept for this project, as the user asked" in done.stdout
    assert [one["type"] for one in call("list", "--json").json] == ["feedback"]


@table("hook_typed", "what_nobody_asked_to_be_kept_is_not")
def test_what_nobody_asked_to_be_kept_is_not(home: Path, prompt: str) -> None:
    assert prompted(prompt) == ""
    assert not (home / "store").exists()


def test_without_git_nothing_is_kept_and_the_agent_goes_on(
    home: Path, kept: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    said = prompted("remember: releases are cut on Fridays only")
    assert "will be when this session is read" in said
    assert "Tuesdays" in begun()


def test_a_long_paste_is_left_to_the_transcript(home: Path) -> None:
    prompt = "remember: releases are cut on Fridays only\n" + "a line of a log\n" * 100_000
    assert "Memory Pressure" in prompted(prompt)
    assert not (home / "store").exists()


def test_megabytes_that_were_pasted_are_no_trouble(home: Path, kept: Said) -> None:
    prompt = "When do deploys go out? " + "remember this line of a log 2026-11-20 ERROR x\n" * 40_000
    assert "Memory Pressure" in prompted(prompt)
    assert state_of(home).asked.text.startswith("When do deploys go out?")
    assert log_of(home) == []


def test_what_is_known_when_the_time_is_over_is_told(home: Path, kept: Said, tmp_path: Path) -> None:
    """The alarm rings while the child is at work: it rings it itself."""
    bell = "import os, signal\nif os.environ.get('SILT_OWN'): os.kill(os.getppid(), signal.SIGALRM)\n"
    (tmp_path / "early").mkdir()
    (tmp_path / "early" / "sitecustomize.py").write_text(bell)
    asked = told("UserPromptSubmit", prompt="Please remember: releases are cut on Fridays")
    (said,) = contexts([asked], PYTHONPATH=f"{tmp_path / 'early'}")
    assert "is being saved, or will be when this session is read" in said
    assert strip(said).strip() == ""
    (line,) = log_of(home)
    assert "took longer than" in line
    assert sorted("Fridays" in one["description"] for one in call("list", "--json").json) == [False, True]
