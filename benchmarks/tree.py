"""The tree of a store: every file is read and judged before a line of it is shown."""

import os
import subprocess
from functools import partial
from pathlib import Path

from benchmarks.clock import Rounds, interleaved
from benchmarks.figure import Benchmark, Figure, scaled
from benchmarks.installed import bare, silt
from benchmarks.stores import laid_out

ROUNDS = {100: 9, 10_000: 3, 100_000: 1}
"""By memories: a hundred thousand take the better part of a minute."""


def measure(folder: Path, scale: float) -> list[Figure]:
    figures = []
    for size, rounds in ROUNDS.items():
        store = folder / f"{size}"
        count = scaled(size, scale, 5)
        laid_out(store, count)
        tasks = {
            "python": partial(run, store, *bare()),
            "tree": partial(run, store, *silt("tree")),
        }
        took = interleaved(rounds, tasks)
        figures.append(_figure(f"silt tree, {size:,} memories", count, took))
    return figures


def _figure(what: str, count: int, took: Rounds) -> Figure:
    wall, bare = took.seconds("tree", "wall"), took.seconds("python", "wall")
    return Figure(
        what=what,
        value=took.ratio("tree", "python", "wall"),
        unit="× bare python",
        budget=None,
        detail=f"{wall * 1e3:,.0f} ms against {bare * 1e3:.0f} ms; {took.seconds('tree') * 1e3:,.0f} ms of "
        f"processor time, {(took.seconds('tree') - took.seconds('python')) * 1e3 / count:.2f} ms a memory",
    )


def run(store: Path, *command: str) -> None:
    """One process."""
    places = {"SILT_HOME": str(store), "SILT_STATE": f"{store}-state", "SILT_CONFIG": f"{store}.toml"}
    subprocess.run(command, env=os.environ | places, check=True, capture_output=True)


BENCHMARK = Benchmark(
    "tree",
    "Showing a store as a tree",
    "`silt tree` in a process of its own, against `python -c pass`; wall time. No agent waits for it: told, "
    "not judged.",
    measure,
)
