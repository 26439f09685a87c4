"""Reading: how fast each agent's transcripts become messages."""

from pathlib import Path

import orjson

from benchmarks.clock import interleaved
from benchmarks.figure import Benchmark, Figure, at_least, scaled
from benchmarks.transcripts import FORMS, Form

BYTES = 12_000_000
ROUNDS = 5
WHY = {
    "opencode": "each message is asked for by itself, in two short queries, so that no open transaction "
    "holds up a running agent",
    "plain": "every line is a message of half a kilobyte, and none can be passed over; the file is read once "
    "more to learn which sessions it holds",
}
"""Where an agent's readers have a reason of their own to be slow."""


def measure(folder: Path, scale: float) -> list[Figure]:
    return [_figure(form, folder / form.agent, scaled(BYTES, scale), scaled(ROUNDS, scale)) for form in FORMS]


def _figure(form: Form, root: Path, wanted: int, count: int) -> Figure:
    size = form.write(root, wanted)
    rounds = interleaved(count, {"reader": lambda: read(form, root), "orjson": lambda: parse(form, root)})
    records, steps = parse(form, root), read(form, root)
    return Figure(
        what=form.title,
        value=100 / rounds.ratio("reader", "orjson"),
        unit="%",
        budget=at_least(60),
        detail=f"{records:,} records of {size / records:,.0f} bytes, "
        f"{steps:,} messages and counts of what was left out; "
        f"{size / rounds.seconds('reader') / 1e6:,.0f} MB/s against "
        f"{size / rounds.seconds('orjson') / 1e6:,.0f}",
        why=WHY.get(
            form.agent,
            "orjson takes two or three microseconds for a record of this size; a message takes Python some "
            "fifteen more, for typed access to each field, the value itself and its resume token",
        ),
    )


def read(form: Form, root: Path) -> int:
    """Read everything, as a run does; how many steps there were."""
    reader = form.reader(root)
    steps = 0
    for source in reader.discover():
        reading = reader.read(source, None)
        steps += sum(1 for _ in reading.steps) if reading else 0
    return steps


def parse(form: Form, root: Path) -> int:
    """orjson alone, over the same records; how many there were."""
    return sum(1 for record in form.records(root) if orjson.loads(record) is not None)


BENCHMARK = Benchmark(
    "reading",
    "Reading transcripts",
    "Bytes a second of each reader, as a share of orjson over the same lines (for OpenCode, over the same "
    "rows of its database), both including the disk; processor time.",
    measure,
)
