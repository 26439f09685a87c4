"""Starting: what a command costs before it does anything."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

from benchmarks.clock import interleaved
from benchmarks.figure import Benchmark, Figure, scaled
from benchmarks.stores import filled

ROUNDS = 9
MEMORIES = 100


def measure(folder: Path, scale: float) -> list[Figure]:
    filled(folder / "store", scaled(MEMORIES, scale, 5))
    env = dict(os.environ) | {
        "SILT_HOME": str(folder / "store"),
        "SILT_STATE": str(folder / "state"),
        "SILT_CONFIG": str(folder / "config.toml"),
    }
    commands = {
        "python": ("-c", "pass"),
        "silt --help": ("-m", "siltstone", "--help"),
        "silt list": ("-m", "siltstone", "list"),
        "silt search": ("-m", "siltstone", "search", "port 8001"),
    }

    def run(*arguments: str) -> None:
        subprocess.run([sys.executable, *arguments], env=env, check=True, capture_output=True)

    tasks = {name: partial(run, *arguments) for name, arguments in commands.items()}
    rounds = interleaved(scaled(ROUNDS, scale), tasks)
    return [
        Figure(
            what=name,
            value=rounds.ratio(name, "python", "wall"),
            unit="× bare python",
            budget=None,
            detail=f"{rounds.seconds(name, 'wall') * 1e3:.0f} ms against "
            f"{rounds.seconds('python', 'wall') * 1e3:.0f} ms; {rounds.seconds(name) * 1e3:.0f} ms of "
            "processor time",
        )
        for name in list(commands)[1:]
    ]


BENCHMARK = Benchmark(
    "startup",
    "Starting a command",
    "A whole command in a process of its own, in a store of 100 memories, against `python -c pass`; wall "
    "time. The budget (30 ms over bare python) is for the commands of agents' hooks, which are not built "
    "yet: these figures are told, not judged.",
    measure,
)
