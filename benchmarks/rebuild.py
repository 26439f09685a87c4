"""Rebuilding: every memory read anew and every index written."""

from pathlib import Path

from benchmarks.clock import interleaved
from benchmarks.figure import Benchmark, Figure, at_most, scaled
from benchmarks.stores import START, filled
from siltstone.prompts import protocol
from siltstone.recall.index import rebuild
from siltstone.store import layout
from siltstone.store.disk import Disk
from siltstone.store.store import Store

ENTRIES = 10_000
ROUNDS = 7


def measure(folder: Path, scale: float) -> list[Figure]:
    root = filled(folder / "store", scaled(ENTRIES, scale, 20)).root
    count = len(_read(root))
    rounds = interleaved(
        scaled(ROUNDS, scale), {"rebuild": lambda: _rebuild(root), "read": lambda: _read(root)}
    )
    detail = f"{count:,} entries; {rounds.seconds('rebuild'):.2f} s of processor time"
    return [
        Figure(
            what="rebuild",
            value=rounds.seconds("rebuild", "wall"),
            unit=" s",
            budget=at_most(2),
            detail=f"{detail}, of which reading the store {rounds.seconds('read'):.2f} s",
            why="reading and parsing the files is most of it",
        )
    ]


def _read(root: Path) -> list[object]:
    return list(Store.open(root, clock=lambda: START).entries())


def _rebuild(root: Path) -> None:
    """As `silt rebuild` does, in a process of its own: nothing is parsed before, nothing is written yet."""
    for path in (root / layout.INDEX, *root.glob(f"projects/*/{layout.INDEX}")):
        path.unlink(missing_ok=True)
    store = Store.open(root, clock=lambda: START)
    rebuild(root, store.snapshot(), [], protocol(), Disk())


BENCHMARK = Benchmark(
    "rebuild",
    "Rebuilding the index",
    "Opening a store of 10,000 memories, reading all of them and writing every index; wall time.",
    measure,
)
