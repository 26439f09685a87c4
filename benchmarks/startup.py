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
MANY = 10_000


def measure(folder: Path, scale: float) -> list[Figure]:
    few, many = folder / "store", folder / "large"
    filled(few, scaled(MEMORIES, scale, 5))
    filled(many, scaled(MANY, scale, 5))
    env = dict(os.environ) | {"SILT_CONFIG": str(folder / "config.toml")}
    commands: dict[str, tuple[Path, tuple[str, ...]]] = {
        "python": (few, ("-c", "pass")),
        "silt --help": (few, ("-m", "siltstone", "--help")),
        "silt list": (few, ("-m", "siltstone", "list")),
        "silt search": (few, ("-m", "siltstone", "search", "port 8001")),
        "silt tree": (few, ("-m", "siltstone", "tree")),
        f"silt tree, {MANY:,} memories": (many, ("-m", "siltstone", "tree")),
    }

    def run(store: Path, *arguments: str) -> None:
        command = [sys.executable, *arguments]
        places = {"SILT_HOME": str(store), "SILT_STATE": f"{store}-state"}
        subprocess.run(command, env=env | places, check=True, capture_output=True)

    tasks = {name: partial(run, store, *words) for name, (store, words) in commands.items()}
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
    "A whole command in a process of its own, in a store of 100 memories unless it says otherwise, against "
    "`python -c pass`; wall time. The budget (30 ms over bare python) is for the commands of agents' hooks, "
    "which have their own figures above: these are told, not judged.",
    measure,
)
