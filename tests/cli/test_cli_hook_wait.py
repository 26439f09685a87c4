"""The waiter: when a batch is due, that there is one, and that nothing wanted is forgotten."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.commands import call

from siltstone.agents.hooks import Heard
from siltstone.cli.hook_behind import held, want
from siltstone.cli.hook_wait import COOLDOWN, PAUSE, SETTLE, TRIES, Plan, plan, serve
from siltstone.cli.hot import State
from siltstone.store.state.hooks import Hooks, Want
from siltstone.store.state.light import Light

ROOT = Path(__file__).resolve().parents[2]
NOW = 1_795_165_198.0
IDLE = 60.0


def a_want(ago: float, ended: bool = False, session: str = "s1") -> Want:
    return Want("claude", session, NOW - ago, ended)


@pytest.mark.parametrize(
    ("wants", "begun", "expected"),
    [
        pytest.param([], 0.0, None, id="nothing wanted"),
        pytest.param([a_want(0)], 0.0, Plan(wait=IDLE), id="just idle"),
        pytest.param([a_want(IDLE)], 0.0, Plan(read=(a_want(IDLE),)), id="quiet for long enough"),
        pytest.param([a_want(2, ended=True)], 0.0, Plan(read=(a_want(2, ended=True),)), id="ended"),
        pytest.param([a_want(0, ended=True)], 0.0, Plan(wait=SETTLE), id="ended this moment"),
        pytest.param([a_want(9, ended=True)], NOW - 5, Plan(wait=COOLDOWN - 5), id="after a batch"),
        pytest.param(
            [a_want(50), a_want(2, True, "s2")], 0.0, Plan(read=(a_want(2, True, "s2"),)), id="one of two"
        ),
        pytest.param([a_want(-9_999)], NOW + 9_999, Plan(wait=IDLE), id="a clock that was set back"),
    ],
)
def test_when_a_batch_is_due(wants: list[Want], begun: float, expected: Plan | None) -> None:
    assert plan(wants, begun, NOW, IDLE) == expected


class Told:
    """A world whose clock moves when somebody waits; batches succeed or fail as they are told to."""

    def __init__(self, wants: Sequence[Want], fails: int = 0) -> None:
        self.time, self.wants, self.fails = NOW, list(wants), fails
        self.batches: list[tuple[float, tuple[str, ...]]] = []

    def now(self) -> float:
        return self.time

    def wait(self, seconds: float) -> None:
        assert seconds > 0
        self.time += seconds

    def wanted(self) -> Sequence[Want]:
        return self.wants

    def begun(self) -> float:
        return self.batches[-1][0] if self.batches else 0.0

    def run(self, ended: Sequence[Want]) -> bool:
        self.batches.append((self.time, tuple(one.session for one in ended)))
        self.fails -= 1
        return self.fails < 0

    def done(self, wants: Sequence[Want]) -> None:
        self.wants = [one for one in self.wants if one not in wants]


def test_an_ended_session_is_named_to_the_batch_and_an_idle_one_waits() -> None:
    world = Told([a_want(2, True, "s2"), a_want(0)])
    serve(world, IDLE)
    assert world.batches == [(NOW, ("s2",)), (NOW + IDLE, ())]


@pytest.mark.parametrize(("fails", "times"), [(1, 2), (2, 3), (9, TRIES)])
def test_a_batch_that_failed_is_tried_again_but_not_for_ever(fails: int, times: int) -> None:
    world = Told([a_want(IDLE)], fails)
    serve(world, IDLE)
    assert [at for at, _ in world.batches] == [NOW + PAUSE * n for n in range(times)]
    assert world.wants == []


@given(
    st.lists(
        st.builds(
            Want,
            st.just("claude"),
            st.sampled_from("abcd"),
            st.floats(NOW - 500, NOW + 500),
            st.booleans(),
        ),
        max_size=6,
    ),
    st.integers(0, 4),
)
def test_everything_wanted_is_dealt_with_and_batches_keep_apart(wants: list[Want], fails: int) -> None:
    world = Told(wants, fails)
    serve(world, IDLE)
    assert world.wants == []
    begun = [at for at, _ in world.batches]
    assert all(later - one >= COOLDOWN for one, later in pairwise(begun))


def wanted(home: Path) -> list[Want]:
    with closing(Light(str(home / "state"))) as light:
        return Hooks(light).wanted()


def an_end(home: Path) -> Heard:
    """The end of a session whose transcript stands in the person's own folder of Claude Code."""
    record = {
        "type": "user",
        "uuid": "11111111-0000-4000-8000-000000000001",
        "parentUuid": None,
        "timestamp": "2026-11-20T07:39:59.000Z",
        "sessionId": "s1",
        "cwd": str(Path.cwd()),
        "message": {"role": "user", "content": "Please remember: releases are cut on Fridays only"},
    }
    file = home / "person" / ".claude" / "projects" / "-p" / "s1.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(record) + "\n")
    return Heard("claude", "s1", str(Path.cwd()), event="SessionEnd", batch="now", gone="left")


def waiter() -> None:
    """The waiter in the foreground."""
    code = [sys.executable, "-P", "-m", "siltstone.cli.hook_wait"]
    subprocess.run(code, env=dict(os.environ) | {"PYTHONPATH": str(ROOT)}, check=True)


@pytest.fixture
def state(home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (home / "state").mkdir(mode=0o700)
    return str(home / "state")


def test_a_session_that_ended_is_read_by_a_waiter_and_its_log_tells(home: Path, state: str) -> None:
    handle = held(state)
    assert handle is not None
    with State(state) as opened:
        want(an_end(home), opened, os.environ, NOW)
    waiter()  # another one lives, it seems
    assert len(wanted(home)) == 1
    os.close(handle)
    waiter()
    assert wanted(home) == []
    (one,) = call("list", "--json").json
    assert "Fridays" in one["description"]
    assert "1 promoted" in (home / "state" / "hooks.log").read_text()


def test_a_hook_begins_a_waiter_that_nobody_waits_for(home: Path, state: str) -> None:
    end = an_end(home)
    told = {"hook_event_name": "SessionEnd", "session_id": end.session, "cwd": end.cwd, "reason": "other"}
    code = "from siltstone.cli.hook import run; run(['claude'], limit=100.0)"
    subprocess.run([sys.executable, "-c", code], input=json.dumps(told).encode(), check=True)
    for _ in range(1_000_000):
        if not wanted(home):
            break
        os.sched_yield()
    assert wanted(home) == []
    (one,) = call("list", "--json").json
    assert "Fridays" in one["description"]


def test_what_is_wanted_again_meanwhile_stays(home: Path, state: str) -> None:
    with closing(Light(state)) as light:
        hooks = Hooks(light)
        hooks.want(a_want(10))
        hooks.want(a_want(1))
        hooks.done([a_want(10)])
        assert hooks.wanted() == [a_want(1)]
        hooks.done([a_want(1)])
        assert hooks.wanted() == []


@pytest.mark.parametrize(
    ("wants", "expected"),
    [
        pytest.param([a_want(3), a_want(2, ended=True)], a_want(2, ended=True), id="idle, then ended"),
        pytest.param([a_want(2, ended=True), a_want(3)], a_want(2, ended=True), id="the other way round"),
        pytest.param([a_want(2, ended=True), a_want(1)], a_want(1, ended=True), id="of one moment"),
        pytest.param([a_want(60, ended=True), a_want(1)], a_want(1), id="ended, resumed, idle"),
    ],
)
def test_hooks_of_one_moment_come_in_any_order(state: str, wants: list[Want], expected: Want) -> None:
    with closing(Light(state)) as light:
        for one in wants:
            Hooks(light).want(one)
        assert Hooks(light).wanted() == [expected]
