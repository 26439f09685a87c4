"""Reading a transcript of Gemini CLI: today's log of lines, or the one JSON object of older versions."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from siltstone.agents.gemini.messages import Reduction
from siltstone.agents.jsonl import Line, Lines, loads
from siltstone.agents.values import Record, items, obj, opened, string
from siltstone.pipeline.messages import Filtered, Message, Step
from siltstone.store.errors import SourceError

_SET = b'{"$set"'
_REWIND = b'{"$rewindTo"'
_RESULT = b'"type":"user","content":[{"functionResponse"'
_NEAR = 200
"""Bytes in which the type of a message stands, after its id and its time."""
_SINGLE = "gemini-json:"
MAX_SINGLE = 64 * 1024 * 1024
"""Bytes an older transcript may have: it can only be read whole."""


def log_steps(lines: Lines, session: str, changed: datetime) -> Iterator[Step]:
    """The log from its resumed place on. `changed` stands in for a time that no record tells."""
    log = Reduction(session, changed, _undone(lines))
    before = Line(lines.offset, lines.offset, b"")
    for line in lines.without(_unwanted):
        record = None if line.too_long else loads(line.raw)
        if record is not None:
            log.feed(record, line.start)
        elif line.too_long or line.raw.strip():
            log.give(Filtered("line-too-long" if line.too_long else "torn-line"), True)
        if log.out:
            yield from _steps(log, line, before, lines)
        before = line
    log.close()
    yield from _steps(log, before, before, lines)


def _unwanted(raw: bytes) -> bool:
    """Notes on the session, and results given back to the model: those stand with their calls too."""
    return (raw.startswith(_SET) or raw.find(_RESULT, 0, _NEAR) >= 0) and raw.endswith(b"}")


def _steps(log: Reduction, line: Line, before: Line, lines: Lines) -> list[Step]:
    """What lies before the place we came from was counted then: messages are known by their keys,
    what was filtered is not given again."""
    steps = []
    for given in log.out:
        at = line if given.own else before
        if isinstance(given.item, Message) or at.end > lines.done:
            base = at.end if given.open is None or given.open > at.end else given.open
            steps.append(Step(given.item, lines.mark(at, base)))
    log.out.clear()
    return steps


def _undone(lines: Lines) -> list[tuple[int, int]]:
    """What `$rewindTo` took back: from the first record of that id up to the rewind itself."""
    if not lines.holds(_REWIND):
        return []
    rewinds: list[tuple[str, int]] = []
    for line in lines.without(lambda raw: not raw.startswith(_REWIND)):
        target = string((loads(line.raw) or {}).get("$rewindTo"))
        if target:
            rewinds.append((target, line.start))
    starts = _starts(lines.path, {target for target, _ in rewinds})
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
        with opened(path) as file:
            raw = file.read(MAX_SINGLE + 1)
    except OSError as error:
        raise SourceError(f"{path} cannot be read ({error}); check its permissions") from error
    if len(raw) > MAX_SINGLE:
        raise SourceError(f"{path} has over {MAX_SINGLE} bytes, too many for one JSON object; move it away")
    return loads(raw) or {}


def single_steps(record: Record, session: str, changed: datetime, resume: str | None) -> Iterator[Step]:
    """Its messages. They are read from the start each time: only what was filtered is not repeated."""
    log = Reduction(session, changed)
    number = (resume or "").removeprefix(_SINGLE)
    done = int(number) if number.isdecimal() and len(number) < 10 else 0
    messages = [obj(message) for message in items(record.get("messages"))]
    for at, message in enumerate(messages):
        log.feed(message, at)
        yield from _single(log, at, done)
    log.close()
    yield from _single(log, len(messages), done)


def _single(log: Reduction, at: int, done: int) -> Iterator[Step]:
    for given in log.out:
        number = at + 1 if given.own else at
        if isinstance(given.item, Message) or number > done:
            yield Step(given.item, f"{_SINGLE}{number}")
    log.out.clear()
