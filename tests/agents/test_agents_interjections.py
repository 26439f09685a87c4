"""What a user says in Codex, OpenCode and Gemini CLI outside of a prompt: answering a question, refusing a
call, judging a plan, and typing while the agent works (docs/transcripts.md)."""

import json
from pathlib import Path
from typing import Any

import codex_home
import pytest
from agents_golden import append, messages, opened
from codex_home import item, output, response, said, typed
from opencode_home import Home as OpenCodeHome
from opencode_home import opened as opencode_opened

from siltstone.agents.gemini.hooks import HOOKS
from siltstone.agents.gemini.read import GeminiReader
from siltstone.pipeline.messages import Step

Told = list[tuple[str, str]]
QUESTIONS = [
    {
        "id": "queue",
        "question": "Which queue?",
        "options": [{"label": "NATS", "description": "small"}, {"label": "Kafka", "description": "large"}],
    },
    {"id": "why", "question": "Why?", "options": []},
]
ASKED = "Which queue?\n- NATS: small\n- Kafka: large\nWhy?"
WHY = "it runs on the ship, and Kafka does not"
EXCHANGE = [("assistant", ASKED), ("user", f"NATS\n{WHY}")]
WORDS = "no, the importer reads its rows from the queue\nand never from disk"
PLAN = "# Queue\n\nThe importer reads its rows from NATS."


def told(steps: list[Step]) -> Told:
    """Role and text of each message; of a call its command, or its output, "refused" for one that was."""
    return [
        (
            "refused" if m.tool and m.tool.refused else m.role,
            m.text or (m.tool.command or m.tool.output if m.tool else ""),
        )
        for m in messages(steps)
    ]


# Codex


@pytest.fixture
def codex(tmp_path: Path) -> codex_home.Home:
    return codex_home.Home(tmp_path)


def codex_question(result: str) -> list[dict[str, Any]]:
    given = json.dumps({"questions": QUESTIONS})
    call = response("function_call", name="request_user_input", arguments=given, call_id="call_1")
    return [typed("u1", "Choose a queue"), call, output("call_1", result), said("a1", "Done.")]


def test_codex_answers_to_a_question(codex: codex_home.Home) -> None:
    """They stand in any order under the ids of the questions; what was typed is marked as a note."""
    answers = {"why": {"answers": [f"user_note: {WHY}"]}, "queue": {"answers": ["NATS"]}}
    path = codex.write(*codex_question(json.dumps({"answers": answers})))
    assert told(codex_home.steps(codex, path))[1:3] == EXCHANGE


@pytest.mark.parametrize("result", ['{"answers":{}}', "request_user_input was cancelled", '{"answers":[1]}'])
def test_codex_question_without_an_answer_is_a_call(codex: codex_home.Home, result: str) -> None:
    path = codex.write(*codex_question(result))
    assert told(codex_home.steps(codex, path))[1] == ("tool", result)


def test_codex_plan_is_the_agents_text(codex: codex_home.Home) -> None:
    plan = item("Plan", "turn-1-plan", text=PLAN)
    path = codex.write(typed("u1", "Plan it"), plan, typed("u2", "Implement the plan."))
    assert told(codex_home.steps(codex, path))[1:] == [("assistant", PLAN), ("user", "Implement the plan.")]


def test_codex_plan_that_was_approved_for_a_thread_of_its_own(codex: codex_home.Home) -> None:
    plan = response("function_call_output", id="fco_1", name="proposed_plan", namespace="agent", output=PLAN)
    path = codex.write(plan, typed("u1", "Implement the plan."))
    assert told(codex_home.steps(codex, path)) == [("assistant", PLAN), ("user", "Implement the plan.")]


# OpenCode


def opencode_told(root: Path, tool: str, given: object, **state: object) -> Told:
    home = OpenCodeHome(root)
    home.session("ses_1")
    home.said("ses_1", "msg_1", 0, "Import the rows")
    part = {"type": "tool", "tool": tool, "callID": "call_1", "state": {"input": given} | state}
    home.answered("ses_1", "msg_2", 1, part, finish="tool-calls")
    try:
        return told(list(opencode_opened(home.reader(), "ses_1").steps))
    finally:
        home.db.close()


def test_opencode_answers_to_a_question(tmp_path: Path) -> None:
    about = {"answers": [["NATS"], [WHY]]}
    state = {"status": "completed", "output": "User has answered your questions: …", "metadata": about}
    assert opencode_told(tmp_path, "question", {"questions": QUESTIONS}, **state)[1:] == EXCHANGE


def test_opencode_question_that_was_dismissed_is_a_call(tmp_path: Path) -> None:
    error = "The user dismissed this question"
    found = opencode_told(tmp_path, "question", {"questions": QUESTIONS}, status="error", error=error)
    assert found[1:] == [("tool", error)]


@pytest.mark.parametrize(
    ("more", "words"),
    [(f" with the following feedback: {WORDS}", [("user", WORDS)]), (".", [])],
    ids=["words", "no words"],
)
def test_opencode_words_typed_while_refusing_a_call(tmp_path: Path, more: str, words: Told) -> None:
    error = f"The user rejected permission to use this specific tool call{more}"
    found = opencode_told(tmp_path, "bash", {"command": "cat rows.csv"}, status="error", error=error)
    assert found[2:] == words
    role, result = found[1]
    assert role == "refused"
    assert "cat rows.csv" not in result, "the command did not run"
    assert "queue" not in result, "what was typed is no output"


# Gemini CLI

HEADER = {"sessionId": "s1", "projectHash": "h", "startTime": "2026-11-21T10:00:00.000Z", "kind": "main"}
AT = "2026-11-21T10:00:01.000Z"


def steering(words: str) -> str:
    return f"User steering update:\n<user_input>\n{words}\n</user_input>\nInternal instruction: go on."


def gemini_user(name: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"id": name, "timestamp": AT, "type": "user", "content": list(parts)}


def gemini_told(root: Path, *records: object) -> Told:
    path = root / "tmp/demo/chats/session-2026-11-21T10-00-s1.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("")
    append(path, HEADER, gemini_user("u1", {"text": "Go"}), *records)
    return told(opened(GeminiReader(root), path)[1])[1:]


def gemini_call(name: str, args: object, result: str) -> dict[str, Any]:
    results = [{"functionResponse": {"id": "c1", "name": name, "response": {"output": result}}}]
    shown = {"ask_user": "Ask User", "exit_plan_mode": "Exit Plan Mode"}[name]
    call = {"id": "c1", "name": name, "args": args, "status": "success", "timestamp": AT, "result": results}
    call["displayName"] = shown
    return {"id": "g1", "timestamp": AT, "type": "gemini", "content": "", "toolCalls": [call]}


def test_gemini_answers_to_a_question(tmp_path: Path) -> None:
    result = json.dumps({"answers": {"0": "NATS", "1": WHY}})
    assert gemini_told(tmp_path, gemini_call("ask_user", {"questions": QUESTIONS}, result)) == EXCHANGE


@pytest.mark.parametrize("result", ['{"answers":{}}', "User dismissed ask_user dialog without answering."])
def test_gemini_question_without_an_answer_is_a_call(tmp_path: Path, result: str) -> None:
    found = gemini_told(tmp_path, gemini_call("ask_user", {"questions": QUESTIONS}, result))
    assert found == [("tool", result)]


EDITED = "I have edited the plan or annotated it with feedback. Review the edited plan."


@pytest.mark.parametrize(
    ("feedback", "words"), [(WORDS, [("user", WORDS)]), (EDITED, [])], ids=["typed", "edited"]
)
def test_gemini_words_on_a_plan(tmp_path: Path, feedback: str, words: Told) -> None:
    result = f"Plan rejected. User feedback: {feedback}\n\nThe plan is stored at: /p.md\nRevise the plan."
    found = gemini_told(tmp_path, gemini_call("exit_plan_mode", {"plan_filename": "p.md"}, result))
    (role, result), *typed = found
    assert (role, typed) == ("refused" if words else "tool", words)
    assert WORDS not in result, "what was typed is no output"


BACKGROUND = "[Background command completed successfully. Output saved to /b.log]"


@pytest.mark.parametrize(
    ("hint", "typed"),
    [(WHY, [("user", WHY)]), (f"{WHY} {BACKGROUND} ok", [("user", WHY)]), (BACKGROUND, [])],
    ids=["typed", "beside a command that ended", "a command that ended"],
)
def test_gemini_hint_typed_while_it_works(tmp_path: Path, hint: str, typed: Told) -> None:
    """It stands before the results of tools, or is a prompt of its own, and hooks see it like that."""
    ran = {"functionResponse": {"id": "c1", "name": "x", "response": {"output": "ok"}}}
    text = {"text": steering(hint)}
    assert gemini_told(tmp_path / "1", gemini_user("u2", text, ran)) == typed
    assert gemini_told(tmp_path / "2", gemini_user("u2", text)) == typed
    assert HOOKS.prompt({"prompt": steering(hint)}, {}) == "".join(words for _, words in typed)
