"""`silt hook opencode` as our plugin calls it: payloads in, answers out."""

import json
from pathlib import Path
from typing import Any

import pytest
from hook_calls import hook as call_hook
from hook_calls import log_of, opencode, state_of
from support.commands import Said, call

from siltstone.agents.hooks import read_payload
from siltstone.pipeline.extraction.candidate_block import parse
from siltstone.pipeline.reading.echo import strip

FULL = {"tokens": 9_900, "limit": 11_000, "reserve": 1_000}
pytestmark = pytest.mark.usefixtures("nobody_waits")


class Plugin:
    """Calls as the plugin does: no payload is like another."""

    def __init__(self, home: Path) -> None:
        self._home, self._calls = home, 0

    def __call__(self, event: str, **told: object) -> Any:
        self._calls += 1
        done = call_hook("opencode", opencode(event, at=self._calls, **told))
        assert (done.returncode, done.stderr, log_of(self._home)) == (0, b"", [])
        return json.loads(done.stdout or "{}")

    def pressure(self) -> str:
        return state_of(self._home, agent="opencode").pressure.level


@pytest.fixture
def hook(home: Path, kept: Said) -> Plugin:
    """The plugin in a project with one memory."""
    return Plugin(home)


def larch() -> None:
    call("remember", "The staging database is called larch", "--type", "project")


def test_another_question_leaves_the_system_prompt_as_it_is(hook: Plugin) -> None:
    def fitting(block: str) -> str:
        return block.partition("relevant now:")[2].partition("project:")[0]

    larch()
    first = hook("system", text="When do deploys go out?")["context"]
    assert "Tuesdays" in fitting(first)
    assert strip(first).strip() == ""
    call("remember", "Prices are kept in pence", "--type", "project")
    assert hook("system", text="What is the staging database called?")["context"] == first
    hook("session.compacted", text="## Goal")
    anew = hook("system", text="What is the staging database called?")["context"]
    assert "larch" in fitting(anew)
    assert "pence" in anew


def test_a_message_gets_what_the_block_does_not_show_until_it_is_undone(hook: Plugin) -> None:
    hook("system", text="Hello")
    assert hook("chat.message", text="When do deploys go out?") == {}
    larch()
    asked = "What is the staging database called?"
    fits = hook("chat.message", text=asked)["context"]
    assert ("larch" in fits, "Tuesdays" in fits) == (True, False)
    assert hook("chat.message", text="What was the staging database called?") == {}
    assert "larch" in hook("chat.message", text=asked, undone=True)["context"]
    assert hook("chat.message", text="When do deploys go out?", undone=True) == {}  # it stands in the block


@pytest.mark.parametrize("event", ["chat.message", "system"])
def test_what_opencode_run_puts_in_quotes_is_heard_without(event: str) -> None:
    payload = {"hook_event_name": event, "session": "s1", "text": '"Please remember \\"pnpm\\"."'}
    told = read_payload("opencode", payload, 0.0, {})
    assert told.query == 'Please remember "pnpm".'
    assert told.typed == (told.query if event == "chat.message" else "")


def test_output_is_cut_when_the_context_is_full(hook: Plugin) -> None:
    rows = "".join(f"row {n} of the table of all rows\n" for n in range(200))
    ran = {"tool": "bash", "input": {"command": "./rows"}, "output": rows}
    assert hook("tool.after", **ran) == {}
    told = hook("tool.after", **ran, **FULL)
    assert told["context"].startswith("[Memory Pressure: 99% (critical)")
    assert "[silt: " in told["output"]
    assert told["output"].endswith("row 199 of the table of all rows\n")
    again = hook("tool.after", **ran)
    assert set(again) == {"output"}  # of the pressure it was told


def test_the_pressure_at_the_end_of_a_turn_is_told_with_the_next_message_and_once(hook: Plugin) -> None:
    hook("system", text="Hello")
    assert hook("session.idle", text="Deployed.", **FULL) == {}
    assert hook.pressure() == "critical"
    assert hook("chat.message", text="And the docs?")["context"].startswith("[Memory Pressure: 99%")
    assert hook("chat.message", text="And the tests?") == {}


def test_a_compaction_takes_the_pressure_with_it_that_was_not_told_yet(hook: Plugin) -> None:
    hook("session.idle", text="Deployed.", **FULL)
    hook("session.compacted", text="## Goal")
    assert "Memory Pressure" not in hook("chat.message", text="And the docs?").get("context", "")


def test_its_compaction_gets_memories_and_is_asked_for_candidates(hook: Plugin) -> None:
    asked = hook("session.compacting")["context"]
    assert "Tuesdays" in asked
    said = "## Goal\n- Ship.\n\nMemory candidates:\n- [project] Deploys need two approvals."
    assert [line.text for line in parse(said) if line.passes] == ["Deploys need two approvals."]
    assert parse(asked) == [], "what is asked for, repeated as it stands, proposes nothing"


def test_without_a_store_a_compaction_is_asked_for_candidates_all_the_same(home: Path) -> None:
    assert "Memory candidates:" in Plugin(home)("session.compacting")["context"]
    assert "context" not in Plugin(home)("system", text="Hello")


def test_a_sub_agent_is_answered_nothing(hook: Plugin) -> None:
    for event in ("system", "chat.message", "tool.after", "session.compacting", "session.idle"):
        assert hook(event, parent="s0", text="When do deploys go out?", tool="bash", output="x") == {}
