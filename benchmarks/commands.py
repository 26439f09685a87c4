"""Commands in a large store: what each costs beside starting."""

import os
import subprocess
from collections.abc import Callable
from functools import partial
from itertools import count
from pathlib import Path

from benchmarks.clock import interleaved
from benchmarks.figure import Benchmark, Figure, at_most, scaled
from benchmarks.installed import silt
from benchmarks.stores import entries, filled, written

MEMORIES = 10_000
ROUNDS = 5
SECONDS = {"search": 0.3, "show": 0.3, "status": 0.3, "remember": 0.3, "run": 0.3}
"""Budgets by command, in seconds of processor time."""


def measure(folder: Path, scale: float) -> list[Figure]:
    size = scaled(MEMORIES, scale, 20)
    filled(folder / "store", size)
    (folder / "none").mkdir()
    # Installed code has its bytecode beside it; where writing it is turned off, every start would compile.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | {
        "SILT_HOME": str(folder / "store"),
        "SILT_STATE": str(folder / "state"),
        "SILT_CONFIG": str(folder / "config.toml"),
        "HOME": str(folder / "none"),
    }
    name = written(next(entries(1))).path
    numbers = count()

    def run(*words: str) -> None:
        subprocess.run(silt(*words), env=env, check=True, capture_output=True, cwd=folder / "none")

    tasks: dict[str, Callable[[], object]] = {
        "start": partial(run, "--version"),
        "search": partial(run, "search", "port 8001"),
        "show": partial(run, "show", name),
        "status": partial(run, "status"),
        "remember": lambda: run("remember", f"The courier of depot {next(numbers)} comes on Fridays"),
        "run": partial(run, "run", "--root", f"claude={folder / 'none'}"),
    }
    rounds = interleaved(scaled(ROUNDS, scale), tasks)
    start = rounds.seconds("start")
    return [
        Figure(
            what=f"silt {name}",
            value=rounds.seconds(name) - start,
            unit=" s",
            budget=at_most(budget),
            detail=f"{rounds.seconds(name):.2f} s of processor time in all, of which `silt --version` takes "
            f"{start:.2f} s; {size:,} memories",
            why="what agents are shown is rewritten after a change"
            if name == "remember"
            else "it checks the files, and asks git for HEAD",
        )
        for name, budget in SECONDS.items()
    ]


BENCHMARK = Benchmark(
    "commands",
    "Commands in a large store",
    "A whole command in its own process, in a store of 10,000 memories, minus the time of `silt "
    "--version`; processor time. `run` finds nothing new.",
    measure,
)
