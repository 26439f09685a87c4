"""An agent asked as a model: its reply, what it took, and what is said where there is none to be asked."""

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from asked_agents import COSTS, GARBAGE, SPOKEN, TEXT, TURNS, ask, claude, failed, model, opencode
from hypothesis import given
from hypothesis import strategies as st
from support.fake_agent import FakeAgents
from support.table import table

from siltstone.agents.ask import EXTRA, agent_model, last_record
from siltstone.agents.child import Ended
from siltstone.agents.hooks import AGENTS
from siltstone.pipeline.extraction.reply import WireReply
from siltstone.pipeline.model.port import TIMEOUT, Reply, Turn, Usage
from siltstone.pipeline.model.retry import Policy
from siltstone.prompts import INTERNAL
from siltstone.store.errors import Misuse, ModelError, StoreError


@pytest.mark.parametrize("name", AGENTS)
def test_the_reply_and_what_it_took(agents: FakeAgents, name: str) -> None:
    agents.says(name, SPOKEN[name])
    assert ask(model(agents, name)) == Reply(TEXT, Usage(1000, 60, 100, COSTS[name]))


@pytest.mark.parametrize("name", AGENTS)
def test_how_it_is_called(agents: FakeAgents, name: str) -> None:
    agents.says(name, SPOKEN[name])
    ask(model(agents, name, CLAUDECODE="1", OPENCODE="1", GEMINI_CLI="1", CODEX_THREAD_ID="t", MINE="kept"))
    (call,) = agents.calls
    assert call["text"] == TURNS[1].content
    assert call["text"].startswith(INTERNAL), "the readers know it by this"
    assert call["env"]["SILT_OWN"] == "1", "our own hooks keep still"
    assert call["env"]["MINE"] == "kept"
    assert len({"CLAUDECODE", "OPENCODE", "GEMINI_CLI", "CODEX_THREAD_ID"} & set(call["env"])) == 3
    assert call["cwd"] == str(agents.folder.parent / "asking" / name)
    assert "pnpm" not in " ".join(call["argv"]), "everybody on the machine sees arguments"
    left = [path.name for path in (agents.folder.parent / "asking").iterdir()]
    assert left == [name], "a call's own folder goes with it"


@table("asking", "named")
def test_a_model_is_named_behind_the_agent(agents: FakeAgents, name: str, option: str) -> None:
    agent = name.split("/")[0].removeprefix("agent:")
    agents.says(agent, SPOKEN[agent])
    ask(model(agents, name.removeprefix("agent:")))
    ask(model(agents, agent))
    named, unnamed = agents.calls
    assert [word for word in named["argv"] if word.startswith("--model")] == [option]
    assert not [word for word in unnamed["argv"] if word.startswith("--model")]


@table("asking", "refused")
def test_what_names_no_agent_or_no_model_is_refused(tmp_path: Path, name: str, told: str) -> None:
    with pytest.raises(Misuse, match=told):
        agent_model(name, tmp_path, {})


@pytest.mark.parametrize(
    ("name", "out"),
    [
        ("claude", failed("API Error: Claude's response exceeded the 8000 output token maximum.")),
        ("opencode", opencode(TEXT[:5], reason="length")),
    ],
)
def test_a_reply_cut_at_the_limit_says_so(agents: FakeAgents, name: str, out: str) -> None:
    agents.says(name, out)
    assert ask(model(agents, name)).cut


@pytest.mark.parametrize("name", AGENTS)
def test_one_that_has_answered_and_goes_on_has_answered(agents: FakeAgents, name: str) -> None:
    agents.does(name, f"print({SPOKEN[name]!r}, flush=True)\ntime.sleep(600)")
    asked = model(agents, name)
    asked.seconds = 1.0
    assert ask(asked).text == TEXT


def test_one_that_cannot_be_started(agents: FakeAgents, tmp_path: Path) -> None:
    agents.says("claude")
    (agents.folder / "claude").write_bytes(GARBAGE)
    with pytest.raises(StoreError, match="could not be started"):
        ask(model(agents, "claude"))


@pytest.mark.parametrize(("age", "stays"), [(TIMEOUT, True), (3 * TIMEOUT, False)], ids=["at work", "killed"])
def test_what_a_killed_call_left_goes(agents: FakeAgents, tmp_path: Path, age: float, stays: bool) -> None:
    agents.says("claude", SPOKEN["claude"])
    left = tmp_path / "asking" / "call-left"
    left.mkdir(parents=True)
    (left / "system.md").write_text("of a call")
    os.utime(left, (time.time() - age,) * 2)
    assert ask(model(agents, "claude")).text == TEXT
    assert left.exists() == stays


def test_asked_to_stop_it_is_asked_nothing_more(agents: FakeAgents) -> None:
    agents.does("claude", "time.sleep(600)")
    asked = model(agents, "claude")
    asked.policy = Policy(sleep=asked.stop.pause)
    asked.stop.asked = True
    with pytest.raises(ModelError, match="stopped together with the command that called it"):
        ask(asked)


def test_a_folder_that_cannot_be_made(agents: FakeAgents, tmp_path: Path) -> None:
    agents.says("claude", SPOKEN["claude"])
    (tmp_path / "asking").write_text("a file")
    with pytest.raises(StoreError, match="is writable"):
        ask(model(agents, "claude"))


def test_the_cost_reported_is_the_price_expected(agents: FakeAgents) -> None:
    agents.says("claude", SPOKEN["claude"])
    asked = model(agents, "claude")
    assert asked.price(1_000, 60) is None
    ask(asked)
    assert asked.price(2_000, 120) == pytest.approx(0.04)


def test_what_is_not_reported_is_counted(agents: FakeAgents) -> None:
    agents.says("claude", claude(usage={}, total_cost_usd=None))
    asked = model(agents, "claude")
    usage = ask(asked).usage
    assert usage.prompt == asked.count(TURNS) > EXTRA
    assert 0 < usage.completion < 20
    assert usage.cost is None


@pytest.mark.parametrize("name", AGENTS)
def test_a_conversation_is_one_message(agents: FakeAgents, name: str) -> None:
    agents.says(name, SPOKEN[name])
    turns = (*TURNS, Turn("assistant", "nonsense"), Turn("user", "Reply again."))
    model(agents, name).ask(turns, WireReply, 8_000)
    text = agents.calls[0]["text"]
    assert text.startswith(TURNS[1].content)
    assert "nonsense" in text
    assert text.endswith("Reply again.\n")


def values() -> st.SearchStrategy[Any]:
    keys = st.sampled_from(["type", "item", "part", "usage", "result", "error", "response", "stats", "x"])
    values = ["result", "text", "step_finish", "turn.completed", "item.completed", "error", "agent_message"]
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(values) | st.text()
    return st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=9)


@given(name=st.sampled_from(AGENTS), documents=st.lists(values() | st.text()), code=st.integers(-9, 255))
def test_no_report_makes_it_crash(name: str, documents: list[Any], code: int) -> None:
    text = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in documents)
    agent = agent_model(f"agent:{name}", Path("/none"), {}).agent
    report = agent.report(Ended(text, text, code))
    assert report is None or isinstance(report.text, (str, type(None)))


@table("asking", "the_object_a_text_ends_with")
def test_the_object_a_text_ends_with(text: str, found: dict[str, Any]) -> None:
    assert last_record(text) == found
