"""`silt hook` as the agents call it: what tools and answers tell, and who is left alone."""

import json
from pathlib import Path

import pytest
from hook_calls import MAIN, begun, context, hook, opencode, prompted, python, state_of, told
from support.commands import Said

from siltstone.store.state import State

pytestmark = pytest.mark.usefixtures("nobody_waits")


def test_tools_and_answers_move_the_state_on(home: Path, kept: Said) -> None:
    edit = told("PostToolUse", tool_name="Edit", tool_input={"file_path": "/p/src/cart.ts"}, tool_response={})
    error = "Exit code 2\nsrc/cart.ts(1,2): error TS2304: x"
    ran = {"tool_name": "Bash", "tool_input": {"command": "npx tsc"}}
    stop = told("Stop", last_assistant_message="We decided to use pnpm.")
    for payload in (edit, told("PostToolUseFailure", **ran, error=error), stop):
        assert context(hook("claude", payload)) == ""
    state = state_of(home)
    assert [file.path for file in state.files] == ["/p/src/cart.ts"]
    assert [error.category for error in state.errors] == ["typecheck"]
    assert [one.text for one in state.decisions] == ["We decided to use pnpm."]
    events = state.events
    hook("claude", stop)  # the same call again counts no second time
    assert state_of(home).events == events


@pytest.mark.parametrize(("agent", "stop"), [("claude", "Stop"), ("codex", "Stop"), ("gemini", "AfterAgent")])
def test_what_an_answer_made_critical_is_told_with_the_next_prompt(
    home: Path, kept: Said, agent: str, stop: str
) -> None:
    long = "line of a long answer\n" * 40_000
    assert context(hook(agent, told(stop, last_assistant_message=long, prompt_response=long))) == ""
    assert "[Memory Pressure: " in prompted("And the docs?", agent, n=1)
    assert "[Memory Pressure: " not in prompted("And the docs?", agent, n=2)


@pytest.mark.parametrize("agent", ["claude", "codex"])
def test_a_sub_agent_and_a_call_of_our_own_are_left_alone(home: Path, kept: Said, agent: str) -> None:
    assert begun(agent, agent_id="a1", agent_type="general-purpose") == ""
    assert context(hook(agent, told("SessionStart", source="startup"), SILT_OWN="1")) == ""
    assert state_of(home, agent=agent).events == 0
    assert "Tuesdays" in begun(agent)


def test_opencode_has_a_deleted_session_forgotten_and_read(home: Path, kept: Said) -> None:
    hook("opencode", opencode("chat.message", text="Mend the cart please", message="m1"))
    hook("opencode", opencode("session.deleted"))
    with State.open(str(home / "state")) as db:
        assert db.sessions.get("opencode", "s1") is None
        assert [(one.session, one.ended) for one in db.hooks.wanted()] == [("s1", True)]


def test_what_was_forgotten_at_the_end_stands_nowhere(home: Path, kept: Said) -> None:
    """In a process that ends by itself; of no project, which would keep a summary."""

    def event(**more: str) -> bytes:
        said = json.dumps({"agent": "claude", "session": "s1", **more})
        assert python(MAIN.format(words=["event"]), said).returncode == 0
        return b"".join(path.read_bytes() for path in (home / "state").glob("state.sqlite3*"))

    assert b"zanzibar" in event(event="message", role="assistant", text="We decided to use zanzibar.")
    assert b"zanzibar" not in event(event="end")
