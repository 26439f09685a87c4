"""From the log of one Gemini CLI session to messages, in reading order (docs/transcripts.md).

A record with the same id may be appended again, first with the text, then with its tool calls: the
last one wins for the content, the first for order and time. So the newest answer is held back until
another message follows. `$set.messages` restates history and is never taken for events.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import NamedTuple

from siltstone.agents.gemini.hooks import EXIT, EXIT_TAIL, OURS, SHELL, typed_text
from siltstone.agents.values import Record, compact, instant, items, obj, string
from siltstone.pipeline.extraction.candidate_block import cut
from siltstone.pipeline.messages import Filtered, Message, ToolCall, frozen

_MACHINE_MADE = (
    ("<session_context>", "instructions"),
    ("<state_snapshot>", "compaction"),
    ("<scratchpad>", "compaction"),
    ("I ran the following shell command:", "command"),
)
_SLASH = re.compile(r"/[a-z][\w:-]{0,60}(?:\s|$)")
_HOOK, _END = "<hook_context>", "</hook_context>"


class UserText(NamedTuple):
    """`reason` says why the text is not a person's; "" when it is. Of a compaction summary `text` is the
    candidate block (docs/seeds.md A8), else it is empty."""

    text: str
    reason: str


def user_text(record: Record) -> UserText | None:
    """A `type=user` record. None when it only repeats the results of tools."""
    parts = _parts(record.get("content"))
    if any("functionResponse" in part for part in parts):
        return None
    shown = _parts(record.get("displayContent")) or parts
    whole = "\n".join(string(part.get("text")) for part in shown)
    text = typed_text(without_hooks(whole)).strip()
    if not text:
        return UserText("", "hook" if _HOOK in whole else "empty")
    for prefix, reason in _MACHINE_MADE:
        if text.startswith(prefix):
            return UserText(cut(text) if reason == "compaction" else "", reason)
    return UserText("", "command") if text.startswith(OURS) or _SLASH.match(text) else UserText(text, "")


def plain(content: object) -> str:
    """The text of an answer: a string, or parts."""
    if isinstance(content, str):
        return content
    return "".join(string(part.get("text")) for part in _parts(content) if part.get("thought") is not True)


def without_hooks(text: str) -> str:
    """The text without what hooks put into it: nothing we or others injected is read back."""
    if _HOOK not in text:
        return text
    kept, at = [], 0
    while (start := text.find(_HOOK, at)) >= 0:
        kept.append(text[at:start])
        end = text.find(_END, start)
        at = len(text) if end < 0 else end + len(_END)
    kept.append(text[at:])
    return "".join(kept)


def _parts(content: object) -> list[Record]:
    if isinstance(content, str):
        return [{"text": content}]
    listed = [content] if isinstance(content, dict) else items(content)
    return [{"text": part} if isinstance(part, str) else obj(part) for part in listed]


_DONE = ("success", "error", "cancelled")
_WRAPPED = ("<untrusted_context>", "</untrusted_context>")
_GROUP = re.compile(r"\nProcess Group PGID: \d{1,12}\s*\Z")


def complete(call: Record) -> bool:
    """Whether the call has come to its end: a running one is waited for."""
    return call.get("status") in _DONE


def tool_call(call: Record) -> ToolCall:
    """The call with its result. A failed command has status "success": its output tells."""
    name, status = string(call.get("name")), call.get("status")
    raw, error = _output(call)
    output = without_hooks(raw).strip("\n")
    command = string(obj(call.get("args")).get("command")) or None if name == SHELL else None
    code = _exit(output) if command and status == "success" and not error else None
    return ToolCall(
        name=name,
        input=compact(call.get("args")),
        output=_unwrapped(output),
        command=command,
        exit=code,
        failed=status != "success" or error,
    )


def _output(call: Record) -> tuple[str, bool]:
    """What the model saw, and whether it was an error."""
    texts, error = [], False
    for part in map(obj, items(call.get("result"))):
        response = obj(obj(part.get("functionResponse")).get("response"))
        error = error or "error" in response
        texts.append(
            string(response.get("output")) or string(response.get("error")) or string(part.get("text"))
        )
    text = "\n".join(text for text in texts if text)
    return text or string(call.get("resultDisplay")), error


def _exit(output: str) -> int:
    """The last line of its kind: what the command printed stands before it. None means success."""
    found = EXIT.findall(output[-EXIT_TAIL:])
    return int(found[-1]) if found else 0


def _unwrapped(output: str) -> str:
    opening, closing = _WRAPPED
    if not (output.startswith(opening) and output.endswith(closing)):
        return output
    inner = output[len(opening) : -len(closing)].strip("\n")
    group = _GROUP.search(inner, max(0, len(inner) - EXIT_TAIL))
    return (inner[: group.start()] if group else inner).removeprefix("Output: ")


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
    """Time of the last record that has one; at first the file's own."""
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
        for message in given[:-1]:
            self._once(message, held.start, False)
        self.answer = None
        for message in given[-1:]:
            self._once(message, held.start, False)

    def _gemini(self, name: str, record: Record, start: int) -> None:
        if self.answer and self.answer.id == name:
            self.answer.record = record
            return
        self.close(ends_turn=False)
        self.at = instant(record.get("timestamp")) or self.at
        self.answer = _Open(name, record, self.at, start)

    def _user(self, name: str, record: Record, start: int) -> None:
        words = user_text(record)
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
