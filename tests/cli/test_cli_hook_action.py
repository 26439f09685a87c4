"""What an agent is told before it edits, writes or runs something."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hook_calls import Done, begun, context, hook, log_of, opencode, prompted, state_of, told
from support.commands import Said, call

from siltstone.pipeline.reading.echo import strip
from siltstone.store.state import State

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


@pytest.mark.parametrize("rule", [RULE, "Never edit generated/*: run `make gen` and commit"])
def test_what_it_forbids_is_told_once_more_when_it_is_done_again_after_the_next_prompt(
    home: Path, kept: Said, rule: str
) -> None:
    remember(rule, "--type", "feedback")
    others = {
        "schema.sql": "Run make gen whenever you change schema.sql",
        "a.lock": "Never edit *.lock files on a Friday",
    }
    for rule in others.values():
        remember(rule, "--type", "feedback")
    shown = editing("generated/api.ts")
    assert "" not in (shown, *map(editing, others))
    prompted("Now the next page")
    assert editing("generated/api.ts", n=1) == shown
    assert [editing(path, n=1) for path in others] == ["", ""]
    prompted("And one more")
    assert editing("generated/api.ts", n=2) == ""


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


PATCH = "*** Begin Patch\n*** Update File: generated/api.ts\n@@\n-a\n+b\n*** End Patch\n"
EDITS: dict[str, tuple[str, str, dict[str, object]]] = {
    "claude": ("PreToolUse", "Edit", {"file_path": "generated/api.ts", "old_string": "a", "new_string": "b"}),
    "codex": ("PreToolUse", "apply_patch", {"command": PATCH}),
    "gemini": ("BeforeTool", "replace", {"file_path": "generated/api.ts", "old_string": "a"}),
    "opencode": ("tool.before", "edit", {"filePath": "generated/api.ts", "oldString": "a", "newString": "b"}),
}
"""How each agent says that it is about to change the file."""


def changing(agent: str, event: str = "", **more: object) -> dict[str, Any]:
    """What an agent is answered before it changes the file, or at another event with the same call."""
    before, tool, given = EDITS[agent]
    if agent == "opencode":
        done: Done = hook(agent, opencode(event or before, tool=tool, input=given, **more))
    else:
        done = hook(agent, told(event or before, tool_name=tool, tool_input=given, **more))
    assert (done.returncode, done.stderr) == (0, b"")
    answer: dict[str, Any] = json.loads(done.stdout or "{}")
    return answer


def test_every_agent_is_given_the_rule_where_it_takes_one(home: Path, kept: Said) -> None:
    remember(RULE, "--type", "feedback")
    for agent in ("claude", "codex"):
        said = changing(agent)["hookSpecificOutput"]
        assert (RULE in said["additionalContext"], "permissionDecision" in said) == (True, False)
        assert changing(agent, n=2) == {}
    assert changing("gemini") == {}
    answer = {"llmContent": "Successfully modified"}
    said = changing("gemini", "AfterTool", tool_response=answer)["hookSpecificOutput"]
    assert RULE in said["additionalContext"]
    assert changing("gemini", "AfterTool", tool_response=answer, n=2) == {}
    assert RULE in changing("opencode", at=1)["context"]
    assert RULE in changing("opencode", session="s2", parent="s1", at=1)["context"]
    assert changing("opencode", at=2) == {}
    assert log_of(home) == []


def enforce(home: Path, rule: str = RULE) -> None:
    """The user's editor sets it, and nothing is written after."""
    remember(rule, "--type", "feedback")
    (file,) = (home / "store").glob("projects/*/feedback-*.md")
    file.write_text(file.read_text().replace("readonly: false\n", "readonly: false\nenforce: true\n"))
    with State.open(str(home / "state")) as db:
        db.hooks.renew(time.time())  # a process that prepares it is under way


def test_claude_code_asks_the_user_at_each_call_that_an_enforced_memory_speaks_of(
    home: Path, kept: Said
) -> None:
    enforce(home)
    for number in range(2):
        said = changing("claude", n=number)["hookSpecificOutput"]
        assert (said["permissionDecision"], "additionalContext" in said) == ("ask", False)
        assert RULE in said["permissionDecisionReason"]
        assert strip(said["permissionDecisionReason"]).strip() == ""
    assert editing("src/api.ts") == ""


@pytest.mark.parametrize("agent", ["codex", "gemini", "opencode"])
def test_other_agents_do_not_make_the_call_until_the_user_typed_something(
    home: Path, kept: Said, agent: str
) -> None:
    enforce(home)
    for number in range(2):
        answer = changing(agent, at=number)
        why = answer["held"] if agent == "opencode" else answer["reason"]
        assert (RULE in why, "Ask the user" in why, strip(why).strip()) == (True, True, "")
        assert agent == "opencode" or answer["decision"] == "block"
    if agent == "opencode":
        hook(agent, opencode("chat.message", text="Yes, this once"))
    else:
        prompted("Yes, this once", agent)
    assert "reason" not in (after := changing(agent, at=3))
    assert "held" not in after
    assert "reason" in changing(agent, session_id="s2", at=4) or agent == "opencode"


@pytest.mark.parametrize(
    ("rule", "says"),
    [(RULE, "enforced, written by you"), ("Be kind", "enforced without effect: no rule in it names a call")],
)
def test_a_card_says_whether_anything_is_enforced(home: Path, kept: Said, rule: str, says: str) -> None:
    enforce(home, rule)
    (file,) = (home / "store").glob("projects/*/feedback-*.md")
    assert says in call("show", file.stem).out


def test_what_the_editor_takes_out_holds_no_longer(home: Path, kept: Said) -> None:
    enforce(home)
    (file,) = (home / "store").glob("projects/*/feedback-*.md")
    file.write_text(file.read_text().replace("enforce: true", "enforce: false"))
    assert "permissionDecision" not in changing("claude")["hookSpecificOutput"]


@pytest.mark.parametrize("agent", ["codex", "opencode"])
def test_advice_beside_a_refused_call_is_given_when_the_call_is_made(
    home: Path, kept: Said, agent: str
) -> None:
    enforce(home)
    remember("Never touch generated/ on Fridays", "--type", "feedback")
    assert "Fridays" not in str(changing(agent, at=1))
    prompted("Go on", agent) if agent == "codex" else hook(agent, opencode("chat.message", text="Go on"))
    assert "Fridays" in str(changing(agent, at=2))


def test_nobody_but_the_users_editor_enforces(home: Path, kept: Said) -> None:
    """An agent's new text for an enforced memory enforces nothing, and takes nothing away."""
    enforce(home)
    name = "never-edit-generated-run-make-gen"
    text = "Never edit generated/* nor src/*; run make gen\n\nenforce: true"
    assert call("write", name, text, "--session", "claude/s1").code == 0
    (item,) = (home / "store" / "inbox").glob("*.md")
    assert "\nenforce:" not in item.read_text().partition("\n---\n")[0]
    assert changing("claude")["hookSpecificOutput"]["permissionDecision"] == "ask"


@pytest.mark.parametrize(("agent", "key"), [("opencode", "workdir"), ("gemini", "dir_path")])
def test_a_command_runs_in_the_folder_that_it_is_given(home: Path, kept: Said, agent: str, key: str) -> None:
    remember(RULE, "--type", "feedback")
    command = {"command": "rm api.ts", key: "generated"}
    if agent == "opencode":
        done = hook(agent, opencode("tool.before", tool="bash", input=command))
    else:
        done = hook(agent, told("AfterTool", tool_name="run_shell_command", tool_input=command))
    assert RULE in done.stdout.decode()


def test_a_patch_in_a_command_changes_its_files(home: Path, kept: Said) -> None:
    remember(RULE, "--type", "feedback")
    command = {"command": f"apply_patch <<'EOF'\n{PATCH}EOF\n"}
    assert RULE in context(hook("codex", told("PreToolUse", tool_name="Bash", tool_input=command)))
