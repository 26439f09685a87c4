"""What a user says in Claude Code outside of a prompt: refusing a call, answering a question, approving a
plan, and typing while the agent works (docs/transcripts.md)."""

from pathlib import Path
from typing import Any

import pytest
from agents_claude_records import call, record, result, text, transcript
from agents_golden import messages, opened, reasons, unseen

from siltstone.agents.claude.read import ClaudeReader

REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file "
    "edit, the new_string was NOT written to the file)."
)
STOP = f"{REFUSED} STOP what you are doing and wait for the user to tell you how to proceed."
SAID = f"{REFUSED} To tell you how to proceed, the user said:\n"
WORDS = "no, the importer reads its rows from the queue\nand never from disk"
CLARIFY = (
    "The user wants to clarify these questions.\n    This means they may have additional information.\n"
    '    Questions asked:\n- "Which queue?"\n  (No answer provided)'
)


def told(root: Path, *records: object) -> list[tuple[str, str]]:
    """Role and text of each message; of a call its command, or its output, "refused" for one that was."""
    _, steps = opened(ClaudeReader(root), transcript(root, *records))
    return [
        (
            "refused" if m.tool and m.tool.refused else m.role,
            m.text or (m.tool.command or m.tool.output if m.tool else ""),
        )
        for m in messages(steps)
    ]


MARKED = {"version": "2.1.329", "toolDenialKind": "user-rejected"}


def refused(name: str, output: str, beside: str, **more: str) -> list[dict[str, Any]]:
    use = {"type": "tool_use", "id": "call-a1", "name": name, "input": {"command": "cat rows.csv"}}
    return [
        record("user", "u1", None, "Import the rows"),
        record("assistant", "a1", "u1", [use], message={"id": "a1", "stop_reason": "tool_use"}),
        result("u2", "a1", output, block={"is_error": True}, beside=beside, **more),
    ]


@pytest.mark.parametrize(
    ("output", "typed"),
    [
        (SAID + WORDS, [WORDS]),
        (f"{SAID}{WORDS}\n\nNote: The user's next message may contain a correction.", [WORDS]),
        (STOP, []),
        (SAID + CLARIFY, []),
    ],
    ids=["words", "words before a note", "no words", "a wish to talk"],
)
def test_words_typed_while_refusing_a_call_are_the_users(
    tmp_path: Path, output: str, typed: list[str]
) -> None:
    found = told(tmp_path, *refused("Bash", output, f"Error: {output}", **MARKED))
    assert [words for role, words in found if role == "user"] == ["Import the rows", *typed]
    [output] = [words for role, words in found if role == "refused"]
    assert "cat rows.csv" not in output, "the command did not run"
    assert "queue" not in output, "what was typed is no output"


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("mcp__wiki__get", MARKED),
        ("Bash", {"version": "2.1.179"}),
        ("Edit", {"version": "2.0.76"}),
        ("ExitPlanMode", {"version": "2.1.39"}),
        ("mcp__wiki__get", {"version": "2.1.33"}),
    ],
)
def test_a_refusal_is_known_in_every_version(tmp_path: Path, name: str, more: dict[str, str]) -> None:
    """Newer ones mark it; of the others each tells it in a way in which no tool can fail."""
    found = told(tmp_path, *refused(name, SAID + WORDS, f"Error: {SAID}{WORDS}", **more))
    assert [role for role, _ in found] == ["user", "refused", "user"]
    found = told(tmp_path, *refused("Task", STOP, "User rejected tool use", version="1.0.100"))
    assert [role for role, _ in found] == ["user", "refused"]


def asked(name: str, given: dict[str, Any], beside: object, output: str) -> list[dict[str, Any]]:
    block = {"type": "tool_use", "id": "call-a1", "name": name, "input": given}
    return [
        record("user", "u1", None, "Choose a queue"),
        record("assistant", "a1", "u1", [block], message={"id": "a1", "stop_reason": "tool_use"}),
        result("u2", "a1", output, beside=beside),
    ]


def test_an_answer_to_a_question_is_the_users_and_the_options_are_the_agents(tmp_path: Path) -> None:
    options = [{"label": "NATS", "description": "small"}, {"label": "Kafka", "description": "large"}]
    questions = [{"question": "Which queue?", "options": options}, {"question": "Why?", "options": []}]
    given = {"questions": questions}
    answers = {"Which queue?": "NATS", "Why?": "it runs on the ship, and Kafka does not"}
    found = told(
        tmp_path, *asked("AskUserQuestion", given, {**given, "answers": answers}, "The user answered.")
    )
    assert found[1:] == [
        ("assistant", "Which queue?\n- NATS: small\n- Kafka: large\nWhy?"),
        ("user", "NATS\nit runs on the ship, and Kafka does not"),
    ]


def test_an_approved_plan_is_the_agents_proposal_and_the_users_yes(tmp_path: Path) -> None:
    plan = "# Queue\n\nThe importer reads its rows from NATS."
    found = told(
        tmp_path, *asked("ExitPlanMode", {"plan": plan}, {"plan": plan, "filePath": "/p.md"}, APPROVED)
    )
    assert found[1:] == [("assistant", plan), ("user", "Approved.")]


def queued(operation: str, content: str | None = None) -> dict[str, Any]:
    row = {"type": "queue-operation", "operation": operation, "timestamp": "2026-11-21T10:00:01.000Z"}
    return row | {"sessionId": "s1"} | ({} if content is None else {"content": content})


def handed(words: str) -> dict[str, Any]:
    attachment = {"type": "queued_command", "prompt": words, "commandMode": "prompt"}
    return record("attachment", "q1", "u2", "", attachment=attachment)


APPROVED = "User has approved your plan. You can now start coding."
LATER = "and keep the old import path"
BEFORE_AN_ANSWER = [
    queued("enqueue", LATER),
    queued("remove"),
    call("a4", "u2", "make test") | {"version": "2.1.121"},
    result("u4", "a4", "ok"),
]
"""What newer versions write, which repeat the text later."""


@pytest.mark.parametrize(
    ("rows", "typed"),
    [
        ([queued("enqueue", LATER), queued("remove")], [LATER]),
        ([queued("enqueue", LATER), queued("remove", LATER), handed(LATER)], [LATER]),
        ([queued("enqueue", LATER), handed(LATER), queued("remove", LATER)], [LATER]),
        ([*BEFORE_AN_ANSWER, handed(LATER)], [LATER]),
        ([queued("enqueue", LATER), queued("dequeue"), record("user", "u3", "u2", LATER)], [LATER]),
        ([queued("enqueue", LATER), queued("popAll", LATER)], []),
        ([queued("enqueue", "/help"), queued("remove")], []),
        ([queued("enqueue", "<task-notification>done"), queued("remove")], []),
        ([queued("enqueue", '{"task_id":"b7","task_type":"local_bash"}'), queued("remove")], []),
        ([queued("remove"), queued("dequeue")], []),
    ],
    ids=[
        "handed over",
        "repeated",
        "repeated before",
        "repeated behind an answer",
        "sent as a prompt",
        "taken back",
        "a command",
        "the machine's",
        "a task's",
        "nothing",
    ],
)
def test_a_text_typed_while_the_agent_works_is_read_once(
    tmp_path: Path, rows: list[dict[str, Any]], typed: list[str]
) -> None:
    work = [record("user", "u1", None, "Go"), call("a1", "u1", "make"), result("u2", "a1", "ok")]
    found = told(tmp_path, *work, *rows, text("a3", "u2", "Done."))
    assert [words for role, words in found if role == "user"] == ["Go", *typed]
    assert found[-1] == ("assistant", "Done.")


def test_a_text_that_a_newer_version_does_not_repeat_is_read_in_the_end(tmp_path: Path) -> None:
    work = [record("user", "u1", None, "Go"), call("a1", "u1", "make"), result("u2", "a1", "ok")]
    assert told(tmp_path, *work, *BEFORE_AN_ANSWER)[-1] == ("user", LATER)


def test_a_text_that_waits_is_read_by_whoever_goes_on(tmp_path: Path) -> None:
    """At every place where reading may stop, what follows is read, and nothing is lost."""
    work = [record("user", "u1", None, "Go"), call("a1", "u1", "make"), result("u2", "a1", "ok")]
    rest = [queued("enqueue", LATER), text("a2", "u2", "On it.", stop="tool_use"), queued("remove")]
    path = transcript(tmp_path, *work, *rest, text("a3", "a2", "Done."))
    _, steps = opened(ClaudeReader(tmp_path), path)
    texts = [message.text for message in messages(steps)]
    assert LATER in texts
    for number, step in enumerate(steps):
        _, after = opened(ClaudeReader(tmp_path), path, step.resume)
        fresh = unseen(steps[: number + 1], after)
        assert [one.text for one in fresh] == [one.text for one in messages(steps[number + 1 :])]
    assert reasons(steps) == []
