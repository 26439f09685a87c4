"""Gemini CLI, which is resumed, typed commands to, and compacts: what no hook of it tells for itself."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from real_desk import HEADLESSLY, Desk, desk
from real_model import Asked, Step

RESUMED = ("--resume", "latest", *HEADLESSLY["gemini"])
SNAPSHOT = "<state_snapshot>They greeted.</state_snapshot>"


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path, "gemini") as one:
        one.silt("remember", "Nothing goes out on Fridays", "--type", "project")
        one.silt("install", "gemini")
        yield one


def resumed(here: Desk, prompt: str) -> Asked:
    """What the model is asked last, when the newest session is resumed with a prompt."""
    ran = here.ask("gemini", prompt, RESUMED)
    assert ran.code == 0, ran
    return here.model.turns[-1]


def test_resumed_a_typed_command_is_one_and_the_next_prompt_is_shown_what_changed(here: Desk) -> None:
    here.ask("gemini", "Hello there")
    here.silt("remember", "Prices are kept in pence", "--type", "project")
    command = resumed(here, "/silt:status")
    assert "This is what `silt status` says" in command.user
    assert "- Prices are kept in pence" not in command.everything  # but the status names what was kept last
    assert "- Prices are kept in pence" in resumed(here, "What else?").user
    # In the conversation it stands from now on, and once.
    assert resumed(here, "And then?").everything.count("- Prices are kept in pence") == 1
    assert here.failures == []


def test_a_session_that_was_compacted_is_shown_it_again(here: Desk) -> None:
    settings = here.home / ".gemini" / "settings.json"
    told = json.loads(settings.read_text())
    settings.write_text(json.dumps(told | {"model": {**told["model"], "compressionThreshold": 0.001}}))
    here.model.on("state_snapshot", Step(SNAPSHOT))
    here.ask("gemini", "Hello there")
    here.model.on("Fill", Step("Full.", tokens=20_000))
    resumed(here, "Fill " + "the page " * 3_000)
    compacted = resumed(here, "What now?")
    assert SNAPSHOT in compacted.everything
    assert "Nothing goes out on Fridays" not in compacted.user
    assert "Nothing goes out on Fridays" in resumed(here, "And then?").user
    assert "Nothing goes out on Fridays" not in resumed(here, "At last?").user
    assert here.failures == []
