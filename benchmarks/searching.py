"""Searching: the words of a question among a hundred thousand memories."""

import time
from collections.abc import Iterator
from pathlib import Path

from support.snapshots import snapshot_of

from benchmarks.clock import answering
from benchmarks.figure import Benchmark, Figure, at_most, scaled
from benchmarks.prose import Prose
from benchmarks.stores import entries, written
from siltstone.store.entry import Stored
from siltstone.store.search import FILE, Search

ENTRIES = 100_000
QUERIES = 300


def measure(folder: Path, scale: float) -> list[Figure]:
    prose, asked = Prose(3), scaled(QUERIES, scale, 5)
    with Search(folder / FILE) as search:
        began = time.perf_counter()
        count = search.sync(snapshot_of(_stored(scaled(ENTRIES, scale, 100))))
        built = time.perf_counter() - began
        queries = {
            f"{words} words": [prose.sentence(words) for _ in range(asked)] for words in (2, 5, 12)
        } | {"a word and a number": [f"port {8000 + prose.number(count)}" for _ in range(asked)]}
        figures = [
            answering(what, search.query, some, at_most(10), "memories") for what, some in queries.items()
        ]
    filled = Figure("filling the index", built, " s", None, f"{count:,} entries")
    return [*figures, filled]


def _stored(count: int) -> Iterator[Stored]:
    for number, entry in enumerate(entries(count)):
        write = written(entry)
        yield Stored(write.path, write.text, f"{number:064x}", entry)


BENCHMARK = Benchmark(
    "search",
    "Searching",
    "Half of all queries over 100,000 memories, with words as common and as rare as those in the "
    "memories, take at most this long; wall time, the best of three tries of each query.",
    measure,
)
