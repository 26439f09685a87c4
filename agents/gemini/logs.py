"""Reading a transcript of Gemini CLI: today's log of lines, or the one JSON object of older versions."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from siltstone.agents.gemini.reduce import Given, Reduction
from siltstone.agents.jsonl import Line, Lines, loads
from siltstone.agents.records import Record, items, obj, string
from siltstone.pipeline.messages import Filtered, Message, Step
from siltstone.store.errors import SourceError

_SET = b'{"$set"'
_REWIND = b'"$rewindTo"'
_SINGLE = "gemini-json:"
MAX_SINGLE = 64 * 1024 * 1024
"""Bytes an older transcript may have: it can only be read whole."""


def log_steps(lines: Lines, session: str, changed: datetime) -> Iterator[Step]:
    """The log from its resumed place on. `changed` stands in for a time that no record tells."""
    log = Reduction(session, changed, _undone(lines))
    before = Line(lines.offset, lines.offset, b"")
    for line in lines:
        for given in _line(log, line):
            yield from _step(log, given, line if given.own else before, lines)
        before = line
    for given in log.close():
        yield from _step(log, given, before, lines)


def _line(log: Reduction, line: Line) -> Iterator[Given]:
    if line.too_long:
        yield Given(Filtered("line-too-long"), True)
    elif not line.raw.startswith(_SET):
        record = loads(line.raw)
        if record is not None and "$set" not in record:
            yield from log.feed(record, line.start)
        elif record is None and line.raw.strip():
            yield Given(Filtered("torn-line"), True)


def _step(log: Reduction, given: Given, line: Line, lines: Lines) -> Iterator[Step]:
    """What lies before the place we came from was counted then: messages are known by their keys,
    what was filtered is not given again."""
    if isinstance(given.item, Message) or line.end > lines.done:
        yield Step(given.item, lines.mark(line, log.base(line.end)))


def _undone(lines: Lines) -> list[tuple[int, int]]:
    """What `$rewindTo` took back: from the first record of that id up to the rewind itself."""
    rewinds: list[tuple[str, int]] = []
    for line in lines:
        if _REWIND in line.raw:
            target = string((loads(line.raw) or {}).get("$rewindTo"))
            if target:
                rewinds.append((target, line.start))
    starts = _starts(lines.path, {target for target, _ in rewinds}) if rewinds else {}
    return [(starts[target], end) for target, end in rewinds if target in starts]


def _starts(path: Path, wanted: set[str]) -> dict[str, int]:
    starts: dict[str, int] = {}
    for line in Lines(path):
        if b'"id"' in line.raw:
            name = string((loads(line.raw) or {}).get("id"))
            if name in wanted:
                starts.setdefault(name, line.start)
    return starts


def single(path: Path) -> Record:
    """The object of an older transcript, which is rewritten whole at each turn [R]."""
    try:
        size = path.stat().st_size
        if size > MAX_SINGLE:
            raise SourceError(f"{path} has {size} bytes, too many for one JSON object; move it away")
        return loads(path.read_bytes()) or {}
    except OSError as error:
        raise SourceError(f"{path} cannot be read ({error}); check its permissions") from error


def single_steps(record: Record, session: str, changed: datetime, resume: str | None) -> Iterator[Step]:
    """Its messages. They are read from the start each time: only what was filtered is not repeated."""
    log = Reduction(session, changed)
    number = (resume or "").removeprefix(_SINGLE)
    done = int(number) if number.isdecimal() and len(number) < 10 else 0
    messages = [obj(message) for message in items(record.get("messages"))]
    for at, message in enumerate(messages):
        for given in log.feed(message, at):
            yield from _single(given, at + 1 if given.own else at, done)
    for given in log.close():
        yield from _single(given, len(messages), done)


def _single(given: Given, at: int, done: int) -> Iterator[Step]:
    if isinstance(given.item, Message) or at > done:
        yield Step(given.item, f"{_SINGLE}{at}")
