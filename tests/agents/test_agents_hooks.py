"""What the payloads of the real agents mean, and that no payload at all does harm.

`tests/data/hooks/*.jsonl` are payloads that real agents handed to a hook; beside each its outline.
"""

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.events import dump
from support.table import table

from siltstone.agents.commands import COMMANDS, gemini
from siltstone.agents.hooks import AGENTS, LONGEST, NOTHING, HookCall, Payload, hooks_of, read_payload
from siltstone.agents.opencode.hooks import CANDIDATES
from siltstone.recall.session.event import Event, parse

DATA = Path(__file__).parents[1] / "data" / "hooks"
NOW = 1_795_165_198.0


def outline(heard: HookCall) -> str:
    """A line of what is to be done."""
    told = [heard.event or "nothing"]
    told += [f"show {heard.show}"] if heard.show else []
    told += ["anew"] if heard.anew else []
    told += [f"about {' '.join(heard.action.paths) or heard.action.command}"] if heard.action else []
    told += [of(event) for event in heard.events]
    told += ["typed"] if heard.typed else []
    told += [f"batch {heard.batch}"] if heard.batch else []
    told += [heard.gone] if heard.gone else []
    return "; ".join(told)


def of(event: Event) -> str:
    if event.kind == "message":
        return f"{event.role} says {event.text[:12]!r}"
    if event.kind == "tool":
        status = f" exit {event.exit}" if event.command else ""
        return f"tool {event.name}{status}{' failed' if event.failed else ''}"
    return event.kind


@pytest.mark.parametrize("agent", ["claude", "codex", "gemini"])
def test_what_real_payloads_mean(agent: str) -> None:
    payloads = (DATA / f"{agent}.jsonl").read_text().splitlines()
    found = [outline(read_payload(agent, json.loads(line), NOW, {})) for line in payloads]
    assert found == (DATA / f"{agent}.outline.txt").read_text().splitlines()


TOO_LONG = {"hook_event_name": "SessionStart", "session_id": "x" * (LONGEST + 1)}


@table("hooks", "payloads", ("claude", TOO_LONG, "nothing"))
def test_what_a_payload_means(agent: str, payload: Payload, expected: str) -> None:
    assert outline(read_payload(agent, {"session_id": "s1", "session": "s1", **payload}, NOW, {})) == expected


@table("hooks", "tools")
def test_what_the_plugin_tells_of_a_tool(told: Payload, command: str, may_be_cut: str) -> None:
    heard = read_payload("opencode", {"hook_event_name": "tool.after", "session": "s1", **told}, NOW, {})
    assert ([event.command for event in heard.events], heard.tool) == ([command], may_be_cut)


def test_at_its_end_opencode_names_a_session_or_none() -> None:
    told = {"hook_event_name": "dispose"}
    ended = [read_payload("opencode", {**told, "session": one}, NOW, {}) for one in ("s1", "")]
    assert ended[0].session == "s1"
    assert ended[1].session not in ("", "s1")


def test_commands_of_ours_are_no_prompts_in_gemini() -> None:
    for command in COMMANDS:
        prompt = tomllib.loads(gemini(["/opt/silt"], command))["prompt"]
        payload = {"hook_event_name": "BeforeAgent", "session_id": "s1", "prompt": prompt}
        assert read_payload("gemini", payload, NOW, {}) is NOTHING


def test_an_answer_is_for_the_hooks_that_take_one() -> None:
    said = json.loads(hooks_of("claude").answer("UserPromptSubmit", "context"))
    assert said == {
        "hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": "context"}
    }
    gemini_hooks = ("SessionStart", "BeforeAgent", "AfterTool", "AfterAgent")
    assert [one for one in gemini_hooks if hooks_of("gemini").answer(one, "x")] == [*gemini_hooks[:3]]
    for agent in ("claude", "codex"):
        assert hooks_of(agent).answer("Stop", "context") == ""
        assert hooks_of(agent).answer("SessionStart", "") == ""
    assert json.loads(hooks_of("opencode").answer("tool.after", "", "cut")) == {"output": "cut"}
    assert hooks_of("opencode").answer("tool.after", "") == ""
    asked = [
        json.loads(hooks_of("opencode").answer("session.compacting", one))["context"] for one in ("", "notes")
    ]
    assert asked == [CANDIDATES, f"notes\n{CANDIDATES}"]


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
VALUES: st.SearchStrategy[object] = st.recursive(
    SCALARS | st.sampled_from(["\ud800", "\0", "x" * 5_000]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NAMES = sorted({hook.name for agent in AGENTS for hook in hooks_of(agent).hooks})
KEYS = """
session_id session cwd transcript_path source prompt text tool_name tool tool_input input tool_response output
error exit failed last_assistant_message prompt_response compact_summary agent_id parent tokens limit
"""


@given(
    st.sampled_from(AGENTS),
    st.sampled_from(NAMES),
    st.dictionaries(st.sampled_from(KEYS.split()), VALUES, max_size=12),
)
def test_no_payload_is_too_strange(agent: str, event: str, payload: dict[str, object]) -> None:
    whole = {"session_id": "s1", "session": "s1", **payload, "hook_event_name": event}
    heard = read_payload(agent, whole, NOW, {})
    for told in heard.events:
        assert parse(dump(told), 0.0).kind == told.kind
    for said in (heard.agent, heard.session, heard.cwd, heard.event, heard.message):
        said.encode()
        assert "\0" not in said
    hooks_of(agent).answer(heard.event, "context", None)
