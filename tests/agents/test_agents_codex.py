"""Codex: what the recorded rollouts say, of every era, however their lines are written."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from agents_outline import outline
from codex_home import (
    NAMES,
    OUTLINES,
    Home,
    call,
    event,
    item,
    opened,
    output,
    ran,
    response,
    said,
    steps,
    typed,
)
from support.table import table

from siltstone.agents.values import Record
from siltstone.pipeline.messages import Message, Session, Step, ToolCall

TURN = (event("task_started"), event("task_complete", last_agent_message=None))


def tools(told: list[Step]) -> list[ToolCall]:
    return [one.item.tool for one in told if isinstance(one.item, Message) and one.item.tool]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_rollout_is_read_as_its_raw_records_say(recorded: Home, name: str) -> None:
    assert outline(steps(recorded, recorded.path(name))) == OUTLINES[name]


def test_every_rollout_is_found_once(recorded: Home) -> None:
    found = list(recorded.reader().discover())
    assert sorted(one.key for one in found) == sorted(path.stem for path in recorded.root.rglob("rollout-*"))
    assert len(found) == len(NAMES)


def test_a_rollout_says_where_it_ran_and_who_began_it(recorded: Home) -> None:
    sessions = {name: opened(recorded, recorded.path(name)).session for name in NAMES}
    assert {one.cwd for one in sessions.values()} == {"/home/dev/app"}
    assert {name for name, one in sessions.items() if one.machine} == {"09-subagent-child"}
    assert sessions["09-subagent-child"].machine == "subagent"
    assert sessions["12-reverted-segment"].id == sessions["12-reverted"].id
    assert sessions["07-fork-of-01"].id == NAMES["07-fork-of-01"]


@table("codex", "machines")
def test_sessions_that_nobody_typed_are_told_apart(home: Home, about: Record, machine: str | None) -> None:
    assert opened(home, home.write(**about)).session.machine == machine


def test_the_recorded_remote_is_handed_on(home: Home) -> None:
    path = home.write(git={"repository_url": "https://user@example.org/app.git", "branch": "main"})
    assert opened(home, path).session.remotes == ("https://user@example.org/app.git",)


def test_evidence_names_the_item_and_its_time(recorded: Home) -> None:
    message = next(one.item for one in steps(recorded, recorded.path("03-remember")) if _typed(one.item))
    assert isinstance(message, Message)
    assert message.id.startswith("01a1fb88-")
    assert message.at == datetime(2026, 11, 21, 0, 36, 49, message.at.microsecond, UTC)


def test_ids_are_unique_within_a_session(recorded: Home) -> None:
    for name in NAMES:
        found = steps(recorded, recorded.path(name))
        ids = [one.item.id for one in found if isinstance(one.item, Message)]
        assert len(ids) == len(set(ids)), name


def test_a_script_that_runs_no_tool_is_a_call_itself(home: Home) -> None:
    script = response("custom_tool_call", name="exec", input="text(1 + 1)", call_id="c1")
    answer = [{"type": "input_text", "text": "Script completed"}, {"type": "input_text", "text": "2"}]
    path = home.write(script, response("custom_tool_call_output", call_id="c1", output=answer))
    assert outline(steps(home, path)) == ["exec: text(1 + 1) → Script completed⏎2"]


def test_what_a_command_that_runs_on_prints_later_is_its_output(home: Home) -> None:
    """Not after something was typed into it, which may have made it print anything."""

    def more(id_: str, chars: str) -> Record:
        arguments = json.dumps({"session_id": 7, "chars": chars, "yield_time_ms": 1000})
        return response("function_call", name="write_stdin", arguments=arguments, call_id=id_)

    head = "Chunk ID: 1\nWall time: 1.0 seconds\nProcess {}\nOutput:\n{}"
    runs_on = "running with session ID 7"
    path = home.write(
        more("c0", ""),
        output("c0", head.format(runs_on, "of before")),
        call("c1", "make"),
        output("c1", head.format(runs_on, "cc a.c")),
        more("c2", "\n"),
        output("c2", head.format(runs_on, "cc b.c")),
        more("c3", ""),
        output("c3", head.format("exited with code 2", "no rule")),
        more("c4", "cat a\n"),
        output("c4", head.format(runs_on, "a page")),
        more("c5", ""),
        output("c5", head.format(runs_on, "another")),
    )
    told = [(one.name, one.command, one.exit, one.output) for one in tools(steps(home, path))]
    assert told == [
        ("write_stdin", None, None, "of before"),
        ("exec_command", "make", None, "cc a.c"),
        ("write_stdin", "make", None, "cc b.c"),
        ("write_stdin", "make", 2, "no rule"),
        ("write_stdin", None, None, "a page"),
        ("write_stdin", None, None, "another"),
    ]


@pytest.mark.parametrize(
    ("printed", "typed", "told"),
    [
        ("a.c\n[sudo] password for ada: ", "mill7\n", "[REDACTED]"),
        ("Passwort für ada: ", "mill7\n", "[REDACTED]"),
        ("Go on? [y/n] ", "y\n", "y\n"),
        (None, "mill7\n", "[REDACTED]"),
    ],
)
def test_a_password_that_the_agent_types_is_hidden(
    home: Home, printed: str | None, typed: str, told: str
) -> None:
    """So is what is typed into a process of which nothing is known: reading may go on behind its prompt."""
    arguments = json.dumps({"session_id": 7, "chars": typed})
    entered = response("function_call", name="write_stdin", arguments=arguments, call_id="c2")
    asked = output("c1", f"Chunk ID: 1\nProcess running with session ID 7\nOutput:\n{printed}")
    before = [call("c1", "sudo make"), asked] if printed is not None else []
    path = home.write(*before, entered, output("c2", "Chunk ID: 2\nProcess exited with code 0\nOutput:\ncc"))
    [*_, tool] = tools(steps(home, path))
    assert json.loads(tool.input)["chars"] == told


def test_the_output_of_a_command_that_an_item_told_is_no_second_call(home: Home) -> None:
    path = home.write(call("c1", "make"), ran("c1", "make", 2, "no rule"), output("c1", "Output:\nno rule"))
    assert outline(steps(home, path)) == ["exec_command exit 2: make → no rule"]


@pytest.mark.parametrize(
    ("last", "seen"),
    [
        pytest.param([said("a1", "Done."), TURN[1]], "final: Done.", id="then the turn ends"),
        pytest.param(
            [said("a1", "Done."), event("turn_aborted")], "assistant: Done.", id="then an interrupt"
        ),
        pytest.param([said("a1", "Done."), event("task_complete", error={})], "final: Done.", id="no error"),
        pytest.param(
            [said("a1", "Half"), event("task_complete", error={"message": "cut"})],
            "assistant: Half",
            id="then an error",
        ),
        pytest.param([said("a1", "I look."), ran("c1", "ls")], "assistant: I look.", id="then a command"),
        pytest.param([said("a1", "I look."), call("c1", "ls")], "assistant: I look.", id="then a call"),
        pytest.param([said("a1", "Hm."), said("a2", "Ah."), TURN[1]], "assistant: Hm.", id="then more words"),
        pytest.param(
            [said("a1", "Done."), item("Reasoning", "r1"), TURN[1]], "final: Done.", id="then only thoughts"
        ),
        pytest.param([said("a1", "Hm."), item("HookPrompt", "h1")], "assistant: Hm.", id="then a stop hook"),
        pytest.param([said("a1", "Hm."), typed("u2", "wait")], "assistant: Hm.", id="then the user steers"),
        pytest.param([said("a1", "Hm."), TURN[0]], "assistant: Hm.", id="then a kill and a new turn"),
        pytest.param([said("a1", "Done.", "final_answer")], "final: Done.", id="a final phase"),
        pytest.param([said("a1", "Hm.", "commentary"), TURN[1]], "assistant: Hm.", id="a commentary phase"),
    ],
)
def test_an_answer_is_final_when_it_ended_its_turn(home: Home, last: list[Record], seen: str) -> None:
    path = home.write(event("task_started"), typed("u1", "go on"), *last)
    assert outline(steps(home, path))[1] == seen


def test_a_file_without_a_complete_line_is_no_session_yet(home: Home) -> None:
    path = home.write()
    path.write_text(path.read_text().rstrip("\n"))
    assert home.reader().read(next(iter(home.reader().discover())), None) is None


def test_a_file_that_does_not_say_what_it_is_is_named_by_its_name(home: Home) -> None:
    path = home.write(typed("u1", "hello there"))
    path.write_text("{torn\n" + "".join(path.read_text().splitlines(keepends=True)[1:]))
    reading = opened(home, path)
    assert reading.session.id == "01a1fb88-0000-7000-8000-000000000001"
    assert reading.session.cwd == ""
    assert outline(reading.steps) == ["user: hello there", "(1 torn-line)"]


def test_rollouts_of_the_first_versions_are_read(home: Home) -> None:
    def message(role: str, *texts: str) -> Record:
        return {"type": "message", "role": role, "content": [{"type": "text", "text": one} for one in texts]}

    about = {"id": "c0ffee00-0000-4000-8000-000000000001", "timestamp": "2025-07-01T08:00:00.000Z"}
    git = {"repository_url": "https://example.org/shed.git"}
    call = {"type": "function_call", "name": "shell", "call_id": "c1"}
    path = home.write()
    records: list[Record] = [
        about | {"instructions": "Be brief.", "git": git},
        {"record_type": "state"},
        message("user", "<user_instructions>\n\nBe brief.\n</user_instructions>"),
        message("user", "<environment_context>\n  <cwd>/home/dev/shed</cwd>\n</environment_context>"),
        message("user", "list the files"),
        {"type": "reasoning", "id": "r1", "summary": []},
        message("assistant", "I look."),
        call | {"arguments": json.dumps({"command": ["bash", "-lc", "ls"]})},
        {
            "type": "function_call_output",
            "call_id": "c1",
            "output": json.dumps({"output": "oats", "metadata": {"exit_code": 0}}),
        },
        message("assistant", "There are oats."),
        message("user", "list the files"),
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))

    reading = opened(home, path)
    assert reading.session == Session("codex", about["id"], "/home/dev/shed", (git["repository_url"],))
    read = list(reading.steps)
    assert outline(read) == [
        "user: list the files",
        "assistant: I look.",
        "shell exit 0: ls → oats",
        "final: There are oats.",
        "user: list the files",
        "(1 environment)",
        "(1 instructions)",
    ]
    messages = [step.item for step in read if isinstance(step.item, Message)]
    assert len({one.key for one in messages}) == len(messages)
    assert {one.at for one in messages} == {datetime(2025, 7, 1, 8, tzinfo=UTC)}
    rest = steps(home, path, read[3].resume)
    assert [one.item for one in rest] == [one.item for one in read][-len(rest) :]


def _typed(one: object) -> bool:
    return isinstance(one, Message) and one.role == "user"
