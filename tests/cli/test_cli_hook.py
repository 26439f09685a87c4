"""`silt hook` as the agents call it: what tools and answers tell, and who is left alone."""

import json
from pathlib import Path

import pytest
from hook_calls import context, hook, opencode, state_of, told
from support.commands import Said

from siltstone.store.state import State

pytestmark = pytest.mark.usefixtures("nobody_waits")


def test_tools_and_answers_move_the_state_on(home: Path, kept: Said) -> None:
    edit = told("PostToolUse", tool_name="Edit", tool_input={"file_path": "/p/src/cart.ts"}, tool_response={})
    fails = told(
        "PostToolUseFailure",
        tool_name="Bash",
        tool_input={"command": "npx tsc"},
        error="Exit code 2\nsrc/cart.ts(1,2): error TS2304: x",
    )
    stop = told("Stop", last_assistant_message="We decided to use pnpm.")
    for payload in (edit, fails, stop):
        assert context(hook("claude", payload)) == ""
    state = state_of(home)
    assert [file.path for file in state.files] == ["/p/src/cart.ts"]
    assert [error.category for error in state.errors] == ["typecheck"]
    assert [one.text for one in state.decisions] == ["We decided to use pnpm."]


@pytest.mark.parametrize(
    ("agent", "stop", "prompt"),
    [
        ("claude", "Stop", "UserPromptSubmit"),
        ("codex", "Stop", "UserPromptSubmit"),
        ("gemini", "AfterAgent", "BeforeAgent"),
    ],
)
def test_what_an_answer_made_critical_is_told_with_the_next_prompt(
    home: Path, kept: Said, agent: str, stop: str, prompt: str
) -> None:
    long = "line of a long answer\n" * 40_000
    assert context(hook(agent, told(stop, last_assistant_message=long, prompt_response=long))) == ""
    asked = told(prompt, prompt="And the docs?")
    assert "[Memory Pressure: " in context(hook(agent, asked | {"n": 1}))
    assert "[Memory Pressure: " not in context(hook(agent, asked | {"n": 2}))


def test_the_same_call_twice_counts_once(home: Path, kept: Said) -> None:
    twice = (
        "import io, sys; from siltstone.cli.hooks.hook import run; raw = sys.stdin.buffer.read()\n"
        "for _ in range(2):\n    sys.stdin = io.TextIOWrapper(io.BytesIO(raw)); run(['{agent}'], limit=100.0)"
    )
    hook("claude", told("Stop", last_assistant_message="Done."), twice)
    assert state_of(home).events == 2  # the answer, and that it is idle


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_sub_agent_is_left_alone(home: Path, kept: Said, agent: str) -> None:
    inside = {"agent_id": "a1", "agent_type": "general-purpose"}
    assert context(hook(agent, told("SessionStart", source="startup") | inside)) == ""
    assert state_of(home, agent=agent).events == 0


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_inside_a_call_of_our_own_nothing_is_done(home: Path, kept: Said, agent: str) -> None:
    done = hook(agent, told("SessionStart", source="startup"), SILT_OWN="1")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert "Tuesdays" in context(hook(agent, told("SessionStart", source="startup")))


def test_opencode_has_output_cut_under_pressure_alone(home: Path, kept: Said) -> None:
    listing = "\n".join(f"src/module_{n}/file.ts" for n in range(500))
    told_of = opencode("tool.after", tool="list", input={}, output=listing, limit=100_000, reserve=0)
    assert hook("opencode", told_of | {"tokens": 1_000}).stdout == b""
    cut = json.loads(hook("opencode", told_of | {"tokens": 90_000}).stdout)
    assert len(cut["output"]) < len(listing)
    assert "[silt: " in cut["output"]


def test_opencode_has_a_deleted_session_forgotten_and_read(home: Path, kept: Said) -> None:
    hook("opencode", opencode("chat.message", text="Mend the cart please", message="m1"))
    hook("opencode", opencode("session.deleted"))
    with State.open(str(home / "state")) as db:
        assert db.sessions.get("opencode", "s1") is None
        assert [(one.session, one.ended) for one in db.hooks.wanted()] == [("s1", True)]


ENDING = "import sys; sys.argv = ['silt', {words}]; from siltstone.__main__ import main; main()"
"""A command as it is called: in a process that ends by itself."""


def test_what_was_forgotten_at_the_end_stands_nowhere(home: Path, kept: Said) -> None:
    event = ENDING.format(words="'event'")
    common = {"agent": "claude", "session": "s1"}  # of no project, which would keep a summary
    hook(
        "", {**common, "event": "message", "role": "assistant", "text": "We decided to use zanzibar."}, event
    )
    assert b"zanzibar" in all_bytes(home / "state")
    hook("", {**common, "event": "end"}, event)
    assert b"zanzibar" not in all_bytes(home / "state")


def all_bytes(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.glob("state.sqlite3*"))
