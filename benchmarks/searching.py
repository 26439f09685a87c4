"""Searching: the words of a question among a hundred thousand memories."""

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles

from benchmarks.clock import interleaved
from benchmarks.figure import Benchmark, Figure, at_most, scaled
from benchmarks.prose import Prose
from benchmarks.stores import entries, written
from siltstone.store.entry import Stored
from siltstone.store.search import Search
from siltstone.store.seek import FILE, quoted
from siltstone.store.words import query_words

ENTRIES = 100_000
SMALLER = (100, 10_000)
QUERIES = 300
TRIES = 3
"""Whatever else the machine does falls on some of them."""


def measure(folder: Path, scale: float) -> list[Figure]:
    folder.mkdir(parents=True, exist_ok=True)
    with Search(folder / FILE) as search:
        began = time.perf_counter()
        count = search.sync(_stored(scaled(ENTRIES, scale, 100)))
        built = time.perf_counter() - began
        prose = Prose(3)
        found = [
            _figure(search, f"{words} words", [prose.sentence(words) for _ in range(QUERIES)])
            for words in (2, 5, 12)
        ]
        ratio = _ratio(folder, search, f"5 words, {ENTRIES:,} entries")
        numbers = [f"port {8000 + prose.number(count)}" for _ in range(QUERIES)]
        smaller = [_smaller(folder / f"{size}", size, scaled(size, scale, 5)) for size in SMALLER]
        return [
            *found,
            *(figure for figures in smaller for figure in figures),
            ratio,
            _figure(search, "a word and a number", numbers, f"{count:,} entries, filled in {built:.1f} s"),
        ]


def _smaller(folder: Path, size: int, count: int) -> list[Figure]:
    folder.mkdir()
    with Search(folder / FILE) as search:
        search.sync(_stored(count))
        prose, what = Prose(3), f"5 words, {size:,} entries"
        queries = [prose.sentence(5) for _ in range(QUERIES)]
        return [_figure(search, what, queries, judged=False), _ratio(folder, search, what)]


def _ratio(folder: Path, search: Search, what: str) -> Figure:
    """Searching beside the one statement that asks FTS5 for the same words, of the same file."""
    prose = Prose(3)
    queries = [prose.sentence(5) for _ in range(QUERIES)]
    db = sqlite3.connect(folder / FILE)
    ask = "select rowid from word where word match ? order by rank limit 10"

    def all_of_ours() -> None:
        for query in queries:
            search.query(query)

    def all_bare() -> None:
        for query in queries:
            db.execute(ask, (" OR ".join(map(quoted, query_words(query))),)).fetchall()

    rounds = interleaved(TRIES, {"silt": all_of_ours, "bare": all_bare})
    db.close()
    each = [rounds.seconds(name, "wall") * 1e3 / QUERIES for name in ("silt", "bare")]
    return Figure(
        what=f"{what}, beside FTS5 alone",
        value=rounds.ratio("silt", "bare"),
        unit="× one FTS5 statement",
        budget=None,
        detail=f"{each[0]:.2f} ms a query against {each[1]:.2f} ms; any of the words, the ten best by BM25",
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
