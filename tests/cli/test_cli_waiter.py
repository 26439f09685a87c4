"""The waiter: when a batch is due, that there is one, and that nothing wanted is forgotten."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.commands import call

from siltstone.agents.hooks import HookCall
from siltstone.cli.hooks.background import held, want
from siltstone.cli.hooks.common import LazyState
from siltstone.cli.watch.waiter import SETTLE, TRIES, Queue, work_off
from siltstone.cli.watch.world import Ended, Process
from siltstone.pipeline.watching import COOLDOWN, FIRST_PAUSE
from siltstone.store.state import State, Want

ROOT = Path(__file__).resolve().parents[2]
NOW = 1_795_165_198.0
IDLE = 60.0


def a_want(ago: float, ended: bool = False, session: str = "s1") -> Want:
    return Want("claude", session, NOW - ago, ended)


@dataclass
class Scene:
    """A clock that moves only when the waiter waits, and batches that take a second."""

    folder: Path
    fails: int = 0
    time: float = NOW
    times: int = 0
    batches: list[tuple[float, list[str]]] = field(default_factory=list)
    ended_at: float = 0.0

    def clock(self) -> float:
        return self.time

    def wait(self, seconds: float) -> None:
        assert seconds > 0
        self.time += seconds
        assert self.time < NOW + 10_000, "it never ends"

    def start(self, words: Sequence[str]) -> Process:
        self.batches.append((self.time, [one for one in words if one.startswith("--ended")]))
        self.ended_at = self.time + 1
        self.fails -= 1
        return cast(Process, self)

    def ended(self) -> Ended | None:
        return Ended(self.fails >= 0, ()) if self.time >= self.ended_at else None

    def play(self, wants: Sequence[Want], begun: float = 0.0) -> list[float]:
        """When batches began, in seconds from now."""
        with State.open(str(self.folder)) as db:
            db.hooks.begin(begun)
            for one in wants:
                db.hooks.want(one)
        queue = Queue(str(self.folder), IDLE, self.clock, self.start)
        work_off(queue, IDLE, self, self.clock, print)
        assert Queue(str(self.folder), IDLE).finished()
        return [at - NOW for at, _ in self.batches]


@pytest.mark.parametrize(
    ("wants", "begun", "batches"),
    [
        pytest.param([], 0.0, [], id="nothing wanted"),
        pytest.param([a_want(0)], 0.0, [IDLE], id="just idle"),
        pytest.param([a_want(IDLE)], 0.0, [0], id="quiet for long enough"),
        pytest.param([a_want(2, ended=True)], 0.0, [0], id="ended"),
        pytest.param([a_want(0, ended=True)], 0.0, [SETTLE], id="ended this moment"),
        pytest.param([a_want(9, ended=True)], NOW - 5, [COOLDOWN - 5], id="after a batch"),
        pytest.param([a_want(50), a_want(2, True, "s2")], 0.0, [0, COOLDOWN], id="one of two"),
        pytest.param([a_want(-9_999)], NOW + 9_999, [IDLE], id="a clock that was set back"),
    ],
)
def test_when_a_batch_is_due(tmp_path: Path, wants: list[Want], begun: float, batches: list[float]) -> None:
    assert Scene(tmp_path).play(wants, begun) == batches


def test_an_ended_session_is_named_to_the_batch_and_an_idle_one_waits(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    scene.play([a_want(2, True, "s2"), a_want(0)])
    assert scene.batches == [(NOW, ["--ended=claude/s2"]), (NOW + IDLE, [])]


@pytest.mark.parametrize(("fails", "times"), [(1, 2), (2, 3), (9, TRIES)])
def test_a_batch_that_failed_is_tried_again_but_not_for_ever(tmp_path: Path, fails: int, times: int) -> None:
    begun = Scene(tmp_path, fails).play([a_want(IDLE)])
    assert len(begun) == times
    assert all(later - one > FIRST_PAUSE for one, later in pairwise(begun))


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
@settings(max_examples=30)
def test_everything_wanted_is_dealt_with_and_batches_keep_apart(wants: list[Want], fails: int) -> None:
    with TemporaryDirectory() as folder:
        begun = Scene(Path(folder), fails).play(wants)
    assert bool(begun) == bool(wants)
    assert all(later - one >= COOLDOWN for one, later in pairwise(begun))


def wanted(home: Path) -> list[Want]:
    with State.open(str(home / "state")) as db:
        return db.hooks.wanted()


def an_end(home: Path) -> HookCall:
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
    return HookCall("claude", "s1", str(Path.cwd()), event="SessionEnd", batch="now", gone="left")


def waiter() -> None:
    """The waiter in the foreground."""
    code = [sys.executable, "-P", "-m", "siltstone.cli.watch.waiter"]
    subprocess.run(code, env=dict(os.environ) | {"PYTHONPATH": str(ROOT)}, check=True)


@pytest.fixture
def state(home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    (home / "state").mkdir(mode=0o700)
    return str(home / "state")


def test_a_session_that_ended_is_read_by_a_waiter_and_its_log_tells(home: Path, state: str) -> None:
    handle = held(state)
    assert handle is not None
    with LazyState(state) as opened:
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
    code = "from siltstone.cli.hooks.hook import run; run(['claude'], limit=100.0)"
    subprocess.run([sys.executable, "-c", code], input=json.dumps(told).encode(), check=True)
    for _ in range(1_000_000):
        if not wanted(home):
            break
        os.sched_yield()
    assert wanted(home) == []
    (one,) = call("list", "--json").json
    assert "Fridays" in one["description"]


def test_what_is_wanted_again_meanwhile_stays(home: Path, state: str) -> None:
    with State.open(state) as db:
        hooks = db.hooks
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
    with State.open(state) as db:
        for one in wants:
            db.hooks.want(one)
        assert db.hooks.wanted() == [expected]
