"""Siltstone itself in the real OpenCode: what the model is shown, and what stays of a session.

What holds of all agents, and so of OpenCode, is in test_real_life.py, test_real_mcp.py and
test_real_unhappy.py. One OpenCode serves the projects of all these tests; one store holds them all.
"""

import pytest
from real_model import ScriptedModel, Step
from real_opencode import CONTEXT, OUTPUT, SILT, Project
from real_silt import failures
from support.endpoint import LOOPBACK

from siltstone.pipeline.reading.echo import strip

pytestmark = pytest.mark.block_network(allowed_hosts=LOOPBACK)
FULL = int(0.97 * (CONTEXT - OUTPUT))
"""Tokens with which the context is critical, and OpenCode does not yet compact it."""
COUNT = Step(tool="bash", args={"command": "seq -f 'row %g of the table' 300", "description": "Count"})


@pytest.fixture
def here(opencode: Project) -> Project:
    """OpenCode with the plugin, and one memory of its project."""
    opencode.plug(SILT)
    opencode.silt("remember", "Deploys go out on Tuesdays only", "--type", "project")
    return opencode


def block(system: str) -> str:
    return system[system.index("<siltstone-memory>") :]


def test_a_session_is_shown_its_memories_and_what_is_new_beside_its_prompt(
    here: Project, model: ScriptedModel
) -> None:
    first = here.ask("When do deploys go out?")
    here.silt("remember", "The staging database is called larch", "--type", "project")
    here.ask("What is the staging database called?", first)
    before, after = model.turns
    assert all("Tuesdays" not in one.everything for one in model.asked if one.purpose == "title")
    assert "Tuesdays" in before.system
    assert strip(before.user).strip() == "When do deploys go out?"
    assert "larch" not in before.system
    # The system prompt keeps its bytes, so that the provider's cache holds: what is new stands behind.
    assert block(after.system) == block(before.system)
    assert "larch" in after.user
    assert "Tuesdays" not in after.user.replace(block(before.system), "")
    assert failures(here.home.root / "state") == []


def test_a_full_context_is_told_and_its_output_cut(here: Project, model: ScriptedModel) -> None:
    model.on("Fill", Step("Full.", tokens=FULL))
    model.on("Count", COUNT, Step("Counted.", tokens=FULL))
    first = here.ask("Count it")
    here.ask("Fill it", first)
    here.ask("Count it again", first)
    assert "[silt: " not in model.turns[1].results[0]
    # The turn in which it became full was over: the next prompt is told, and no other.
    assert ["[Memory Pressure: " in one.user for one in model.turns] == [False, False, True, False, False]
    cut = model.turns[-1].results[0]
    assert "[silt: " in cut
    assert len(cut) < len(model.turns[1].results[0]) / 4
    assert failures(here.home.root / "state") == []


def test_its_compaction_holds_memories_and_proposes_some(here: Project, model: ScriptedModel) -> None:
    model.summary = "## Goal\n- Ship.\n\nMemory candidates:\n- [project] Releases need two approvals."
    model.on("Ship", Step("Shipping.", tokens=CONTEXT))
    session = here.ask("Ship it")
    (summary,) = [one for one in model.asked if one.purpose == "summary"]
    assert "Tuesdays" in summary.user
    assert summary.user.endswith("nothing that the repository itself says.")
    assert "Tuesdays" in block(model.turns[-1].system)
    # What the summary proposes waits until the session is read.
    shown = here.silt("session", "show", f"opencode/{session}")
    assert "[project] Releases need two approvals." in shown
    assert failures(here.home.root / "state") == []


def test_a_typed_command_does_what_silt_does(here: Project, model: ScriptedModel) -> None:
    here.command("remember Tabs, never spaces")
    here.command("search deploys")
    here.silt("remember", "Pears are bought in Ghent", "--type", "project")
    here.command("forget project-pears-are-bought-in-ghent")
    assert "kept: " in model.turns[0].user
    assert "Tuesdays" in model.turns[1].user
    shown = here.silt("inject")
    assert "Tabs" in shown
    assert "Tuesdays" in shown
    assert "Ghent" not in shown
