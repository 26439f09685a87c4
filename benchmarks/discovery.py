"""Nothing new: what a run costs that finds every session as it left it."""

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.clock import Rounds, interleaved
from benchmarks.figure import Benchmark, Figure, at_most, scaled
from siltstone.agents.readers import readers
from siltstone.pipeline.messages import Reader
from siltstone.pipeline.reading.backlog import Backlog, Found, Wanted
from siltstone.store.state import State, Watermark

SESSIONS = 10_000
FOLDERS = 50
ROUNDS = 15
NOW = datetime(2026, 11, 21, tzinfo=UTC)


def measure(folder: Path, scale: float) -> list[Figure]:
    count = scaled(SESSIONS, scale, FOLDERS)
    titles = {"claude": "Claude Code", "codex": "Codex", "gemini": "Gemini CLI"}
    roots = {agent: _files(folder / agent, NAMES[agent], count) for agent in titles}
    rounds = {agent: _rounds(agent, root, scaled(ROUNDS, scale)) for agent, root in roots.items()}
    return [_figure(title, rounds[agent], count) for agent, title in titles.items()]


NAMES = {
    "claude": lambda n: f"projects/-app{n % FOLDERS}/{n:08x}-0000-4000-8000-000000000000.jsonl",
    "codex": lambda n: (
        f"sessions/2026/{n % 5 + 1:02d}/{n // 5 % 10 + 1:02d}/"
        f"rollout-2026-01-01T00-00-00-{n:08x}-0000-7000-8000-000000000000.jsonl"
    ),
    "gemini": lambda n: f"tmp/app{n % FOLDERS}/chats/session-2026-01-01T00-00-{n:08x}.jsonl",
}
"""Where the n-th session of an agent stands."""


def _files(root: Path, name: Callable[[int], str], count: int) -> Path:
    for number in range(count):
        path = root / name(number)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"{}\n")
    return root


def _rounds(agent: str, root: Path, count: int) -> Rounds:
    with State.open(root.with_name(f"{agent}-state")) as state:
        _behind(readers({agent: root}, {}), state)
        return interleaved(
            count, {"find": lambda: _find(agent, root, state), "walk": lambda: walk(str(root))}
        )


def _figure(title: str, rounds: Rounds, count: int) -> Figure:
    return Figure(
        what=title,
        value=rounds.ratio("find", "walk"),
        unit="×",
        budget=at_most(2),
        detail=f"{count:,} sessions: {rounds.seconds('find') * 1e3:.0f} ms, walking and stat-ing them "
        f"{rounds.seconds('walk') * 1e3:.0f} ms",
        why="a walk takes three microseconds per file, so most of the time goes into naming each session "
        "and looking up its watermark",
    )


def _behind(found: list[Reader], state: State) -> None:
    """Watermarks as a run leaves them that read everything."""
    marks = [
        Watermark(s.agent, s.key, s.path.stem, "j1:token", s.stamp, "message", NOW)
        for r in found
        for s in r.discover()
    ]
    state.advance(marks, {})


def _find(agent: str, root: Path, state: State) -> None:
    """What a run does before it knows that there is nothing to do, with readers of its own."""
    nothing = Backlog(readers({agent: root}, {}), state, Wanted(NOW, timedelta(minutes=1))).find()
    assert nothing == Found()


def walk(folder: str) -> int:
    """The floor: every file under a folder, stat-ed; how many there are."""
    count = 0
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                count += walk(entry.path)
            else:
                entry.stat()
                count += 1
    return count


BENCHMARK = Benchmark(
    "discovery",
    "Nothing new over 10,000 sessions",
    "Finding out from the state database with their watermarks that no session has changed, against "
    "walking the same folders and calling stat on each file; processor time, in process.",
    measure,
)
