"""Lines of a rollout → steps. Most lines repeat others or keep books: they are told by their first
bytes and never decoded."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from siltstone.agents.codex.calls import CALLS, OUTPUTS
from siltstone.agents.codex.rollouts import Place
from siltstone.agents.codex.turns import Item, Turns
from siltstone.agents.jsonl import Line, Lines, loads
from siltstone.agents.values import integer
from siltstone.pipeline.messages import Filtered, Message, Step, frozen

_MARKED = "turns"
"""Note in a resume token: turns are marked in this file."""
# Codex writes the keys of a record in this order; a line that begins otherwise is decoded.
_RECORD = rb'\{"timestamp":"[^"]{0,40}",(?:"ordinal":\d{1,15},)?"type":"'
_NOISE = re.compile(
    _RECORD
    + rb"(?:(?:world_state|turn_context|token_usage_record|inter_agent_communication_metadata)\""
    + rb'|event_msg","payload":\{"type":"(?:token_count"|thread_settings_applied"|item_completed",'
    + rb'(?:"(?:thread|turn)_id":"[^"\\]{0,80}",){0,2}"item":\{"type":"Reasoning")'
    + rb'|response_item","payload":\{"type":"(?:reasoning"'
    + rb'|message"(?:,"(?:status|id)":"[^"\\]{0,200}"){0,2},"role":"assistant"))'
    + rb"(?s:.*)\}\Z"
)
"""Bookkeeping, the model's thoughts, and answers that an item or event tells too. A torn line is none
of them: it ends otherwise."""
_HEAD = re.compile(_RECORD + rb'(\w{1,40})","payload":\{(?:"type":"(\w{1,40})")?')
# No text can fake what is looked for in a line: inside a JSON string every quote is escaped.
_CALL_ID = re.compile(rb'"call_id":"([\w.:-]{1,200})"')
_CALL_ID_KEY = b'"call_id":"'
_FRONT = 400
"""Bytes in which an output's call id stands."""


def steps(
    lines: Lines,
    resume: str | None,
    undone: int | None,
    abandoned: bool,
    taken_back: Sequence[Place] = (),
) -> Iterator[Step]:
    """Messages from where `lines` begins on; those from ordinal `undone` on, and those in places that
    were `taken_back`, count as reverted.

    Lines before `lines.done` are read again only for what was open then, and give nothing of their
    own. With `abandoned` what is open at the end is given too, without moving on past it.
    """
    turns = Turns(marked=lines.note == _MARKED)
    token = (resume or "") if lines.done else ""
    filtered: Counter[str] = Counter()
    place: _Place | None = None
    for line in lines.without(_NOISE.match):
        found = _completed(line, turns, undone)
        if not found or line.end <= lines.done:
            continue
        if taken_back and any(begin <= line.start < end for begin, end in taken_back):
            found = _reverted(found)
        place = here = _Place(line, turns.open_at(), turns.marked)
        for n, item in enumerate(found, 1):
            if isinstance(item, Filtered):
                filtered[item.reason] += item.count
                continue
            if filtered:
                # It goes ahead of the next message: one step for many lines of it.
                yield from _flushed(filtered, token)
            if n == len(found):
                token, place = here.token(lines), None
            yield Step(item, token)
    if place is not None:
        token = place.token(lines)
    yield from _flushed(filtered, token)
    for item in turns.close() if abandoned else turns.close_unmarked():
        yield Step(item, token)


@frozen
class _Place:
    """Where reading goes on after a line."""

    line: Line
    open_at: int | None
    marked: bool

    def token(self, lines: Lines) -> str:
        return lines.mark(self.line, self.open_at, _MARKED if self.marked else "")


def _flushed(filtered: Counter[str], token: str) -> list[Step]:
    steps = [Step(Filtered(reason, count), token) for reason, count in filtered.items()]
    filtered.clear()
    return steps


def _completed(line: Line, turns: Turns, undone: int | None) -> Sequence[Item]:
    """What this line completes."""
    raw = line.raw
    if line.too_long:
        return [Filtered("line-too-long")]
    if raw.endswith(b"}") and (head := _HEAD.match(raw)):
        short = _SHORT.get(head.groups()) if undone is None else None
        if short and (told := short(line, turns)) is not None:
            return told
    record = loads(raw)
    if record is None:
        return [Filtered("torn-line")] if raw.strip() else ()
    found = turns.feed(record, raw, line.start)
    if undone is None or (integer(record.get("ordinal")) or 0) < undone:
        return found
    return _reverted(found)


def _reverted(found: Sequence[Item]) -> Sequence[Item]:
    return [Filtered("reverted") if isinstance(item, Message) else item for item in found]


def _message(line: Line, turns: Turns) -> Sequence[Item] | None:
    """A typed text has an item or event too; what else stands here was injected."""
    return () if b'"content_item_kinds":["user.text"]' in line.raw else None


def _call(line: Line, turns: Turns) -> Sequence[Item] | None:
    raw = line.raw
    if not (id_ := _CALL_ID.match(raw, max(0, raw.find(_CALL_ID_KEY)))):
        return None
    return turns.call(id_[1].decode(), raw, line.start)


def _output(line: Line, turns: Turns) -> Sequence[Item] | None:
    """Most outputs repeat what an item told."""
    raw = line.raw
    id_ = _CALL_ID.match(raw, max(0, raw.find(_CALL_ID_KEY, 0, _FRONT)))
    return () if id_ and turns.repeats(id_[1].decode()) else None


def _begun(line: Line, turns: Turns) -> Sequence[Item]:
    return turns.begin()


def _ended(line: Line, turns: Turns) -> Sequence[Item] | None:
    return None if b'"error":' in line.raw else turns.end(failed=False)


def _compacted(line: Line, turns: Turns) -> Sequence[Item] | None:
    """Decoded only where its summary may hold a candidate block (docs/seeds.md A8)."""
    return None if b"andidates" in line.raw else [Filtered("compaction")]


_Short = Callable[[Line, Turns], Sequence[Item] | None]
_SHORT: dict[tuple[bytes | None, ...], _Short] = {
    (b"event_msg", b"task_started"): _begun,
    (b"event_msg", b"task_complete"): _ended,
    (b"response_item", b"message"): _message,
    (b"compacted", None): _compacted,
    **{(b"response_item", name.encode()): _call for name in CALLS},
    **{(b"response_item", name.encode()): _output for name in OUTPUTS},
}
"""Type and payload's type → what a line completes, told without decoding it; None = decode it."""
