"""`silt watch`: the loop over hands that are handed in, and the process as it is called."""

import json
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.commands import call

from siltstone.cli.watch.lock import LOCK, Watching, alone, watching
from siltstone.cli.watch.loop import RAREST, Look, Watch
from siltstone.cli.watch.world import Ended, Looked, Machine, outcome
from siltstone.pipeline.messages import Reading, Source
from siltstone.pipeline.report import Report
from siltstone.pipeline.watching import Heard, Pace, Place
from siltstone.store.disk import Disk
from siltstone.store.errors import Deferred, SiltError, SourceError, StoreError
from siltstone.store.recovery import Settled

PACE = Pace(quiet=2, idle=60, poll=600)
FINE = Ended(False, ("run: nothing new",))
BROKEN = Ended(True, ("run failed: away",))


@dataclass
class Scene:
    """Hands, clock and waiting in one: time passes only when the loop waits.

    At each second of `course` something happens to the scene; at each of `ends` somebody asks to stop.
    """

    course: Mapping[int, Callable[["Scene"], None]] = field(default_factory=dict)
    ends: Sequence[int] = (10,)
    lasts: int = 3
    """Seconds that a batch takes, when it is not asked to stop."""
    heeds: bool = True
    """A batch that is asked to stop does."""
    ends_with: Ended = FINE
    times: int = 0
    at: int = 0
    files: int = 0
    transcripts: dict[Place, Heard] = field(default_factory=dict)
    commits: list[Settled | SiltError] = field(default_factory=list)
    unseen: tuple[str, ...] = ()
    is_gone: bool = False
    began: int | None = None
    asked: list[signal.Signals] = field(default_factory=list)
    log: list[str] = field(default_factory=list)

    def wait(self, seconds: float) -> None:
        self.at += int(seconds)
        self.times += self.at in self.ends
        happening = self.course.get(self.at)
        if happening is not None:
            happening(self)

    def check(self) -> None:
        if self.is_gone:
            raise StoreError("the store is gone")

    def tree(self) -> int:
        return self.files

    def sessions(self) -> Looked:
        return Looked(dict(self.transcripts), self.unseen)

    def commit(self) -> Settled:
        done = self.commits.pop(0) if self.commits else Settled()
        if isinstance(done, SiltError):
            raise done
        return done

    def finished(self) -> bool:
        return False

    def begin(self, why: str) -> None:
        assert self.began is None, "two batches at one time"
        self.log.append(f"{self.at} run begun: {why}")
        self.began = self.at

    def ended(self) -> Ended | None:
        stopped = bool(self.asked) and self.heeds
        if self.began is None or not (stopped or self.at >= self.began + self.lasts):
            return None
        self.began = None
        return self.ends_with

    def stop(self, how: signal.Signals) -> None:
        self.asked.append(how)

    def played(self) -> Sequence[str]:
        """The log, each line with its second."""

        def report(line: str) -> None:
            self.log.append(f"{self.at} {line}")

        try:
            Watch(self, PACE, self, lambda: 1e9 + self.at, lambda: 0.0, report).run()
        finally:
            report("stopped")
        return self.log


@dataclass
class One:
    """An agent with two transcripts, the second in a folder that may be unreadable."""

    agent: str
    breaks_off: bool

    def discover(self) -> Iterator[Source]:
        yield Source(self.agent, "first", "first", "1:2", 2.0)
        if self.breaks_off:
            raise SourceError(f"{self.agent} cannot be read")
        yield Source(self.agent, "second", "second", "1:2", 2.0)

    def read(self, source: Source, resume: str | None) -> Reading | None:
        return None

    def idle(self, source: Source, reading: Reading) -> bool | None:
        return None


def vanish(scene: Scene) -> None:
    scene.is_gone = True


def edit(scene: Scene) -> None:
    scene.files += 1


def speak(scene: Scene) -> None:
    scene.transcripts[("claude", "one")] = Heard(str(scene.at), 1e9 + scene.at)


BEGIN = ["0 run begun: the first one after the start", "3 run: nothing new"]


@pytest.mark.parametrize(
    ("scene", "log"),
    [
        pytest.param(Scene(), ["10 stopped"], id="nothing happens"),
        pytest.param(
            Scene({4: edit, 5: edit}, commits=[Settled(), Settled(edited=("global/a.md",))]),
            ["7 edits committed: global/a.md", "10 stopped"],
            id="an edit in two steps",
        ),
        pytest.param(
            Scene({4: edit}, commits=[Settled(), Settled(edited=("a.md", "b.md", "c.md", "d.md", "e.md"))]),
            ["6 edits committed: a.md, b.md, c.md and 2 more", "10 stopped"],
            id="many edits",
        ),
        pytest.param(
            Scene({4: speak, 9: speak}, ends=(80,)),
            ["69 run begun: 1 session quiet for 60 s", "72 run: nothing new", "80 stopped"],
            id="a session that speaks twice",
        ),
        pytest.param(
            Scene({4: edit}, commits=[Settled(), Settled(edited=("_CONFLICTS.md",))]),
            [
                "6 edits committed: _CONFLICTS.md",
                "7 run begun: conflicts were edited",
                "10 stopping: the run finishes its window; ask again to end it at once",
                "11 run: nothing new",
                "11 stopped",
            ],
            id="a tick",
        ),
        pytest.param(
            Scene({4: edit}, ends=(75,), commits=[Settled(), Deferred("a merge is open")]),
            [
                "6 edits not committed: a merge is open",
                "7 edits wait: committing failed; next try at 01:47:46Z",
                "75 stopped",
            ],
            id="a merge is open",
        ),
        pytest.param(
            Scene({4: edit, 7: edit}, commits=[Settled(), *[Settled(refused=("a.md: holds a secret",))] * 2]),
            ["6 edit not committed: a.md: holds a secret", "10 stopped"],
            id="a secret is told once",
        ),
        pytest.param(
            Scene({4: speak}, unseen=("the folder cannot be read",), ends=(80,)),
            ["64 run begun: 1 session quiet for 60 s", "67 run: nothing new", "80 stopped"],
            id="transcripts of one agent cannot be read",
        ),
        pytest.param(Scene(ends=(605,)), ["600 run begun: 10 minutes since the last one"], id="the poll"),
    ],
)
def test_each_act_and_its_reason_are_told(scene: Scene, log: list[str]) -> None:
    played = scene.played()
    begin = [line for line in played if line in BEGIN]
    rest = [line for line in played if line not in BEGIN]
    assert begin == BEGIN
    if scene.unseen:
        assert rest.pop(0) == "0 transcripts not read: the folder cannot be read"
    assert rest[: len(log)] == log


def test_an_agent_whose_transcripts_cannot_be_read_hides_no_other(tmp_path: Path) -> None:
    machine = Machine(tmp_path, [One("codex", True), One("claude", False)], (), print)
    looked = machine.sessions()
    assert dict(looked.sessions) == {
        ("codex", "first"): Heard("1:2", 2.0),
        ("claude", "first"): Heard("1:2", 2.0),
        ("claude", "second"): Heard("1:2", 2.0),
    }
    assert looked.complaints == ("codex cannot be read",)


@pytest.mark.parametrize(
    ("at", "log"),
    [
        (6, ["6 stopped"]),
        (
            1,
            [
                "1 stopping: the run finishes its window; ask again to end it at once",
                "2 stopped",
            ],
        ),
    ],
    ids=["between batches", "in a batch"],
)
def test_a_store_that_is_gone_ends_it_and_no_empty_one_is_begun(at: int, log: list[str]) -> None:
    scene = Scene({at: vanish, 70: speak}, ends=(900,), lasts=3)
    with pytest.raises(StoreError, match="is gone"):
        scene.played()
    assert [line for line in scene.log if "run:" not in line][1:] == log


def test_a_run_that_fails_is_tried_again_later_and_later() -> None:
    told = Scene(ends=(400,), ends_with=BROKEN).played()
    begun = [line for line in told if "begun" in line]
    assert begun == [
        "0 run begun: the first one after the start",
        "63 run begun: the last one failed",
        "186 run begun: the last one failed",
    ]
    assert "3 a run waits: the last one failed; next try at 01:47:43Z (the last one failed)" in told


@pytest.mark.parametrize(
    ("scene", "asked", "last"),
    [
        pytest.param(Scene(ends=(4,)), [], "4 stopped", id="nothing goes on"),
        pytest.param(Scene(ends=(1,)), [signal.SIGINT], "2 stopped", id="it ends at once"),
        pytest.param(
            Scene(ends=(1,), lasts=40, heeds=False),
            [signal.SIGINT],
            "40 stopped",
            id="it finishes its window",
        ),
        pytest.param(
            Scene(ends=(1, 5), lasts=40, heeds=False),
            [signal.SIGINT, signal.SIGTERM],
            "5 stopped",
            id="asked twice",
        ),
        pytest.param(
            Scene(ends=(1,), lasts=900, heeds=False),
            [signal.SIGINT, signal.SIGTERM],
            "61 stopped",
            id="it takes too long",
        ),
    ],
)
def test_an_end_waits_for_the_window_in_hand(scene: Scene, asked: list[signal.Signals], last: str) -> None:
    told = scene.played()
    assert (scene.asked, told[-1]) == (asked, last)


@pytest.mark.parametrize(
    ("cost", "rest"),
    [(0.0, 5.0), (0.04, 5.0), (0.2, 20.0), (9.0, RAREST)],
    ids=["none", "small", "large", "huge"],
)
def test_the_dearer_a_look_the_rarer_it_is(cost: float, rest: float) -> None:
    look = Look(5.0)
    assert look.due(100.0)
    look.looked(100.0, cost)
    assert not look.due(100.0 + rest - 0.1)
    assert look.due(100.0 + rest)
    assert look.due(20.0), "a clock that was set back"


def document(**fields: object) -> str:
    return json.dumps({**Report().as_json(), **fields})


@pytest.mark.parametrize(
    ("code", "out", "err", "ended"),
    [
        pytest.param(
            0,
            document(),
            "",
            Ended(False, ("run: 0 messages of 0 sessions read; nothing to keep",)),
            id="nothing new",
        ),
        pytest.param(
            1,
            document(
                messages=12,
                sessions=1,
                outcome={"promoted": 2, "updated": 0},
                rejected={"raw_error": 1},
                failed=1,
                waiting=1,
                backing_off=2,
                notes=["a1cabb87: 2 is kept"],
                complaints=["global/a.md, line 3: holds a secret"],
                compaction={"global": {"summary": "merge 2", "why": "8 writes"}},
            ),
            "",
            Ended(
                False,
                (
                    "run: 12 messages of 1 session read; 2 promoted, 1 rejected; 1 window failed; "
                    "1 session in use; 2 sessions waiting for another try",
                    "  a1cabb87: 2 is kept",
                    "  global: merge 2 (8 writes)",
                    "  left out: global/a.md, line 3: holds a secret",
                ),
            ),
            id="much done, a window failed",
        ),
        pytest.param(
            3,
            document(stopped="the ceiling is reached"),
            "",
            Ended(
                True,
                (
                    "run: 0 messages of 0 sessions read; nothing to keep",
                    "run failed: the ceiling is reached",
                ),
            ),
            id="stopped",
        ),
        pytest.param(
            2,
            "",
            "silt: a hint\nsilt: there is no setting 'modle'.\n",
            Ended(True, ("run failed: there is no setting 'modle'.",)),
            id="misuse",
        ),
        pytest.param(-9, "", "", Ended(True, ("run failed: silt run ended with status -9",)), id="killed"),
        pytest.param(
            -2,
            "",
            "KeyboardInterrupt",
            Ended(True, ("run stopped: what was committed stays, the next one goes on from there",)),
            id="interrupted as it started",
        ),
        pytest.param(
            130,
            "",
            "silt: interrupted",
            Ended(True, ("run stopped: what was committed stays, the next one goes on from there",)),
            id="interrupted",
        ),
    ],
)
def test_what_became_of_a_batch(code: int, out: str, err: str, ended: Ended) -> None:
    assert outcome(code, out, err) == ended


GONE = {"pid": 2**22 + 1, "started": "1", "since": "2026-11-20T12:00:00+00:00"}


def test_status_tells_of_the_watch_at_work(home: Path) -> None:
    assert call("status", "--json").json["watch"] is None
    since = datetime(2026, 11, 20, 12, tzinfo=UTC)
    with alone(home / "state", since):
        assert watching(home / "state") == Watching(os.getpid(), since)
        assert f"silt watch, process {os.getpid()}, since 2026-11-20T12:00:00Z" in call("status").out


@pytest.mark.parametrize(
    "said",
    [
        json.dumps(GONE),
        json.dumps(GONE | {"pid": os.getpid()}),
        "",
        "[]",
        '{"pid": "x"}',
        "\x00\xff",
        "9" * 5_000,
    ],
    ids=["gone", "another with its number", "empty", "a list", "no number", "no text", "endless"],
)
def test_what_a_watch_left_behind_is_no_watch(home: Path, said: str) -> None:
    (home / "state").mkdir()
    (home / "state" / LOCK).write_text(said, encoding="latin-1")
    assert watching(home / "state") is None
    assert "by itself  nothing" in call("status").out


def test_a_second_instance_says_so(home: Path) -> None:
    (home / "state").mkdir()
    disk = Disk()
    held = disk.lock(home / "state" / "watch.lock")
    assert held is not None
    said = call("watch")
    disk.unlock(held)
    assert said.code == 3
    assert "another silt watch is running" in said.err


def test_a_model_that_was_not_agreed_to_is_not_watched_with(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SILT_MODEL", "openai/gpt-5-mini")
    said = call("watch")
    assert said.code == 3
    assert "agree with `silt run --yes`" in said.err
