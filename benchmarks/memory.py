"""Memory: reading a transcript holds as much of ten megabytes as of a hundred."""

import tracemalloc
from pathlib import Path

from benchmarks.figure import Benchmark, Figure, at_most, scaled
from benchmarks.reading import read
from benchmarks.transcripts import FORMS, Form

SMALL, LARGE = 10_000_000, 100_000_000


def measure(folder: Path, scale: float) -> list[Figure]:
    # OpenCode keeps rows in a database, read one by one, and plain JSONL is what the others are made of.
    logs = [form for form in FORMS if form.agent in ("claude", "codex", "gemini")]
    return [_figure(form, folder, scale) for form in logs]


def _figure(form: Form, folder: Path, scale: float) -> Figure:
    small, large = (
        _peak(form, folder / form.agent / name, scaled(size, scale))
        for name, size in (("small", SMALL), ("large", LARGE))
    )
    return Figure(
        what=form.title,
        value=large / small,
        unit="×",
        budget=at_most(1.2),
        detail=f"at most {small / 1e6:.1f} MB held while reading {scaled(SMALL, scale) / 1e6:,.0f} MB, "
        f"{large / 1e6:.1f} MB while reading {scaled(LARGE, scale) / 1e6:,.0f} MB",
        why="something is kept for every record",
    )


def _peak(form: Form, root: Path, size: int) -> int:
    form.write(root, size)
    tracemalloc.start()
    try:
        read(form, root)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


BENCHMARK = Benchmark(
    "memory",
    "Memory while reading",
    "Peak of what Python holds while one transcript of 100 MB is read, against one of 10 MB (a fifth more "
    "is taken for the same).",
    measure,
)
