"""The benchmarks there are, in the order of docs/benchmarks.md."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import (
    action,
    archive,
    commands,
    commit,
    compaction,
    dialogue,
    discovery,
    hooks,
    kill,
    learning,
    reading,
    rebuild,
    searching,
)
from benchmarks.figure import Benchmark, Figure

ALL: tuple[Benchmark, ...] = tuple(
    module.BENCHMARK
    for module in (
        reading,
        discovery,
        learning,
        dialogue,
        commit,
        commands,
        rebuild,
        searching,
        archive,
        compaction,
        hooks,
        action,
    )
)

ALONE = (kill.BENCHMARK,)
"""Runs when it is named: it takes half an hour."""

Results = list[tuple[Benchmark, list[Figure]]]


def chosen(names: Sequence[str]) -> list[Benchmark]:
    """Those named, all when none is. Raises KeyError with the first name there is no benchmark for."""
    known = {benchmark.name: benchmark for benchmark in (*ALL, *ALONE)}
    return [known[name] for name in names] if names else list(ALL)


def run(benchmarks: Sequence[Benchmark], told: Callable[[Benchmark, list[Figure]], None]) -> Results:
    """Measure one after another, each in a folder of its own; `told` is called as each is done."""
    results: Results = []
    for benchmark in benchmarks:
        with tempfile.TemporaryDirectory(prefix="silt-bench-") as folder:
            figures = benchmark.measure(Path(folder), 1.0)
        told(benchmark, figures)
        results.append((benchmark, figures))
    return results
