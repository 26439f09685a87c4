"""From the log of one Gemini CLI session to messages, in reading order (docs/transcripts.md).

A record with the same id may be appended again, first with the text, then with its tool calls: the
last one wins for the content, the first for order and time. So the newest answer is held back until
another message follows. `$set.messages` restates history and is never taken for events.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b

from siltstone.agents.gemini.hooks import (
    EXIT_TAIL,
    HOOK,
    OURS,
    SHELL,
    STEERING,
    status_of,
    typed_text,
    without_hooks,
)
from siltstone.agents.jsonl import Line, loads
from siltstone.agents.reduction import PATIENCE, Log, Reduction, Words, answered, asked
from siltstone.agents.values import Record, compact, instant, items, machine_made, obj, string
from siltstone.pipeline.extraction.candidate_block import cut
from siltstone.pipeline.messages import Message, Role, Step, ToolCall

_MACHINE_MADE = machine_made("gemini") | {OURS: "command"}
_SLASH = re.compile(r"/[a-z][\w:-]{0,60}(?:\s|$)")


def user_words(record: Record) -> Words | None:
    """What a `type=user` record says. None when it only repeats the results of tools."""
    parts = _parts(record.get("content"))
    if any("functionResponse" in part for part in parts):
        parts = [part for part in parts if string(part.get("text")).startswith(STEERING)]
        if not parts:
            return None
    shown = _parts(record.get("displayContent")) or parts
    whole = "\n".join(string(part.get("text")) for part in shown)
    text = typed_text(without_hooks(whole)).strip()
    if not text:
        return Words("", "hook" if HOOK in whole else "empty")
    for prefix, reason in _MACHINE_MADE.items():
        if text.startswith(prefix):
            return Words(cut(text) if reason == "compaction" else "", reason)
    return Words("", "command") if _SLASH.match(text) else Words(text)


def _parts(content: object) -> list[Record]:
    if isinstance(content, str):
        return [{"text": content}]
    listed = [content] if isinstance(content, dict) else items(content)
    return [{"text": part} if isinstance(part, str) else obj(part) for part in listed]


_DONE = ("success", "error", "cancelled")
"""How a call ends: a running one is waited for."""
_OPENING, _CLOSING = "<untrusted_context>", "</untrusted_context>"
_GROUP = re.compile(r"\nProcess Group PGID: \d{1,12}\s*\Z")


def _tool_call(call: Record) -> ToolCall:
    """The call with its result. A failed command has status "success"."""
    name, status = string(call.get("name")), call.get("status")
    texts, failed = [], status != "success"
    for part in map(obj, items(call.get("result"))):
        response = obj(obj(part.get("functionResponse")).get("response"))
        failed = failed or "error" in response
        given = (response.get("output"), response.get("error"), part.get("text"))
        texts.append(next(filter(None, map(string, given)), ""))
    seen = "\n".join(filter(None, texts)) or string(call.get("resultDisplay"))
    output = without_hooks(seen).strip("\n")
    command = string(obj(call.get("args")).get("command")) or None if name == SHELL else None
    exit_ = status_of(output) if command and not failed else None
    return ToolCall(name, compact(call.get("args")), _unwrapped(output, command), command, exit_, failed)


def _unwrapped(output: str, command: str | None) -> str:
    """What a tool printed. Not every version marks what a command printed as untrusted."""
    marked = output.startswith(_OPENING) and output.endswith(_CLOSING)
    if not (marked or command):
        return output
    inner = output[len(_OPENING) : -len(_CLOSING)].strip("\n") if marked else output
    group = _GROUP.search(inner, max(0, len(inner) - EXIT_TAIL))
    return (inner[: group.start()] if group else inner).removeprefix("Output: ")


_ASKS, _PLANS = ("ask_user", "Ask User"), ("exit_plan_mode", "Exit Plan Mode")
"""Tools that ask the user, and how they are shown: a server's tool of the same name is shown otherwise."""
_REJECTED, _SAID = "Plan rejected.", " User feedback: "
"""Begin the result of `exit_plan_mode` when the user answered the plan with words."""
_STORED = "\n\nThe plan is stored at: "
"""Stands behind these words."""
_EDITED = "I have edited the plan or annotated it with feedback."
"""Begins what the agent puts there when the user changed the plan in an editor."""


def _exchange(message: Message, tool: ToolCall, call: Record) -> list[Message]:
    """A call with what the user said to it: answers to the questions that the agent asked with it, or words
    on its plan."""
    made, said = replace(message, tool=tool), ""
    asks = "" if tool.failed else (tool.name, call.get("displayName"))
    if asks == _ASKS:
        said = answered((loads(tool.output.encode()) or {}).get("answers"))
        if said:
            question = asked(obj(call.get("args")).get("questions"))
            made = replace(message, role="assistant", text=question, final=True)
    elif asks == _PLANS and tool.output.startswith(_REJECTED + _SAID):
        said = tool.output.partition(_SAID)[2].rpartition(_STORED)[0]
        if said.startswith(_EDITED):
            said = ""
        elif said:
            made = replace(message, tool=replace(tool, output=_REJECTED, refused=True))
    typed = replace(message, id=f"{message.id}/said", key=f"{message.key}/said", role="user", text=said)
    return [made, typed] if said else [made]


_NOTICES = ("info", "warning", "error")
_REMEMBERED = 256
"""Keys of the newest messages, against a record that is appended again after others."""


@dataclass(slots=True)
class _Answer:
    """The newest answer, not yet handed over."""

    id: str
    record: Record
    at: datetime
    start: int


class GeminiReduction(Reduction):
    """What is open: the newest answer, and answers with a running call."""

    def __init__(self, log: Log, session: str, at: datetime, undone: Sequence[tuple[int, int]] = ()) -> None:
        super().__init__(log)
        self.session = session
        self.at = at
        """Time of the last record that has one; at first the file's own."""
        self.undone = undone
        """From where to where the user went back; records that begin there are reverted."""
        self.answer: _Answer | None = None
        self.unfinished: dict[str, tuple[int, int]] = {}
        """Answers with a running call: where they begin, and how many prompts had been typed."""
        self.prompts = 0
        self.recent: dict[str, None] = {}

    def feed(self, record: Record) -> None:
        kind, name = record.get("type"), string(record.get("id"))
        if kind == "gemini" and name:
            self._gemini(name, record)
        elif kind == "user" and name:
            self._user(name, record)
        elif "$rewindTo" in record:
            self.close()
        elif kind in _NOTICES and name:
            self.filtered("notice")

    def close(self, ends_turn: bool = True) -> None:
        held = self.answer
        if held is None:
            return
        self.unfinished.pop(held.id, None)
        content = held.record.get("content")
        texts = [string(part.get("text")) for part in _parts(content) if part.get("thought") is not True]
        calls = [obj(call) for call in items(held.record.get("toolCalls"))]
        given = []
        if (text := "".join(texts)).strip():
            mark = blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
            key, final = f"{self.session}/{held.id}/{mark}", ends_turn and not calls
            given.append(Message(held.id, key, "assistant", text, held.at, final=final))
        for number, call in enumerate(calls):
            if call.get("status") not in _DONE:
                self.unfinished[held.id] = (held.start, self.prompts)
                continue
            name = string(call.get("id")) or f"{held.id}/{number}"
            key, at = f"{self.session}/{held.id}/{name}", instant(call.get("timestamp")) or held.at
            given += _exchange(Message(name, key, "tool", "", at), _tool_call(call), call)
        for message in given[:-1]:
            self._once(message, held.start, self.before)
        self.answer = None
        for message in given[-1:]:
            self._once(message, held.start, self.before)

    def mark(self, line: Line) -> str:
        starts = [start for start, _ in self.unfinished.values()]
        if self.answer:
            starts.append(self.answer.start)
        return self.lines.mark(line, min([line.end, *starts]))

    def _gemini(self, name: str, record: Record) -> None:
        if self.answer and self.answer.id == name:
            self.answer.record = record
            return
        self.close(ends_turn=False)
        self.at = instant(record.get("timestamp")) or self.at
        self.answer = _Answer(name, record, self.at, self.line.start)

    def _user(self, name: str, record: Record) -> None:
        words = user_words(record)
        if words is None:
            return
        self.close()
        self.at = instant(record.get("timestamp")) or self.at
        if words.reason:
            self.filtered(words.reason)
        else:
            self.prompts += 1
            late = [one for one, (_, then) in self.unfinished.items() if self.prompts - then > PATIENCE]
            for one in late:
                del self.unfinished[one]
                self.filtered("unfinished")
        if words.text:
            role: Role = "assistant" if words.reason else "user"
            message = Message(name, f"{self.session}/{name}", role, words.text, self.at)
            self._once(message, self.line.start, self.line)

    def _once(self, message: Message, start: int, line: Line) -> None:
        """Hand it over, unless it was before; `start` is where its first record begins."""
        if message.key in self.recent:
            return
        self.recent[message.key] = None
        if len(self.recent) > _REMEMBERED:
            del self.recent[next(iter(self.recent))]
        if any(begin <= start < end for begin, end in self.undone):
            self.filtered("reverted", line)
        else:
            self.out.append(Step(message, self.mark(line)))
