"""Whatever silt, OpenCode or the user hands the plugin, OpenCode goes on as if it were not there."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from plugin_steps import IN, MAIN, TOOL, TYPED, event, message, system, tool
from real_silt import FakeSilt

GONE = "/nowhere/silt"
UNTOUCHED = [message(), system(), tool(), ["experimental.session.compacting", IN, {"context": []}]]


@pytest.mark.parametrize("said", ["", "{", "null", "7", '"text"', '{"context": 7, "output": {}}', "\x00\xff"])
def test_an_answer_that_is_none_changes_nothing(said: str, silt: FakeSilt, play: Callable[..., Any]) -> None:
    events = ("system", "chat.message", "tool.after", "session.compacting")
    silt.answers(dict.fromkeys(events, said))
    outputs = play(*UNTOUCHED)
    assert json.dumps(outputs) == json.dumps([step[2] for step in UNTOUCHED])


@pytest.mark.parametrize(
    "words",
    [[GONE], ["sh", "-c", "exit 3"], ["sh", "-c", "exec sleep 600"], ["sh", "-c", "exec 0<&-; kill -9 $$"]],
    ids=["no such program", "fails", "hangs", "is killed"],
)
def test_a_silt_that_does_not_work_changes_nothing(words: list[str], play: Callable[..., Any]) -> None:
    outputs = play(tool(), ["dispose"], words=words)
    assert outputs[0] == tool()[2]


def test_a_silt_that_hangs_is_waited_for_once_and_the_end_of_a_turn_is_told_all_the_same(
    tmp_path: Path, play: Callable[..., Any]
) -> None:
    calls = tmp_path / "calls"
    words = ["sh", "-c", f"echo called >> {calls}; exec sleep 600"]
    play(message(), system(), tool(), tool(), message(), system(), words=words)
    assert calls.read_text() == "called\n"
    play(tool(), tool(), event("session.idle", sessionID=MAIN), words=words)
    assert calls.read_text() == "called\n" * 3


ODD: dict[str, list[dict[str, Any]]] = {
    "an image alone": [{"id": "prt_1", "type": "file", "mime": "image/png", "url": "data:image/png;base64,"}],
    "an empty prompt": [{**TYPED[0], "text": ""}],
    "a sub-task": [
        {"id": "prt_1", "type": "subtask", "agent": "general", "prompt": "Look", "description": "x"}
    ],
    "no text": [{"id": "prt_1", "type": "text"}],
    "ignored": [{**TYPED[0], "ignored": True}],
}


@pytest.mark.parametrize("parts", ODD.values(), ids=ODD.keys())
def test_a_message_in_which_nothing_was_typed_stays_as_it_is(
    parts: list[dict[str, Any]], silt: FakeSilt, play: Callable[..., Any]
) -> None:
    silt.answers({"chat.message": {"context": "<hits>"}})
    (output,) = play(message(parts))
    assert output["parts"] == parts
    assert silt.calls == []


def test_what_was_attached_is_neither_told_nor_moved(silt: FakeSilt, play: Callable[..., Any]) -> None:
    silt.answers({"chat.message": {"context": "<hits>"}})
    image = ODD["an image alone"][0] | {"id": "prt_2", "messageID": "msg_1", "sessionID": MAIN}
    agent = {"id": "prt_3", "messageID": "msg_1", "sessionID": MAIN, "type": "agent", "name": "general"}
    (output,) = play(message([TYPED[0], image, agent]))
    assert output["parts"][:3] == [TYPED[0], image, agent]
    assert [(one["id"], one["text"]) for one in output["parts"][3:]] == [("prt_3z", "<hits>")]
    assert silt.told[-1]["text"] == "Which manager?"


@pytest.mark.parametrize("output", [None, 7, {"output": 7}, {}, [], {"output": None, "metadata": None}])
def test_a_tools_output_of_another_kind_is_left_alone(
    output: object, silt: FakeSilt, play: Callable[..., Any]
) -> None:
    silt.answers({"tool.after": {"output": "cut"}})
    (same,) = play(["tool.execute.after", dict(TOOL), output])
    assert same == (output if output is not None else TOOL)
    assert silt.calls == []


def test_an_mcp_servers_result_is_left_alone(silt: FakeSilt, play: Callable[..., Any]) -> None:
    step = tool()
    step[2] = {"content": [{"type": "text", "text": "a"}]}
    assert play(step) == [{"content": [{"type": "text", "text": "a"}]}]
    assert silt.calls == []


def test_an_output_that_was_not_told_whole_stays_whole(silt: FakeSilt, play: Callable[..., Any]) -> None:
    silt.answers({"tool.after": {"output": "cut"}})
    long = "x" * 1_000_001
    (output,) = play(tool(long))
    assert output["output"] == long
    assert len(silt.told[0]["output"]) == 1_000_000


def test_of_two_copies_one_works(silt: FakeSilt, play: Callable[..., Any]) -> None:
    silt.answers({"system": {"context": "<block>"}})
    assert play(system(), copies=2) == [{"system": ["You are opencode", "<block>"]}]
    assert silt.events == ["system"]


def test_an_opencode_that_silt_itself_asks_has_no_hooks(silt: FakeSilt, play: Callable[..., Any]) -> None:
    play(*UNTOUCHED, event("session.idle", sessionID=MAIN), ["dispose"], SILT_OWN="1")
    assert silt.calls == []


def test_what_the_user_set_under_our_name_stays(silt: FakeSilt, play: Callable[..., Any]) -> None:
    ours = {"type": "local", "command": [str(silt.path), "mcp"]}
    theirs = {"command": {"silt": {"template": "mine"}}, "mcp": {"siltstone": {"enabled": False}}}
    others = {"mcp": {"other": {"enabled": True}}}
    same, more = play(["config", theirs], ["config", others], mcp=True)
    assert same == theirs
    assert more["mcp"] == {"siltstone": ours, "other": {"enabled": True}}
    assert "$ARGUMENTS" in more["command"]["silt"]["template"]
