"""Searching: the words of a question among a hundred thousand memories."""

import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

from benchmarks.figure import Benchmark, Figure, at_most, scaled
from benchmarks.prose import Prose
from benchmarks.stores import entries, written
from siltstone.store.entry import Snapshot, Stored
from siltstone.store.search import FILE, Search

ENTRIES = 100_000
QUERIES = 300
TRIES = 3
"""Whatever else the machine does falls on some of them."""


def measure(folder: Path, scale: float) -> list[Figure]:
    prose, asked = Prose(3), scaled(QUERIES, scale, 5)
    with Search(folder / FILE) as search:
        began = time.perf_counter()
        count = search.sync(Snapshot.of(_stored(scaled(ENTRIES, scale, 100))))
        built = time.perf_counter() - began
        queries = {
            f"{words} words": [prose.sentence(words) for _ in range(asked)] for words in (2, 5, 12)
        } | {"a word and a number": [f"port {8000 + prose.number(count)}" for _ in range(asked)]}
        figures = [_figure(search, what, some) for what, some in queries.items()]
    filled = Figure("filling the index", built, " s", None, f"{count:,} entries")
    return [*figures, filled]


def _stored(count: int) -> Iterator[Stored]:
    for number, entry in enumerate(entries(count)):
        write = written(entry)
        yield Stored(write.path, write.text, f"{number:064x}", entry)


def _figure(search: Search, what: str, queries: list[str]) -> Figure:
    took = [min(_milliseconds(search, query) for _ in range(TRIES)) for query in queries]
    return Figure(
        what=what,
        value=median(took),
        unit=" ms",
        budget=at_most(10),
        detail=f"{len(queries)} queries, 95% of them within {quantiles(took, n=20)[-1]:.1f} ms",
        why="made-up memories share one small vocabulary: every word is common",
    )


def _milliseconds(search: Search, query: str) -> float:
    began = time.perf_counter()
    search.query(query)
    return 1e3 * (time.perf_counter() - began)


BENCHMARK = Benchmark(
    "search",
    "Searching",
    "Half of all queries over 100,000 memories, with words as common and as rare as those in the "
    "memories, take at most this long; wall time, the best of three tries of each query.",
    measure,
)
