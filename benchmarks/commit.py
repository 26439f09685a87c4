"""Committing: one memory more in a large store."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from benchmarks.clock import interleaved
from benchmarks.figure import Benchmark, Figure, at_most, scaled
from benchmarks.stores import entries, filled, written
from siltstone.store.entry import Write
from siltstone.store.store import Store

ENTRIES = 10_000
ROUNDS = 11
_GIT = ("git", "-c", "user.name=x", "-c", "user.email=x@localhost", "-c", "gc.auto=0")


def measure(folder: Path, scale: float) -> list[Figure]:
    size = scaled(ENTRIES, scale, 20)
    store, bare = filled(folder / "ours", size), filled(folder / "bare", size)
    more = map(written, entries(10**6, seed=2))
    tasks: dict[str, Callable[[], object]] = {
        "ours": lambda: _apply(store, next(more)),
        "git": lambda: _commit(bare.root, next(more)),
    }
    rounds = interleaved(scaled(ROUNDS, scale), tasks)
    return [
        Figure(
            what="one memory",
            value=rounds.ratio("ours", "git", "wall"),
            unit="×",
            budget=at_most(2),
            detail=f"{rounds.seconds('ours', 'wall') * 1e3:.0f} ms against "
            f"{rounds.seconds('git', 'wall') * 1e3:.0f} ms, in a store of {size:,}",
            why="the user's edits are looked for first, and the file and its intent are synced to the disk",
        )
    ]


def _apply(store: Store, change: Write) -> None:
    with store.locked():
        store.settle()
        store.apply([change], "memory: learn 1 fact", [("Silt-Op", "extract")])


def _commit(root: Path, change: Write) -> None:
    path = root / change.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(change.text)
    for command in (
        ("add", "--", change.path),
        ("commit", "-q", "--only", "-m", "memory", "--", change.path),
    ):
        subprocess.run([*_GIT, *command], cwd=root, check=True, capture_output=True)


BENCHMARK = Benchmark(
    "commit",
    "Committing one memory",
    "A complete write (lock, looking for the user's edits, intent, file, commit) to a store of 10,000 "
    "memories, against writing the file, `git add` and `git commit --only` in a similar one; wall time.",
    measure,
)
