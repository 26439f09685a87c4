"""Compacting: what it costs to judge a large store, and what each change costs afterwards."""

from pathlib import Path

from support.bench import Bench

from benchmarks.counting import CountingModel, silent
from benchmarks.figure import Benchmark, Figure, at_most, scaled
from benchmarks.stores import entries, filled, written
from siltstone.pipeline.compaction.compact import Wish, compact
from siltstone.pipeline.extraction.extract import Rules
from siltstone.pipeline.parts import Parts

ENTRIES = 10_000
CHANGES = (10, 100)


def measure(folder: Path, scale: float) -> list[Figure]:
    size = scaled(ENTRIES, scale, 40)
    bench = Bench(folder, {})
    filled(folder / "store", size)
    parts = bench.parts(Rules())
    try:
        return _figures(parts, size)
    finally:
        parts.state.close()
        parts.search.close()


def _figures(parts: Parts, size: int) -> list[Figure]:
    store = [stored.text for stored in parts.store.entries()]
    model = silent()
    own = sum(map(model.tokens, store))
    cold = _judged(parts, model)
    again = _judged(parts, silent())
    figures = [
        Figure(
            what="from cold",
            value=cold / own,
            unit="×",
            budget=at_most(1.5),
            detail=f"{cold:,} prompt tokens in {len(model.asked)} calls for {size:,} memories "
            f"of {own:,} tokens",
            why="the fixed part of the prompt and the quotes weigh more than the memories' own files",
        ),
        Figure("nothing changed", again, " tokens", at_most(0), "the same store once more"),
    ]
    return figures + [_after(parts, count, cold / size) for count in CHANGES if count <= size]


def _judged(parts: Parts, model: CountingModel) -> int:
    """Compact; the prompt tokens it took."""
    compact(parts, model, Wish())
    return model.prompt_tokens


def _after(parts: Parts, count: int, each: float) -> Figure:
    new = [entry._replace(name=f"{entry.name}-later-{count}") for entry in entries(count, seed=count)]
    with parts.store.locked():
        parts.store.settle()
        parts.store.apply(list(map(written, new)), "memory: learn", [("Silt-Op", "extract")])
    model = silent()
    tokens = _judged(parts, model)
    return Figure(
        what=f"{count} new memories",
        value=tokens / count / each,
        unit="×",
        budget=at_most(30),
        detail=f"{tokens:,} prompt tokens in {len(model.asked)} calls; {tokens / count:,.0f} for each, "
        f"from cold {each:,.0f}",
        why="a new memory changes which memories are judged together",
    )


BENCHMARK = Benchmark(
    "compaction",
    "Compacting a large store",
    "Prompt tokens sent for judging a store of 10,000 memories for the first time, against the tokens of "
    "its files; then with nothing new, and after some were added: the cost of each added memory, "
    "against the cost per memory of the first time. 'In proportion to churn' means that no change "
    "costs more than one prompt about its own neighbourhood, which is the cost of 30 memories.",
    measure,
)
