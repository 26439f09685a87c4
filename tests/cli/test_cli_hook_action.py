"""What an agent is told before it edits, writes or runs something."""

from pathlib import Path

import pytest
from hook_calls import begun, context, hook, log_of, prompted, state_of, told
from support.commands import Said, call

from siltstone.pipeline.reading.echo import strip

pytestmark = pytest.mark.usefixtures("nobody_waits")
RULE = "Never edit generated/*; run make gen"


def editing(path: str, tool: str = "Edit", **more: object) -> str:
    """What Claude Code is told when it is about to edit a file."""
    given = {"file_path": str(Path.cwd() / path), "old_string": "a", "new_string": "b", "content": "b"}
    return context(hook("claude", told("PreToolUse", tool_name=tool, tool_input=given, **more)))


def remember(*words: str) -> None:
    assert call("remember", *words).code == 0


def test_a_rule_is_given_at_the_call_that_it_speaks_of_once_a_session(home: Path, kept: Said) -> None:
    remember(RULE, "--type", "feedback")
    start = begun()
    assert editing("src/api.ts") == ""
    shown = editing("generated/api.ts", tool_use_id="1")
    lines = strip(shown).strip(), shown.count(RULE), shown.count("\n")
    assert lines == ("", 1, 4)
    assert f"- {RULE} (20" in shown
    assert editing("generated/api.ts", tool_use_id="2") == ""
    assert editing("generated/other.ts", "Write") == ""
    assert editing("generated/api.ts", session_id="s2") == shown
    assert begun(session_id="s3") == start  # what a session starts with is as it was
    assert log_of(home) == []


def test_what_it_was_told_is_told_again_when_its_context_was_emptied(home: Path, kept: Said) -> None:
    remember(RULE, "--type", "feedback")
    shown = editing("generated/api.ts")
    assert begun(source="compact") != ""
    assert editing("generated/api.ts") == shown


def test_a_sub_agent_has_a_context_of_its_own(home: Path, kept: Said) -> None:
    remember(RULE, "--type", "feedback")
    shown = editing("generated/api.ts", agent_id="a1")
    assert RULE in shown
    assert editing("generated/api.ts", agent_id="a1", n=2) == ""
    assert [editing("generated/api.ts", agent_id="a2"), editing("generated/api.ts")] == [shown, shown]
    assert state_of(home).events == 0


def test_what_a_call_was_told_stands_beside_no_prompt_again(home: Path, kept: Said) -> None:
    remember("Never run npm install in larkspur; use pnpm", "--type", "feedback")
    command = {"command": "npm install left-pad"}
    assert "pnpm" in context(hook("claude", told("PreToolUse", tool_name="Bash", tool_input=command)))
    assert prompted("Should I run npm install in larkspur or use pnpm?") == ""


def test_tools_that_read_are_told_nothing(home: Path, kept: Said) -> None:
    remember(RULE, "--type", "feedback")
    for tool in ("Read", "Grep", "mcp__files__edit"):
        assert editing("generated/api.ts", tool) == ""


def test_no_more_than_three_are_given_at_once_and_the_projects_own_come_first(home: Path, kept: Said) -> None:
    remember("Never touch generated/ on Fridays", "--scope", "global", "--type", "feedback")
    for number in ("one", "two", "three"):
        remember(
            f"Never edit generated/{number}.ts nor generated/* for {number} reasons", "--type", "feedback"
        )
    shown = editing("generated/one.ts", tool_use_id="1")
    assert (shown.count("\n- "), "Fridays" in shown) == (3, False)
    assert "Fridays" in editing("generated/one.ts", tool_use_id="2")


@pytest.mark.parametrize("given", [None, [], "x", {}, {"file_path": 3}, {"command": ["a"]}, {"edits": [1]}])
def test_a_broken_call_is_told_nothing(home: Path, kept: Said, given: object) -> None:
    for tool in ("Edit", "Bash"):
        assert context(hook("claude", told("PreToolUse", tool_name=tool, tool_input=given))) == ""
    assert log_of(home) == []
