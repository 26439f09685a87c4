"""From the log of one Gemini CLI session to messages, in reading order (docs/transcripts.md).

A record with the same id may be appended again, first with the text, then with its tool calls: the
last one wins for the content, the first for order and time. So the newest answer is held back until
another message follows. `$set.messages` restates history and is never taken for events.
"""

from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b

from siltstone.agents.gemini.said import plain, said
from siltstone.agents.gemini.tools import complete, tool_call
from siltstone.agents.records import Record, instant, items, obj, string
from siltstone.pipeline.messages import Filtered, Message, frozen

_NOTICES = ("info", "warning", "error")
_REMEMBERED = 256
"""Keys of the newest messages, against a record that is appended again after others."""
_PATIENCE = 3
"""A call that has not ended is given up after so many further prompts: its agent was killed."""


@frozen
class Given:
    """What is complete."""

    item: Message | Filtered
    own: bool
    """It stands in the record that was just fed, not in the one held back."""
    open: int | None
    """Where what is still open then begins: reading goes on from there."""


@dataclass(slots=True)
class _Open:
    """The newest answer, not yet handed over."""

    id: str
    record: Record
    at: datetime
    start: int


@dataclass(slots=True)
class Reduction:
    """The state of one reading."""

    session: str
    at: datetime
    """Time of the last record that told one; at first the file's own."""
    undone: list[tuple[int, int]] = field(default_factory=list)
    """From where to where the user went back; records that begin there are reverted."""
    answer: _Open | None = None
    unfinished: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Answers with a running call: where they begin, and how many prompts had been typed."""
    prompts: int = 0
    recent: dict[str, None] = field(default_factory=dict)
    out: list[Given] = field(default_factory=list)
    """What the record at hand completed. Its reader takes it and clears it."""

    def feed(self, record: Record, start: int) -> None:
        """A record of the log, which begins at `start` (a byte; its number in an older file)."""
        kind, name = record.get("type"), string(record.get("id"))
        if kind == "gemini" and name:
            self._gemini(name, record, start)
        elif kind == "user" and name:
            self._user(name, record, start)
        elif "$rewindTo" in record:
            self.close()
        elif kind in _NOTICES and name:
            self.give(Filtered("notice"), True)

    def close(self, ends_turn: bool = True) -> None:
        """Hand over the answer that was held back."""
        held = self.answer
        if held is None:
            return
        calls = [obj(call) for call in items(held.record.get("toolCalls"))]
        ended = [(number, call) for number, call in enumerate(calls) if complete(call)]
        self.unfinished.pop(held.id, None)
        if len(ended) < len(calls):
            self.unfinished[held.id] = (held.start, self.prompts)
        text = plain(held.record.get("content"))
        given = [self._text(held, text, ends_turn and not calls)] if text.strip() else []
        given += [self._tool(held, call, number) for number, call in ended]
        for left, message in enumerate(given, 1 - len(given)):
            if not left:
                self.answer = None
            self._once(message, held.start, False)
        self.answer = None

    def _gemini(self, name: str, record: Record, start: int) -> None:
        if self.answer and self.answer.id == name:
            self.answer.record = record
            return
        self.close(ends_turn=False)
        self.at = instant(record.get("timestamp")) or self.at
        self.answer = _Open(name, record, self.at, start)

    def _user(self, name: str, record: Record, start: int) -> None:
        words = said(record)
        if words is None:
            return
        self.close()
        self.at = instant(record.get("timestamp")) or self.at
        if words.reason:
            self.give(Filtered(words.reason), True)
            if words.text:
                block = Message(name, f"{self.session}/{name}", "assistant", words.text, self.at)
                self._once(block, start, True)
            return
        self.prompts += 1
        self._give_up()
        key = f"{self.session}/{name}"
        self._once(Message(name, key, "user", words.text, self.at), start, True)

    def _text(self, held: _Open, text: str, final: bool) -> Message:
        mark = blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
        key = f"{self.session}/{held.id}/{mark}"
        return Message(held.id, key, "assistant", text, held.at, final=final)

    def _tool(self, held: _Open, call: Record, number: int) -> Message:
        name = string(call.get("id")) or f"{held.id}/{number}"
        at = instant(call.get("timestamp")) or held.at
        return Message(name, f"{self.session}/{held.id}/{name}", "tool", "", at, tool_call(call))

    def _give_up(self) -> None:
        late = [name for name, (_, then) in self.unfinished.items() if self.prompts - then > _PATIENCE]
        for name in late:
            del self.unfinished[name]
            self.give(Filtered("unfinished"), True)

    def _once(self, message: Message, start: int, own: bool) -> None:
        if message.key in self.recent:
            return
        self.recent[message.key] = None
        if len(self.recent) > _REMEMBERED:
            del self.recent[next(iter(self.recent))]
        reverted = bool(self.undone) and any(begin <= start < end for begin, end in self.undone)
        self.give(Filtered("reverted") if reverted else message, own)

    def give(self, item: Message | Filtered, own: bool) -> None:
        """Put it into `out`, with the place to go on from."""
        start = self.answer.start if self.answer else None
        if self.unfinished:
            oldest = min(begin for begin, _ in self.unfinished.values())
            start = oldest if start is None else min(start, oldest)
        self.out.append(Given(item, own, start))
