"""OpenCode's plugin by itself, in node, against a stand-in for silt: what it shows and what it tells."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from plugin_steps import IN, MAIN, SUB, TYPED, Step, answer, event, message, system, tool
from real_silt import FakeSilt


def test_the_steps_of_a_turn_share_one_block(silt: FakeSilt, play: Callable[..., Any]) -> None:
    silt.answers({"system": {"context": "<block>"}})
    outputs = play(message(), system(), tool(), system(), message(), system())
    assert [outputs[n]["system"] for n in (1, 3, 5)] == [["You are opencode", "<block>"]] * 3
    # With the first message the block comes first, so that the message is given only what else fits.
    assert silt.events == ["system", "chat.message", "tool.after", "chat.message", "system"]
    assert [one["text"] for one in silt.told if one["hook_event_name"] == "system"] == ["Which manager?"] * 2


def test_the_person_is_told_how_things_stand_once_and_what_is_kept(
    silt: FakeSilt, play: Callable[..., Any]
) -> None:
    silt.answers({"system": {"context": "<block>", "told": "3 memories"}, "chat.message": {"told": "kept"}})
    play(message(), system(), message(), system())
    assert silt.toasts == ["3 memories", "kept", "kept"]


@pytest.mark.parametrize(
    "head",
    ["You are a title generator. You output …", "You are a context summarization agent. You are given …"],
)
def test_titles_and_summaries_are_shown_nothing(head: str, silt: FakeSilt, play: Callable[..., Any]) -> None:
    silt.answers({"system": {"context": "<block>"}})
    assert play(system(head)) == [{"system": [head]}]
    assert silt.calls == []


@pytest.mark.parametrize(
    "step",
    [
        message(session=SUB),
        system(session=SUB),
        tool(session=SUB),
        ["experimental.session.compacting", {"sessionID": SUB}, {"context": []}],
        event("session.idle", sessionID=SUB),
        event("session.compacted", sessionID=SUB),
        event("session.deleted", info={"id": SUB, "parentID": MAIN}),
    ],
    ids=["message", "system", "tool", "compacting", "idle", "compacted", "deleted"],
)
def test_a_sub_agent_is_shown_nothing_and_tells_nothing(
    step: Step, silt: FakeSilt, play: Callable[..., Any]
) -> None:
    assert play(step) == [step[-1]]
    assert silt.calls == []


def test_what_fits_a_message_stands_behind_what_was_typed(silt: FakeSilt, play: Callable[..., Any]) -> None:
    silt.answers({"chat.message": {"context": "<hits>"}})
    file = {**TYPED[0], "id": "prt_2", "text": "Called the Read tool …", "synthetic": True}
    (output,) = play(message([TYPED[0], file]))
    assert [one["text"] for one in output["parts"]] == ["Which manager?", "Called the Read tool …", "<hits>"]
    added = output["parts"][-1]
    assert added["synthetic"]
    assert added["messageID"] == "msg_1"
    assert added["id"] > "prt_2"
    told = silt.told[-1]
    expected = {"text": "Which manager?", "message": "msg_1", "model": "p/m", "session": MAIN}
    assert expected.items() <= told.items()


def test_what_is_told_of_the_first_message_stands_in_the_system_prompt(
    silt: FakeSilt, play: Callable[..., Any]
) -> None:
    silt.answers({"system": {"context": "<block>"}, "chat.message": {"context": "<kept>"}})
    begun = event("session.created", info={"id": MAIN, "title": "New session - 2026-11-21T16:00:00.000Z"})
    title = "You are a title generator. …"
    _, first, shown, titled, second, later = play(
        begun, message(), system(), system(title), message(), system()
    )
    assert first["parts"] == TYPED, "OpenCode makes the title of the whole message"
    assert second["parts"][-1]["text"] == "<kept>"
    assert titled["system"] == [title]
    assert shown["system"] == later["system"] == ["You are opencode", "<block>\n<kept>"]


def test_a_message_nobody_typed_is_not_asked_about(silt: FakeSilt, play: Callable[..., Any]) -> None:
    play(message([{**TYPED[0], "synthetic": True}]))
    assert silt.calls == []


def test_a_tools_output_is_cut_and_the_pressure_told(silt: FakeSilt, play: Callable[..., Any]) -> None:
    cut = "a\n[silt: 2 lines of this log cut]"
    silt.answers({"tool.after": {"output": cut, "context": "[Memory Pressure]"}})
    tokens = {"input": 5, "output": 2, "cache": {"read": 100, "write": 10}}
    info = {"role": "assistant", "sessionID": MAIN, "tokens": tokens}
    limits, others = {"context": 200, "output": 20}, {"context": 9, "output": 1}
    outputs = play(
        ["chat.params", {**IN, "agent": "build", "model": {"limit": limits}}],
        ["chat.params", {**IN, "agent": "title", "model": {"limit": others}}],
        event("message.updated", info=info),
        tool(exit=2),
    )
    assert outputs[3]["output"] == f"{cut}\n\n[Memory Pressure]"
    told = silt.told[0]
    assert {key: told[key] for key in ("tool", "input", "output", "exit")} == {
        "tool": "bash",
        "input": {"command": "make"},
        "output": "a\nb\nc",
        "exit": 2,
    }
    assert (told["tokens"], told["limit"], told["reserve"]) == (117, 200, 20)
    assert told["at"] > 0  # so that the same call a second later is not taken for a repeat


def test_a_compaction_is_told_with_its_summary(silt: FakeSilt, play: Callable[..., Any]) -> None:
    silt.answers({"session.compacting": {"context": "<memories>"}})
    summing = {"role": "assistant", "sessionID": MAIN, "id": "msg_s", "summary": True}
    outputs = play(
        message(),
        answer("Using pnpm."),
        ["experimental.session.compacting", IN, {"context": ["theirs"]}],
        event("message.updated", info=summing),
        answer("## Goal", "msg_s"),
        event("session.compacted", sessionID=MAIN),
        system(),
        event("session.idle", sessionID=MAIN),
        event("session.idle", sessionID=MAIN),
    )
    assert outputs[2]["context"] == ["theirs", "<memories>"]
    compacted, block, idle, again = silt.told[-4:]
    assert (compacted["hook_event_name"], compacted["text"]) == ("session.compacted", "## Goal")
    assert block["hook_event_name"] == "system"  # asked for anew
    assert (idle["hook_event_name"], idle["text"]) == ("session.idle", "Using pnpm.")
    assert again["text"] == ""


def test_first_messages_of_several_sessions_at_once_are_told_each_as_its_own(
    silt: FakeSilt, play: Callable[..., Any]
) -> None:
    silt.answers({"chat.message": {"context": "<hits>"}})
    names = ["ses_1", "ses_2", "ses_3"]
    typed = [[{**TYPED[0], "sessionID": one, "text": f"I am {one}"}] for one in names]
    outputs = play(*(message(parts, one) for parts, one in zip(typed, names, strict=True)), at_once=True)
    told = {one["session"]: one["text"] for one in silt.told if one["hook_event_name"] == "chat.message"}
    assert told == {one: f"I am {one}" for one in names}
    assert [one["parts"][-1]["sessionID"] for one in outputs] == names


def test_that_messages_were_undone_is_told_once(silt: FakeSilt, play: Callable[..., Any]) -> None:
    gone = event("message.removed", sessionID=MAIN, messageID="msg_1")
    play(message(), gone, gone, message(), message())
    told = [one for one in silt.told if one["hook_event_name"] == "chat.message"]
    assert [one.get("undone") for one in told] == [None, True, None]


def test_the_end_is_told_and_waits_for_what_is_under_way(silt: FakeSilt, play: Callable[..., Any]) -> None:
    play(message(), ["dispose"])
    assert silt.told[-1]["hook_event_name"] == "dispose"
    assert silt.told[-1]["session"] == MAIN


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", ["status"]),
        ("status", ["status"]),
        ("flush now", ["flush"]),
        ("search package manager", ["search", "--", "package manager"]),
        ('"remember don\'t use npm"', ["remember", "--", "don't use npm"]),
        ('"remember say \\"no\\" to npm"', ["remember", "--", 'say "no" to npm']),
        ('remember "say \\"no\\" to npm"', ["remember", "--", 'say "no" to npm']),
        ('remember "pnpm", never "npm"', ["remember", "--", '"pnpm", never "npm"']),
        (
            "remember `id` $(id) --scope=global\nand more",
            ["remember", "--", "`id` $(id) --scope=global\nand more"],
        ),
        ("forget package-manager", ["forget", "--", "package-manager"]),
    ],
)
def test_a_typed_command_is_run_as_it_stands(
    typed: str, words: list[str], tmp_path: Path, silt: FakeSilt, play: Callable[..., Any]
) -> None:
    silt.answers({words[0]: "done: it"})
    asked = {"command": "silt", "arguments": typed, **IN}
    (output,) = play(["command.execute.before", asked, {"parts": [{"type": "text", "text": "…"}]}])
    assert [one["text"] for one in output["parts"]] == ["…", "done: it"]
    assert all(one["synthetic"] for one in output["parts"])
    assert [(one["words"], one["cwd"]) for one in silt.calls] == [(words, str(tmp_path))]


def test_what_a_command_of_the_users_came_to_is_marked_and_told_to_nobody(
    silt: FakeSilt, play: Callable[..., Any]
) -> None:
    asked = {"command": "notes", "arguments": "", **IN}
    put_in = {"type": "text", "text": "a file", "synthetic": True}
    parts: list[dict[str, Any]] = [{"type": "text", "text": "remember: x", "metadata": {"a": 1}}, put_in]
    (output,) = play(["command.execute.before", asked, {"parts": parts}])
    marked = {**parts[0], "metadata": {"a": 1, "siltstone": "command"}}
    assert output["parts"] == [marked, put_in]
    play(message(output["parts"]))
    assert silt.events == []


@pytest.mark.parametrize(("action", "told"), [("deny", True), ("allow", None)])
def test_that_a_session_is_one_of_run_is_told(
    silt: FakeSilt, play: Callable[..., Any], action: str, told: bool | None
) -> None:
    rules = [{"permission": "question", "pattern": "*", "action": action}]
    play(event("session.created", info={"id": MAIN, "permission": rules}), message())
    assert [one.get("headless") for one in silt.told] == [told, told]


@pytest.mark.parametrize("typed", ["purge all", "constructor", "remember", "forget  ", "--help"])
def test_a_typed_command_there_is_none_of_runs_nothing(
    typed: str, silt: FakeSilt, play: Callable[..., Any]
) -> None:
    asked = {"command": "silt", "arguments": typed, **IN}
    (output,) = play(["command.execute.before", asked, {"parts": []}])
    assert "/silt" in output["parts"][0]["text"]
    assert silt.calls == []
