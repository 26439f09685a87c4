"""Siltstone itself in the real OpenCode: what the model is shown, and what stays of a session."""

import sqlite3
import subprocess
import sys

import pytest
from real_model import ScriptedModel, Step
from real_opencode import CONTEXT, OUTPUT, OpenCodeHome
from real_wait import eventually

from siltstone.pipeline.echo import strip

SILT = [sys.executable, "-m", "siltstone"]
FULL = int(0.97 * (CONTEXT - OUTPUT))
"""Tokens with which the context is critical, and OpenCode does not yet compact it."""
COUNT = Step(tool="bash", args={"command": "seq -f 'row %g of the table' 300", "description": "Count"})


@pytest.fixture
def home(opencode: OpenCodeHome) -> OpenCodeHome:
    """OpenCode with the plugin, and one memory of its project."""
    opencode.plug(SILT)
    silt(opencode, "remember", "Deploys go out on Tuesdays only", "--type", "project")
    return opencode


def silt(home: OpenCodeHome, *words: str) -> str:
    """A command that a person types in the project."""
    done = subprocess.run(
        [*SILT, *words], cwd=home.project, env=home.env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def block(system: str) -> str:
    return system[system.index("<siltstone-memory>") :]


def log_of(home: OpenCodeHome) -> str:
    log = home.root / "state" / "hooks.log"
    return log.read_text() if log.exists() else ""


def failures(home: OpenCodeHome) -> list[str]:
    """What hooks could not do; a batch tells there what it did."""
    return [line for line in log_of(home).splitlines() if " batch: " not in line]


def test_a_session_is_shown_its_memories_and_what_is_new_beside_its_prompt(
    home: OpenCodeHome, model: ScriptedModel
) -> None:
    first = home.run("When do deploys go out?")
    silt(home, "remember", "The staging database is called larch", "--type", "project")
    home.run("What is the staging database called?", session=first.session)
    title, before, after = model.asked
    assert "Tuesdays" not in title.everything
    assert "Tuesdays" in before.system
    assert strip(before.user).strip() == '"When do deploys go out?"'
    assert "larch" not in before.system
    # The system prompt keeps its bytes, so that the provider's cache holds: what is new stands behind.
    assert block(after.system) == block(before.system)
    assert "larch" in after.user
    assert "Tuesdays" not in after.user.replace(block(before.system), "")
    assert failures(home) == []


def test_what_is_asked_to_be_kept_is_kept_and_told_at_once_and_not_twice(
    home: OpenCodeHome, model: ScriptedModel
) -> None:
    home.run("Please remember that ports start at 7000.")
    assert "asked" in model.turns[0].user.partition("<siltstone-memory>")[2]  # "Kept …, as the user asked"
    assert "ports start at 7000" in silt(home, "list")
    eventually(lambda: "batch: run:" in log_of(home))
    assert silt(home, "list").count("  feedback-ports-start-at-7000") == 1


def test_a_session_is_read_when_opencode_has_ended(home: OpenCodeHome, model: ScriptedModel) -> None:
    home.run("No, use tabs, not spaces, in every Makefile.")
    eventually(lambda: "tabs" in silt(home, "list"))
    home.run("What about a Makefile?")
    assert "tabs" in model.turns[-1].everything


def test_a_full_context_is_told_and_its_output_cut(home: OpenCodeHome, model: ScriptedModel) -> None:
    model.on("Fill", Step("Full.", tokens=FULL))
    model.on("Count", COUNT, Step("Counted.", tokens=FULL))
    first = home.run("Count it")
    home.run("Fill it", session=first.session)
    home.run("Count it again", session=first.session)
    assert "[silt: " not in model.turns[1].results[0]
    # The turn in which it became full was over: the next prompt is told, in the next process, and no other.
    assert ["[Memory Pressure: " in one.user for one in model.turns] == [False, False, True, False, False]
    cut = model.turns[-1].results[0]
    assert "[silt: " in cut
    assert len(cut) < len(model.turns[1].results[0]) / 4
    assert failures(home) == []


def test_its_compaction_holds_memories_and_proposes_some(home: OpenCodeHome, model: ScriptedModel) -> None:
    model.summary = "## Goal\n- Ship.\n\nMemory candidates:\n- [project] Releases need two approvals."
    model.on("Ship", Step("Shipping.", tokens=CONTEXT))
    ran = home.run("Ship it")
    (summary,) = [one for one in model.asked if one.purpose == "summary"]
    assert "Tuesdays" in summary.user
    assert summary.user.endswith("nothing that the repository itself says.")
    assert "Tuesdays" in block(model.turns[-1].system)
    # What the summary proposes waits until the session is read.
    assert "[project] Releases need two approvals." in silt(
        home, "session", "show", f"opencode/{ran.session}"
    )
    assert failures(home) == []


def test_a_typed_command_does_what_silt_does(home: OpenCodeHome, model: ScriptedModel) -> None:
    home.run("remember Tabs, never spaces", "--command", "silt")
    home.run("search deploys", "--command", "silt")
    home.run("forget project-deploys-go-out-on-tuesdays-only", "--command", "silt")
    assert "promoted: " in model.turns[0].user
    assert "Tuesdays" in model.turns[1].user
    told = silt(home, "list")
    assert "Tabs" in told
    assert "Tuesdays" not in told


def test_the_plugin_brings_the_tools_of_memory(opencode: OpenCodeHome, model: ScriptedModel) -> None:
    opencode.plug(SILT, mcp=True)
    silt(opencode, "remember", "Deploys go out on Tuesdays only", "--type", "project")
    model.on("Recall", Step(tool="siltstone_memory_search", args={"query": "deploys"}), Step("Tuesdays."))
    opencode.run("Recall it")
    assert "Tuesdays" in model.turns[-1].results[0]


def test_without_a_store_nothing_is_shown_and_nothing_complained_of(
    opencode: OpenCodeHome, model: ScriptedModel
) -> None:
    opencode.plug(SILT)
    ran = opencode.run("When do deploys go out?")
    assert (ran.code, ran.err) == (0, "")
    assert "<siltstone" not in model.turns[0].everything
    assert failures(opencode) == []


def test_a_store_that_is_damaged_is_not_noticed_and_told_in_the_log(
    home: OpenCodeHome, model: ScriptedModel
) -> None:
    (home.root / "state" / "recall.sqlite3").write_bytes(b"hello" * 500)
    ran = home.run("When do deploys go out?")
    assert (ran.code, ran.err) == (0, "")
    assert "silt rebuild" in log_of(home)


def test_a_state_that_another_program_holds_is_not_waited_for(
    home: OpenCodeHome, model: ScriptedModel
) -> None:
    held = sqlite3.connect(home.root / "state" / "state.sqlite3", isolation_level=None)
    held.execute("begin exclusive")
    ran = home.run("When do deploys go out?")
    held.close()
    assert (ran.code, ran.err) == (0, "")
    assert len(model.turns) == 1
