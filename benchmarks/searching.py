"""Searching: the words of a question among a hundred thousand memories."""

import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

from benchmarks.figure import Benchmark, Figure, at_most, scaled
from benchmarks.prose import Prose
from benchmarks.stores import entries, written
from siltstone.store.entry import Stored
from siltstone.store.search import Search

ENTRIES = 100_000
SMALLER = (100, 10_000)
QUERIES = 300
TRIES = 3
"""Whatever else the machine does falls on some of them."""


def measure(folder: Path, scale: float) -> list[Figure]:
    folder.mkdir(parents=True, exist_ok=True)
    with Search(folder / "search.sqlite3") as search:
        began = time.perf_counter()
        count = search.sync(_stored(scaled(ENTRIES, scale, 100)))
        built = time.perf_counter() - began
        prose = Prose(3)
        found = [
            _figure(search, f"{words} words", [prose.sentence(words) for _ in range(QUERIES)])
            for words in (2, 5, 12)
        ]
        numbers = [f"port {8000 + prose.number(count)}" for _ in range(QUERIES)]
        smaller = [_smaller(folder / f"{size}", scaled(size, scale, 5)) for size in SMALLER]
        return [
            *found,
            *smaller,
            _figure(search, "a word and a number", numbers, f"{count:,} entries, filled in {built:.1f} s"),
        ]


def _smaller(folder: Path, size: int) -> Figure:
    folder.mkdir()
    with Search(folder / "search.sqlite3") as search:
        search.sync(_stored(size))
        prose = Prose(3)
        return _figure(
            search, f"5 words, {size:,} entries", [prose.sentence(5) for _ in range(QUERIES)], judged=False
        )


def _stored(count: int) -> Iterator[Stored]:
    for number, entry in enumerate(entries(count)):
        write = written(entry)
        yield Stored(write.path, write.text, f"{number:064x}", entry)


def _figure(search: Search, what: str, queries: list[str], more: str = "", judged: bool = True) -> Figure:
    took = []
    for query in queries:
        took.append(min(_milliseconds(search, query) for _ in range(TRIES)))
    told = f"{len(queries)} queries, 95% of them within {quantiles(took, n=20)[-1]:.1f} ms"
    return Figure(
        what=what,
        value=median(took),
        unit=" ms",
        budget=at_most(10) if judged else None,
        detail=f"{told}; {more}" if more else told,
        why="made-up memories share one small vocabulary: every word is common",
    )


def _milliseconds(search: Search, query: str) -> float:
    began = time.perf_counter()
    search.query(query)
    return 1e3 * (time.perf_counter() - began)


BENCHMARK = Benchmark(
    "search",
    "Searching",
    "Half of all queries over 100,000 memories, in words as common and as rare as those of the memories, "
    "take at most this long; time on the wall, the best of three tries of each query.",
    measure,
)
