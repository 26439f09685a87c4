"""The waiter: when it runs batches, and that no queued session is forgotten."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hook_calls import PATIENT, python, told
from hypothesis import given, settings
from hypothesis import strategies as st
from support.commands import call

from siltstone.agents.hooks import HookCall
from siltstone.cli.hooks import background
from siltstone.cli.hooks.background import held
from siltstone.cli.hooks.common import Answer, LazyState, Work
from siltstone.cli.hooks.hook import STEPS
from siltstone.cli.watch.run_process import COOLDOWN, FIRST_PAUSE, Outcome, RunProcess
from siltstone.cli.watch.waiter import SETTLE, TRIES, queue, work_off
from siltstone.recall.settings import RecallSettings
from siltstone.store.state import Pooled, State, Want

NOW = 1_795_165_198.0
IDLE = 60.0


def a_want(ago: float, ended: bool = False, session: str = "s1") -> Want:
    return Want("claude", session, NOW - ago, ended)


class Batch(RunProcess):
    """A batch that has come to its end."""

    def __init__(self, failed: bool) -> None:
        self.failed = failed

    def wait(self) -> Outcome:
        return Outcome(self.failed, ())


class Scene:
    """A waiter with a clock that moves only when it sleeps. The first `fails` batches fail."""

    def __init__(self, folder: Path, fails: int = 0) -> None:
        self.folder, self.fails, self.time = str(folder), fails, NOW
        self.batches: list[tuple[float, Sequence[str]]] = []

    def sleep(self, seconds: float) -> None:
        self.time += seconds
        assert self.time < NOW + 10_000, "it never ends"

    def start(self, words: Sequence[str]) -> RunProcess:
        self.batches.append((self.time - NOW, words))
        return Batch(len(self.batches) <= self.fails)

    def play(self, wants: Sequence[Want], begun: float = 0.0) -> list[float]:
        """When batches began, in seconds from now."""
        with State.open(self.folder) as db:
            db.hooks.begin(begun)
            for one in wants:
                db.hooks.want(one)
        work_off(self.folder, IDLE, print, self.start, lambda: self.time, self.sleep)
        assert queue(self.folder) == []
        return [at for at, _ in self.batches]


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
    assert scene.batches == [(0, ["--ended=claude/s2"]), (IDLE, [])]


@pytest.mark.parametrize(("fails", "times"), [(1, 2), (2, 3), (9, TRIES)])
def test_a_batch_that_failed_is_tried_again_but_not_for_ever(tmp_path: Path, fails: int, times: int) -> None:
    begun = Scene(tmp_path, fails).play([a_want(IDLE)])
    assert len(begun) == times
    assert all(later - one >= FIRST_PAUSE for one, later in pairwise(begun))


a_session = st.builds(
    Want, st.just("claude"), st.sampled_from("abcd"), st.floats(NOW - 500, NOW + 500), st.booleans()
)


@given(st.lists(a_session, max_size=6), st.integers(0, 4))
@settings(max_examples=10)
def test_everything_wanted_is_dealt_with_and_batches_keep_apart(wants: list[Want], fails: int) -> None:
    with TemporaryDirectory() as folder:
        begun = Scene(Path(folder), fails).play(wants)
    assert bool(begun) == bool(wants)
    assert all(later - one >= COOLDOWN for one, later in pairwise(begun))


def an_end(home: Path) -> HookCall:
    """The end of a session whose transcript stands in the person's own folder of Claude Code."""
    asked = {"role": "user", "content": "Please remember: releases are cut on Fridays only"}
    typed = {"type": "user", "uuid": "u1", "parentUuid": None, "timestamp": "2026-11-20T07:39:59.000Z"}
    record = {**typed, "sessionId": "s1", "cwd": str(Path.cwd()), "message": asked}
    file = home / "person" / ".claude" / "projects" / "-p" / "s1.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(record) + "\n")
    return HookCall("claude", "s1", str(Path.cwd()), event="SessionEnd", batch="now", gone="left")


def waiter() -> None:
    """The waiter in the foreground."""
    subprocess.run([sys.executable, "-P", "-m", "siltstone.cli.watch.waiter"], check=True)


@pytest.fixture
def state(home: Path) -> str:
    (home / "state").mkdir(mode=0o700)
    return str(home / "state")


def test_a_session_that_ended_is_read_by_a_waiter_and_its_log_says_so(home: Path, state: str) -> None:
    handle = held(state)
    assert handle is not None
    with LazyState(state) as opened:
        background.step(Work(an_end(home), opened, RecallSettings(), os.environ, NOW, 0.0), Answer())
    waiter()  # it finds the lock taken
    assert len(queue(state)) == 1
    os.close(handle)
    waiter()
    assert queue(state) == []
    (one,) = call("list", "--json").json
    assert "Fridays" in one["description"]
    assert "1 new memory" in (home / "state" / "hooks.log").read_text()


@pytest.mark.parametrize(("ago", "wanted"), [(-1.0, []), (0.0, ["s0"])], ids=["not yet", "long enough"])
def test_a_prompt_has_a_session_read_that_waited_long_enough_for_others(
    state: str, ago: float, wanted: list[str]
) -> None:
    """The session that is prompted may go on for days: it is not what ends the waiting."""
    call("remember", "Deploys go out on Tuesdays only")
    with State.open(state) as db:
        db.hooks.pool(Pooled(NOW - ago, ("claude/s0",)))
    handle = held(state)  # no waiter is started
    assert handle is not None
    with LazyState(state) as opened:
        prompted = HookCall("claude", "s1", str(Path.cwd()), event="UserPromptSubmit", show="prompt")
        assert [asks(prompted) for asks, module, _ in STEPS if module == "background"] == ["prompt"]
        for _ in range(2):  # asked for once
            background.step(Work(prompted, opened, RecallSettings(), os.environ, NOW, 0.0), Answer())
    os.close(handle)
    assert [one.session for one in queue(state)] == wanted
    assert call("status", "--json").json["pooled"]["sessions"] == ["claude/s0"]
    assert "waiting    claude/s0: read when there is more for the model, " in call("status").out


def test_a_hook_begins_a_waiter_that_nobody_waits_for(home: Path, state: str) -> None:
    end = an_end(home)
    over = told("SessionEnd", session_id=end.session, cwd=end.cwd, reason="other")
    assert python(PATIENT.format(agent="claude"), over).returncode == 0
    for _ in range(1_000_000):
        if not queue(state):
            break
        os.sched_yield()
    assert queue(state) == []
    (one,) = call("list", "--json").json
    assert "Fridays" in one["description"]


def test_the_waiter_loads_nothing_heavy() -> None:
    """It is started by hooks, beside an agent at work."""
    code = "import sys, siltstone.cli.watch.waiter as _; print(*{m.partition('.')[0] for m in sys.modules})"
    loaded = set(python(code).stdout.decode().split())
    assert "siltstone" in loaded
    assert not {"typer", "litellm", "rich", "mcp"} & loaded


def test_what_is_wanted_again_meanwhile_stays(state: str) -> None:
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
