"""The user's own agent named as the model: agreed to, asked, paid for and held like any other."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.commands import call
from support.fake_agent import FakeAgents
from support.table import table

SILT = (sys.executable, "-m", "siltstone")
USAGE = {"input_tokens": 900, "output_tokens": 10}
REPORT = {"type": "result", "subtype": "success", "is_error": False, "total_cost_usd": 0.6, "usage": USAGE}
REPORT["result"] = '{"memories": []}'


@pytest.fixture
def claude(home: Path, monkeypatch: pytest.MonkeyPatch) -> FakeAgents:
    """A `claude` that finds nothing to keep, for 0.60 USD a call."""
    agents = FakeAgents(home / "bin")
    agents.says("claude", json.dumps(REPORT))
    monkeypatch.setenv("PATH", f"{agents.folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("SILT_MODEL", "agent:claude")
    return agents


@pytest.fixture
def pipe(home: Path) -> Iterator[int]:
    """A named pipe: something stands in it when the agent is at work, and it hangs up when none is left."""
    os.mkfifo(home / "pipe")
    end = os.open(home / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    yield end
    os.close(end)


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


@table("own_agent", "an_agent_that_is_not_there_is_told")
def test_an_agent_that_is_not_there_is_told(
    home: Path, roots: list[str], name: str, code: int, told: str
) -> None:
    said = call("run", *roots, "--yes", "--model", name)
    assert (said.code, told in said.err) == (code, True)


@pytest.mark.usefixtures("heard")
@pytest.mark.parametrize(
    ("command", "kind"),
    [("run", signal.SIGINT), ("run", signal.SIGTERM), ("run", signal.SIGHUP), ("compact", signal.SIGTERM)],
)
def test_a_signal_ends_the_agent_that_is_asked_and_loses_nothing(
    claude: FakeAgents, roots: list[str], home: Path, pipe: int, command: str, kind: signal.Signals
) -> None:
    for day in ("Tuesdays", "Thursdays"):
        call("remember", f"Deploys go out on {day} only", "--type", "project")
    claude.does(
        "claude",
        f"out = open({str(home / 'pipe')!r}, 'w')\n"
        "subprocess.Popen(['sleep', '600'], stdout=out)\n"
        "print('asked', file=out, flush=True)\n"
        "time.sleep(600)\n",
    )
    asks = subprocess.Popen(
        [*SILT, command, *(roots[:2] if command == "run" else ()), "--yes"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    watch = select.poll()
    watch.register(pipe, select.POLLIN)
    assert watch.poll(60_000), "it is asked"
    asks.send_signal(kind)
    _, err = asks.communicate(timeout=60)
    assert (asks.returncode, "silt: interrupted; what was committed stays" in err) == (130, True)
    assert os.read(pipe, 100) == b"asked\n"
    assert watch.poll(10_000) == [(pipe, select.POLLHUP)], "nothing of the agent is left"
    assert os.listdir(home / "state" / "asking") == ["claude"]
    claude.says("claude", json.dumps(REPORT))
    report = call("run", *roots[:2], "--yes", "--json").json
    assert [report[name] for name in ("failed", "backing_off", "stopped")] == [0, 0, None]
    assert report["windows"] > 0
