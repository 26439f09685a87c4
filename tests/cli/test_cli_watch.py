"""`silt watch`: its loop with a clock of its own, what it says of batches, and the command."""

import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.commands import call
from support.table import table

from siltstone.agents.child import Stop
from siltstone.cli.context import signals_to
from siltstone.cli.settings import Settings
from siltstone.cli.watch import WATCH
from siltstone.cli.watch.run_process import Outcome, RunProcess, outcome, pause
from siltstone.cli.watch.watch import Watch, commit_edits
from siltstone.pipeline.messages import Reader, Reading, Source
from siltstone.store.errors import Deferred, SiltError, SourceError, StoreError
from siltstone.store.layout import fingerprint
from siltstone.store.recovery import Settled
from siltstone.store.state import Holder, State
from siltstone.store.state.windows import started

START = 1e9
FINE = Outcome(False, ("run: nothing new",))
BROKEN = Outcome(True, ("run failed: away",))
OPEN_MERGE = Deferred("a merge is open")


class Batch(RunProcess):
    """A batch that takes three seconds of the scene."""

    def __init__(self, scene: "Scene") -> None:
        assert scene.batch is None, "two batches at one time"
        self.scene, self.begun = scene, scene.at

    def poll(self) -> Outcome | None:
        scene = self.scene
        if scene.at < self.begun + scene.lasts and not (scene.sent and scene.heeds):
            return None
        scene.batch = None
        return scene.outcome

    def stop(self, how: signal.Signals) -> None:
        self.scene.sent.append(how)


class Scene(Stop):
    """A watch over a folder and one agent. Time passes only when the watch waits.

    At each second of `course` something happens; at each of `ends` a signal comes.
    """

    agent = "claude"

    def __init__(self, folder: Path, *readers: Reader, **values: object) -> None:
        super().__init__()
        self.folder = folder
        (folder / ".git").mkdir()
        self.course: Mapping[int, Callable[[Scene], object]] = {}
        self.ends: Sequence[int] = (10,)
        self.at, self.clock_set, self.cost = 0, 0, 0.0
        self.lasts, self.heeds, self.outcome = 3, True, FINE
        self.sources: dict[str, Source] = {}
        self.unreadable = False
        self.commits: list[Settled | SiltError] = []
        self.committed: int | None = None
        self.batch: Batch | None = None
        self.sent: list[signal.Signals] = []
        self.looks: list[int] = []
        self.log: list[str] = []
        self.processor = 0.0
        self.watch = Watch(
            folder,
            [self, *readers],
            Settings.model_validate(values),
            start=self.start,
            commit=self.commit,
            report=lambda line: self.log.append(f"{self.at} {line}"),
            clock=lambda: START + self.at + self.clock_set,
            processor_time=lambda: self.processor,
        )

    def pause(self, seconds: float) -> None:
        self.at += round(seconds)
        self.asked = self.asked or self.at in self.ends
        if self.at in self.course:
            self.course[self.at](self)

    def start(self) -> RunProcess:
        self.batch = Batch(self)
        return self.batch

    def commit(self) -> Settled:
        done = self.commits.pop(0) if self.commits else Settled()
        if isinstance(done, SiltError):
            raise done
        self.committed = fingerprint(self.folder)
        return done

    def discover(self) -> Iterator[Source]:
        self.looks.append(self.at)
        self.processor += self.cost
        yield from self.sources.values()
        if self.unreadable:
            raise SourceError("the folder cannot be read")

    def read(self, source: Source, resume: str | None) -> Reading | None:
        raise NotImplementedError

    def idle(self, source: Source, reading: Reading) -> bool | None:
        raise NotImplementedError

    def played(
        self, course: Mapping[int, Callable[["Scene"], object]], end: int = 10, *commits: Settled | SiltError
    ) -> list[str]:
        """The log of a course, each line with its second."""
        self.course, self.ends = course, self.ends if end == 10 else (end,)
        self.commits = [Settled(), *commits]  # the first one finds nothing
        self.watch.run(self)
        return self.log


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path)


def edit(scene: Scene) -> None:
    with (scene.folder / "memory.md").open("a", encoding="utf-8") as file:
        file.write("word\n")


def speak(scene: Scene, session: str = "one") -> None:
    scene.sources[session] = Source("claude", session, session, f"at {scene.at}", START + scene.at)


def speak_both(scene: Scene) -> None:
    speak(scene)
    speak(scene, "two")


def set_back(scene: Scene) -> None:
    scene.clock_set -= 9000


def fail(scene: Scene) -> None:
    scene.outcome = BROKEN


BEGIN = ["0 run begun: first run after the start", "3 run: nothing new"]


HAPPENINGS = {"edit": edit, "speak": speak, "speak_both": speak_both, "set_back": set_back}


@table("watch", "courses")
def test_every_act_and_its_reason_is_a_line(
    scene: Scene, course: dict[str, str], end: int, commits: list[Any], log: list[str]
) -> None:
    happens = {int(second): HAPPENINGS[name] for second, name in course.items()}
    done = [OPEN_MERGE if one == "a merge is open" else settled(**one) for one in commits]
    assert scene.played(happens, end, *done) == [*BEGIN, *log]


def settled(edited: list[str], refused: list[str]) -> Settled:
    return Settled(edited=tuple(edited), refused=tuple(refused))


@table("watch", "when_batches_run")
def test_when_batches_run(tmp_path: Path, values: dict[str, object], begun: list[int]) -> None:
    log = Scene(tmp_path, **values).played(dict.fromkeys(range(6, 40), speak), 700)
    assert [int(line.split()[0]) for line in log if "run begun" in line] == begun


def test_an_agent_whose_transcripts_cannot_be_read_is_named_once_and_hides_no_other(tmp_path: Path) -> None:
    (tmp_path / "codex").mkdir()
    other = Scene(tmp_path / "codex")
    other.sources = {"old": Source("codex", "old", "old", "1:2", START - 5000)}
    scene = Scene(tmp_path, other)
    scene.unreadable = True
    assert scene.played({4: speak}, 80) == [
        "0 transcripts not read: the folder cannot be read",
        *BEGIN,
        "64 run begun: 1 session quiet for 60 s",
        "67 run: nothing new",
    ]
    assert scene.watch.stamps_read == {("claude", "one"): "at 4", ("codex", "old"): "1:2"}


@table("watch", "looking_takes_a_hundredth_of_the_time")
def test_looking_takes_a_hundredth_of_the_time(scene: Scene, cost: float, looks: list[int]) -> None:
    scene.cost = cost
    scene.played({}, 130)
    assert scene.looks[:3] == looks


@table("watch", "a_store_that_is_gone_ends_it")
def test_a_store_that_is_gone_ends_it(scene: Scene, at: int, log: list[str]) -> None:
    with pytest.raises(StoreError, match="no longer exists"):
        scene.played({at: lambda scene: (scene.folder / ".git").rmdir()})
    assert scene.log == ([*BEGIN, *log] if at > 3 else [BEGIN[0], *log])


def test_a_batch_that_failed_is_tried_again_later_and_later(scene: Scene) -> None:
    scene.outcome = BROKEN
    log = scene.played({4: speak}, 400)
    assert [line for line in log if "begun" in line] == [
        "0 run begun: first run after the start",
        "63 run begun: the last run failed",
        "186 run begun: 1 session quiet for 60 s",
    ]
    assert "3 a run waits: the last run failed; next try at 01:47:43Z (the last run failed)" in log
    assert [pause(failures) for failures in range(10)] == [0, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]


def test_a_run_waits_for_the_one_that_is_going_on(tmp_path: Path) -> None:
    scene = Scene(tmp_path, idle_ms=10_000)
    scene.lasts = 30
    assert scene.played({1: speak}, 20)[1:] == [
        "15 a run waits for the current one to end (1 session quiet for 10 s)",
        "20 stopping once the run has finished its window; press Ctrl-C again to stop at once",
        "21 run: nothing new",
    ]


@pytest.mark.parametrize(
    ("ends", "lasts", "heeds", "asked", "last"),
    [
        pytest.param((4,), 3, False, [], 4, id="nothing goes on"),
        pytest.param((1,), 40, True, [signal.SIGINT], 2, id="it ends at once"),
        pytest.param((1,), 40, False, [signal.SIGINT], 40, id="it finishes its window"),
        pytest.param((1, 5), 40, False, [signal.SIGINT, signal.SIGTERM], 5, id="two signals"),
        pytest.param((1,), 900, False, [signal.SIGINT, signal.SIGTERM], 61, id="it takes too long"),
    ],
)
def test_an_end_waits_for_the_window_in_hand(
    scene: Scene, ends: Sequence[int], lasts: int, heeds: bool, asked: list[signal.Signals], last: int
) -> None:
    scene.ends, scene.lasts, scene.heeds = ends, lasts, heeds
    scene.played({})
    assert (scene.sent, scene.at) == (asked, last)


@given(st.lists(st.tuples(st.sampled_from([edit, speak, set_back, fail]), st.integers(0, 120)), max_size=20))
@settings(max_examples=40)
def test_whatever_happens_every_edit_is_committed_and_every_session_read(
    course: list[tuple[Callable[[Scene], object], int]],
) -> None:
    with TemporaryDirectory() as folder:
        scene = Scene(Path(folder))
        for number, (happening, seconds) in enumerate(course):
            scene.at += seconds
            happening(scene)
            scene.commits = [OPEN_MERGE] * (number % 2)
            scene.watch.step()
        scene.outcome, scene.commits, scene.clock_set = FINE, [], 0
        edit(scene)
        speak(scene)
        for seconds in (1, 3, 61, 3601, 3601, 3601, 3601):
            scene.at += seconds
            scene.watch.step()
        assert scene.committed == fingerprint(scene.folder)
        assert scene.watch.stamps_read["claude", "one"] == scene.sources["one"].stamp


@table("watch", "batches")
def test_what_became_of_a_batch(code: int, out: str, err: str, failed: bool, lines: list[str]) -> None:
    assert outcome(code, out, err) == Outcome(failed, tuple(lines))


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        stop = Stop()
        with signals_to(stop.ask):
            signal.raise_signal(signal.SIGHUP)
            assert not stop.asked
            signal.raise_signal(signal.SIGTERM)
            assert stop.asked
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_status_names_the_watch_at_work_and_there_is_no_second_one(home: Path) -> None:
    assert call("status", "--json").json["watch"] is None
    other = os.getppid()
    with State.open(str(home / "state")) as db:
        taken = partial(db.leases.take, WATCH, now=datetime.now(UTC), lasts=timedelta(days=1))
        assert taken(holder=Holder(other, str(started(other))))
        assert f"by itself  silt watch, process {other}\n" in call("status").out
        second = call("watch")
        assert (second.code, "another silt watch is using" in second.err) == (3, True)
    with State.open(str(home / "state")) as db:
        db.leases.release(WATCH, Holder(other, str(started(other))))
        assert db.leases.take(WATCH, Holder(other, "1"), datetime.now(UTC), timedelta(days=1))
    assert "by itself  nothing" in call("status").out, "its process is gone, and another has its number"


def test_a_watch_whose_state_was_lost_is_known_again_when_the_store_changes(home: Path) -> None:
    call("run")
    for path in (home / "state").glob("state.sqlite3*"):
        path.unlink()
    commit_edits()
    assert call("status", "--json").json["watch"] == {"pid": os.getpid()}


def test_a_model_that_was_not_agreed_to_ends_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SILT_MODEL", "openai/gpt-5-mini")
    ended = call("watch")
    assert ended.code == 3
    assert "agree with `silt run --yes`" in ended.err
