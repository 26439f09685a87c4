"""Lines of a rollout → steps. Most lines repeat others or keep books: they are told by their first
bytes and never decoded."""

import re
from collections import Counter
from collections.abc import Iterator

from siltstone.agents.codex.calls import CALLS, OUTPUTS
from siltstone.agents.codex.turns import Item, Turns
from siltstone.agents.jsonl import Line, Lines, loads
from siltstone.agents.records import integer
from siltstone.pipeline.messages import Filtered, Message, Step

_MARKED = "turns"
"""Note in a resume token: turns are marked in this file."""
# Codex writes the keys of a record in this order; a line that begins otherwise is decoded.
_HEAD = re.compile(
    rb'\{"timestamp":"[^"]{0,40}",(?:"ordinal":\d{1,15},)?"type":"(\w{1,40})",'
    rb'"payload":\{(?:"type":"(\w{1,40})")?'
)
_BOOKS = {b"world_state", b"turn_context", b"token_usage_record", b"inter_agent_communication_metadata"}
_REPEATS = {b"token_count", b"thread_settings_applied", b"reasoning"}
_CALLS = {name.encode() for name in CALLS}
_OUTPUTS = {name.encode() for name in OUTPUTS}
# No text can fake what is looked for in a line: inside a JSON string every quote is escaped.
_CALL_ID = re.compile(rb'"call_id":"([\w.:-]{1,200})"')
_CALL_ID_KEY = b'"call_id":"'
_FRONT = 400
"""Bytes in which a record's role, its item's type and an output's call id stand."""


def steps(lines: Lines, resume: str | None, undone: int | None, abandoned: bool) -> Iterator[Step]:
    """Messages from where `lines` begins on; those from ordinal `undone` on count as reverted.

    Lines before `lines.done` are read again only for what was open then, and give nothing of their
    own. With `abandoned` what is open at the end is given too, without moving on past it.
    """
    turns = Turns(marked=lines.note == _MARKED)
    token = (resume or "") if lines.done else ""
    filtered: Counter[str] = Counter()
    last: Line | None = None
    for line in lines:
        found = _completed(line, turns, undone)
        if not found or line.end <= lines.done:
            continue
        last = line
        for n, item in enumerate(found, 1):
            if isinstance(item, Filtered):
                filtered[item.reason] += item.count
                continue
            # What was filtered goes ahead of the next message: one step for many lines of it.
            yield from _flush(filtered, token)
            if n == len(found):
                token, last = _token(lines, line, turns), None
            yield Step(item, token)
    if last is not None:
        token = _token(lines, last, turns)
    yield from _flush(filtered, token)
    for item in turns.close() if abandoned else turns.close_unmarked():
        yield Step(item, token)


def _flush(filtered: Counter[str], token: str) -> Iterator[Step]:
    if filtered:
        steps = [Step(Filtered(reason, count), token) for reason, count in filtered.items()]
        filtered.clear()
        yield from steps


def _token(lines: Lines, line: Line, turns: Turns) -> str:
    return lines.mark(line, turns.open_at(), _MARKED if turns.marked else "")


def _completed(line: Line, turns: Turns, undone: int | None) -> list[Item]:
    """What this line completes."""
    raw = line.raw
    if line.too_long:
        return [Filtered("too-long")]
    if raw.endswith(b"}") and (head := _HEAD.match(raw)):
        type_, kind = head.groups()
        if type_ in _BOOKS or kind in _REPEATS:
            return []
        if undone is None and (told := _undecoded(type_, kind, line, turns)) is not None:
            return told
    record = loads(raw)
    if record is None:
        return [Filtered("torn-line")] if raw.strip() else []
    found = turns.feed(record, raw, line.start)
    if undone is None or (integer(record.get("ordinal")) or 0) < undone:
        return found
    return [Filtered("reverted") if isinstance(item, Message) else item for item in found]


def _undecoded(type_: bytes, kind: bytes | None, line: Line, turns: Turns) -> list[Item] | None:
    """What a line completes whose few facts can be had without decoding it; None = decode it."""
    raw = line.raw
    if type_ == b"response_item":
        if kind == b"message":
            typed = b'"content_item_kinds":["user.text"]' in raw
            return [] if typed or raw.find(b'"role":"assistant"', 0, _FRONT) >= 0 else None
        if kind in _CALLS and (call := _CALL_ID.match(raw, max(0, raw.find(_CALL_ID_KEY)))):
            return turns.call(call[1].decode(), raw, line.start, is_script=b'"name":"exec"' in raw)
        if kind in _OUTPUTS and (call := _CALL_ID.match(raw, max(0, raw.find(_CALL_ID_KEY, 0, _FRONT)))):
            return [] if turns.repeats(call[1].decode()) else None
    elif kind == b"item_completed":
        return turns.thought() if raw.find(b'"item":{"type":"Reasoning"', 0, _FRONT) >= 0 else None
    elif kind == b"task_started":
        return turns.begin()
    elif kind == b"task_complete" and b'"error":' not in raw:
        return turns.end(failed=False)
    elif type_ == b"compacted":
        return [Filtered("compaction")]
    return None
