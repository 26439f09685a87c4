"""Reading: how fast each agent's transcripts become messages, and that a long one takes no more memory."""

from collections.abc import Iterator
from pathlib import Path

import orjson

from benchmarks.clock import interleaved, peak
from benchmarks.figure import Benchmark, Figure, at_least, at_most, scaled
from benchmarks.transcripts import FORMS, Form
from siltstone.pipeline.messages import Message, Step, ToolCall

BYTES = 12_000_000
ROUNDS = 5
SMALL, LARGE = 10_000_000, 100_000_000
"""Bytes of two transcripts that should take the same memory."""
WHY = {
    "gemini": "telling lines apart, searching the whole file once for a rewind, and decoding the lines "
    "with messages take a third longer than orjson on all lines, before the records are even used",
    "opencode": "a row's ids and the order of its parts cost as much as its JSON, two out of three parts "
    "are bookkeeping, and every message's content is hashed, because forks do not keep ids",
    "plain": "every line is a message, so none can be skipped, and each gets a resume token and an id, "
    "which is a hash of its words and of the line before",
}
"""Where an agent's readers have a reason of their own to be slow."""


def measure(folder: Path, scale: float) -> list[Figure]:
    speeds = [
        _figure(form, folder / str(n), scaled(BYTES, scale), scaled(ROUNDS, scale))
        for n, form in enumerate(FORMS)
    ]
    # OpenCode keeps rows in a database, read one by one, and plain JSONL is what the others are made of.
    logs = [form for form in FORMS if form.agent in ("claude", "codex", "gemini")]
    return speeds + [_memory(form, folder / "memory", scale) for form in logs]


def _figure(form: Form, root: Path, wanted: int, count: int) -> Figure:
    size = form.write(root, wanted)
    made = list(_read(form, root))
    tasks = {
        "reader": lambda: read(form, root),
        "orjson": lambda: parse(form, root),
        "bare": lambda: parse(form, root) + build(made),
    }
    rounds = interleaved(count, tasks)
    records, steps = parse(form, root), len(made)
    return Figure(
        what=form.title,
        value=100 / rounds.ratio("reader", "orjson"),
        unit="%",
        budget=at_least(50),
        detail=f"{records:,} records of {size / records:,.0f} bytes, "
        f"{steps:,} messages and counts of what was left out; "
        f"{size / rounds.seconds('reader') / 1e6:,.0f} MB/s against "
        f"{size / rounds.seconds('orjson') / 1e6:,.0f}; a bare loop that parses the lines and makes these "
        f"values, and nothing else, reaches {100 / rounds.ratio('bare', 'orjson'):.0f}%",
        why=WHY.get(
            form.agent,
            "orjson takes two or three microseconds for a record of this size; Python needs some fifteen "
            "more for a message, for typed access to each field, the value itself and its resume token",
        ),
    )


def _memory(form: Form, folder: Path, scale: float) -> Figure:
    small, large = (
        _peak(form, folder / form.agent / name, scaled(size, scale))
        for name, size in (("small", SMALL), ("large", LARGE))
    )
    return Figure(
        what=f"{form.title}, memory for 100 MB beside 10 MB",
        value=large / small,
        unit="×",
        budget=at_most(1.2),
        detail=f"at most {small / 1e6:.1f} MB held while reading {scaled(SMALL, scale) / 1e6:,.0f} MB, "
        f"{large / 1e6:.1f} MB while reading {scaled(LARGE, scale) / 1e6:,.0f} MB",
        why="something is kept for every record",
    )


def _peak(form: Form, root: Path, size: int) -> int:
    form.write(root, size)
    return peak(lambda: read(form, root))


def read(form: Form, root: Path) -> int:
    """Read everything, as a run does; how many steps there were."""
    return sum(1 for _ in _read(form, root))


def build(steps: list[Step]) -> int:
    """Make values equal to these, one after another; how many there were."""
    made = 0
    for step in steps:
        one = step.item
        if isinstance(one, Message):
            tool = one.tool
            if tool:
                tool = ToolCall(tool.name, tool.input, tool.output, tool.command, tool.exit, tool.failed)
            one = Message(one.id, one.key, one.role, one.text, one.at, tool, one.final)
        made += Step(one, step.resume) is not step
    return made


def _read(form: Form, root: Path) -> Iterator[Step]:
    reader = form.reader(root)
    for source in reader.discover():
        reading = reader.read(source, None)
        yield from reading.steps if reading else ()


def parse(form: Form, root: Path) -> int:
    """orjson alone, over the same records; how many there were."""
    return sum(1 for record in form.records(root) if orjson.loads(record) is not None)


BENCHMARK = Benchmark(
    "reading",
    "Reading transcripts",
    "Bytes per second of each reader, as a share of orjson on the same lines (for OpenCode, on the same "
    "rows of its database), both including the disk; processor time. Also Python's peak memory while "
    "reading one transcript of 100 MB, against one of 10 MB (a fifth more counts as equal).",
    measure,
)
