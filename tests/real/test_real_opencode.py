"""The plugin in the real OpenCode: what arrives at the model, and what silt is told.

A program stands in for silt, so that each door is seen alone; test_real_opencode_memory.py has silt itself.
Where no other word is said, one OpenCode serves the projects of all these tests.
"""

import pytest
from real_model import ScriptedModel, Step
from real_opencode import CONTEXT, Project
from real_silt import FakeSilt
from real_wait import eventually
from support.endpoint import LOOPBACK

pytestmark = pytest.mark.block_network(allowed_hosts=LOOPBACK)

SEQ = Step(tool="bash", args={"command": "seq 1 400", "description": "Count"})


def test_the_block_is_in_the_system_prompt_of_turns_alone(
    opencode: Project, model: ScriptedModel, silt: FakeSilt
) -> None:
    silt.answers({"system": {"context": "<the block>"}})
    model.on("Count", SEQ, Step("Counted."))
    opencode.plug([str(silt.path)])
    opencode.ask("Count it")
    eventually(lambda: len(model.asked) == 3, lambda: model.asked)
    assert sorted((one.purpose, "<the block>" in one.system) for one in model.asked) == [
        ("title", False),
        ("turn", True),
        ("turn", True),
    ]


def test_what_fits_stands_behind_the_prompt_and_in_no_transcript_as_typed(
    opencode: Project, model: ScriptedModel, silt: FakeSilt
) -> None:
    silt.answers({"chat.message": {"context": "<hits>"}})
    opencode.plug([str(silt.path)])
    session = opencode.ask("Hello")
    assert "<hits>" in model.turns[0].system
    assert not [one for one in model.asked if one.purpose == "title" and "<hits>" in one.everything]
    opencode.ask("Which manager?", session)
    assert model.turns[1].user.endswith("Which manager?\n<hits>")
    parts = opencode.said(session)
    assert [one.get("synthetic") for one in parts if one.get("text") == "<hits>"] == [True]


def test_pruned_output_is_all_the_model_sees(opencode: Project, model: ScriptedModel, silt: FakeSilt) -> None:
    silt.answers({"tool.after": {"output": "1\n[silt: 399 lines of this text cut]", "context": "<pressure>"}})
    model.on("Count", SEQ, Step("Counted."))
    opencode.plug([str(silt.path)])
    opencode.ask("Count it")
    assert model.turns[-1].results == ["1\n[silt: 399 lines of this text cut]\n\n<pressure>"]
    (told,) = [one for one in silt.told if one["hook_event_name"] == "tool.after"]
    assert (told["tool"], told["exit"], told["input"]["command"]) == ("bash", 0, "seq 1 400")
    assert told["output"].startswith("1\n2\n")


def test_its_compaction_gets_the_memories_and_tells_the_summary(
    opencode: Project, model: ScriptedModel, silt: FakeSilt
) -> None:
    silt.answers({"system": {"context": "<the block>"}, "session.compacting": {"context": "<memories>"}})
    model.summary = "## Goal\n- Count.\n\nMemory candidates:\n- [project] It counts to 400."
    model.on("Count", Step("Counted.", tokens=CONTEXT - 100))
    opencode.plug([str(silt.path)])
    opencode.ask("Count it")
    (asked,) = [one for one in model.asked if one.purpose == "summary"]
    assert asked.user.endswith("<memories>")
    assert "<the block>" not in asked.everything
    (told,) = [one for one in silt.told if one["hook_event_name"] == "session.compacted"]
    assert told["text"] == model.summary
    after = model.turns[-1]  # OpenCode goes on by itself
    assert "It counts to 400." in after.everything
    assert "<the block>" in after.system


def test_what_it_tells_of_a_session_from_start_to_end(
    opencode: Project, model: ScriptedModel, silt: FakeSilt
) -> None:
    """OpenCode is started for it, and ends with it."""
    model.on("Count", SEQ, Step("Counted."))
    opencode.plug([str(silt.path)])
    ran = opencode.run("Count it")
    assert (ran.code, ran.err) == (0, "")
    *waited, one, other = silt.events
    assert waited == ["system", "chat.message", "tool.before", "tool.after"]
    assert {one, other} == {"session.idle", "dispose"}, "two processes, neither waits for the other"
    assert {(one["session"], one["cwd"]) for one in silt.told} == {(ran.session, str(opencode.path))}
    (idle,) = [one for one in silt.told if one["hook_event_name"] == "session.idle"]
    assert idle["text"] == "Counted."


def test_what_it_tells_of_a_session_that_goes_on_and_is_deleted(
    opencode: Project, model: ScriptedModel, silt: FakeSilt
) -> None:
    opencode.plug([str(silt.path)])
    session = opencode.ask("Count it")
    opencode.ask("Count again", session)
    again = [one for one in silt.told if one["hook_event_name"] == "chat.message"][-1]
    assert (again["session"], again["text"], again["model"]) == (session, "Count again", "scripted/scripted")
    opencode.delete(session)
    eventually(lambda: "session.deleted" in silt.events, lambda: silt.events)


def test_a_sub_agent_is_given_nothing_but_what_speaks_of_its_calls(
    opencode: Project, model: ScriptedModel, silt: FakeSilt
) -> None:
    silt.answers({"system": {"context": "<the block>"}, "tool.before": {"context": "<the rule>"}})
    task = {"description": "look", "prompt": "Child: look", "subagent_type": "general"}
    model.on("Child", SEQ, Step("Nothing there."))
    model.on("Delegate", Step(tool="task", args=task), Step("It found nothing."))
    opencode.plug([str(silt.path)])
    session = opencode.ask("Delegate it")
    eventually(lambda: "session.idle" in silt.events, lambda: silt.events)
    child = [one for one in model.turns if one.user.startswith("Child")]
    assert child
    assert not any("<the block>" in one.everything for one in child)
    assert [one.everything.count("<the rule>") for one in child] == [0, 1]
    (before,) = [one for one in silt.told if one["session"] != session]
    assert (before["hook_event_name"], before["parent"]) == ("tool.before", session)
    assert silt.events.count("session.idle") == 1


@pytest.mark.parametrize(
    "words",
    [["/nowhere/silt"], ["sh", "-c", "exit 3"], ["sh", "-c", "echo garbage"], ["sh", "-c", "exec sleep 600"]],
    ids=["gone", "fails", "babbles", "hangs"],
)
def test_a_silt_that_does_not_work_is_not_noticed(
    words: list[str], opencode: Project, model: ScriptedModel
) -> None:
    model.on("Count", SEQ, Step("Counted."))
    opencode.plug(words)
    session = opencode.ask("Count it")
    assert "Counted." in [one.get("text") for one in opencode.said(session)]
    assert model.turns[-1].results[0].startswith("1\n2\n")


def test_a_typed_command_is_answered_with_what_silt_says(
    opencode: Project, model: ScriptedModel, silt: FakeSilt
) -> None:
    silt.answers({"remember": "kept: feedback-npm"})
    opencode.plug([str(silt.path)])
    opencode.command("remember don't use npm; `id`")
    assert [one["words"] for one in silt.calls if one["words"][0] != "hook"] == [
        ["remember", "--", "don't use npm; `id`"]
    ]
    assert model.turns[0].user.endswith("kept: feedback-npm")
    assert "chat.message" not in silt.events


def test_asked_by_silt_itself_it_shows_and_tells_nothing(
    opencode: Project, model: ScriptedModel, silt: FakeSilt
) -> None:
    silt.answers({"system": {"context": "<the block>"}})
    opencode.plug([str(silt.path)])
    ran = opencode.run("Which manager?", {"SILT_OWN": "1"})
    assert (ran.code, ran.err) == (0, "")
    assert "<the block>" not in model.turns[0].everything
    assert silt.calls == []
