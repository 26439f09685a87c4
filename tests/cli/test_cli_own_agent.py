"""The user's own agent named as the model: agreed to, asked, paid for and held like any other."""

import json
import os
from pathlib import Path

import pytest
from support.bench import planted
from support.commands import call
from support.fake_agent import FakeAgents

REPORT = {
    "type": "result",
    "subtype": "success",
    "is_error": False,
    "result": '{"memories": []}',
    "total_cost_usd": 0.6,
    "usage": {"input_tokens": 900, "output_tokens": 10},
}


@pytest.fixture
def claude(home: Path, monkeypatch: pytest.MonkeyPatch) -> FakeAgents:
    """A `claude` that finds nothing to keep, for 0.60 USD a call."""
    agents = FakeAgents(home / "bin")
    agents.says("claude", json.dumps(REPORT))
    monkeypatch.setenv("PATH", f"{agents.folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SILT_MODEL", "agent:claude")
    return agents


@pytest.fixture
def roots(home: Path) -> list[str]:
    """`--root` options for three planted sessions of three projects."""
    found = planted(home / "agents", "02", "03", "04")
    return [word for agent, path in found.items() for word in ("--root", f"{agent}={path}")]


def test_it_is_named_before_it_is_asked(claude: FakeAgents, roots: list[str]) -> None:
    said = call("run", *roots)
    assert said.code == 3
    assert "(no known price), would be sent to agent:claude" in said.err
    assert claude.calls == []


def test_it_is_asked_and_what_it_reports_is_paid(claude: FakeAgents, roots: list[str], home: Path) -> None:
    report = call("run", *roots[:2], "--yes", "--json").json
    assert report["calls"] == len(claude.calls) > 0
    assert report["failed"] == 0
    assert {asked["cwd"] for asked in claude.calls} == {str(home / "state" / "asking" / "claude")}
    assert [day["usd"] for day in call("cost", "--json").json] == [pytest.approx(0.6 * report["calls"])]


def test_the_day_ends_it(claude: FakeAgents, roots: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SILT_MAX_USD_PER_DAY", "0.5")
    call("run", *roots[:2], "--yes")
    before = len(claude.calls)
    said = call("run", *roots, "--yes")
    assert "max_usd_per_day" in said.err + said.out
    assert len(claude.calls) == before


def test_an_agent_that_there_is_none_of_is_a_misuse(home: Path, roots: list[str]) -> None:
    said = call("run", *roots, "--yes", "--model", "agent:clod")
    assert said.code == 2
    assert "there are agent:claude, agent:codex, agent:gemini, agent:opencode" in said.err


def test_one_that_is_not_installed_says_so(
    home: Path, roots: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SILT_MODEL", "agent:codex")
    said = call("run", *roots, "--yes")
    assert said.code == 1
    assert "no program 'codex' on the PATH" in said.err
