"""Records of a rollout → messages, in the order in which they were complete.

Two things are not known when their record is read: whether an answer without a phase ended its
turn, and what a call gave. Both stay open, with the place of their record, until a later record
tells; a resume token never passes an open place.

What Codex puts beside the user's words is no message (invariant 7): 0.169 says where every piece came from,
older files show it by how a piece begins.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256

from siltstone.agents.codex.calls import CALLS, OUTPUTS, from_item, from_pair
from siltstone.agents.codex.hooks import typed_text
from siltstone.agents.jsonl import loads
from siltstone.agents.values import Record, instant, items, obj, string
from siltstone.pipeline.extraction.candidate_block import cut
from siltstone.pipeline.messages import Filtered, Message, Role, ToolCall, frozen

Item = Message | Filtered
_EPOCH = datetime.fromtimestamp(0, UTC)
_NO_MESSAGES = {"Reasoning", "ContextCompaction", "SubAgentActivity", "CollabAgentToolCall"}
"""Thoughts; and what is told by `compacted` or by the call."""
_EVENTS = {"error": "api-error", "stream_error": "api-error"}


@frozen
class _Call:
    start: int
    raw: bytes
    """The record itself: most calls are told by an item, and never decoded."""


@frozen
class _Answer:
    start: int
    text: str
    id: str
    stamp: str


@dataclass(slots=True)
class Turns:
    """What is open while a rollout is read: memory for the calls in flight, and no more."""

    marked: bool = False
    """Turns are marked in this file: 0.57 did not."""
    _calls: dict[str, _Call] = field(default_factory=dict)
    _told: set[str] = field(default_factory=set)
    """Open calls that an item has told already."""
    _answer: _Answer | None = None
    _out: list[Item] = field(default_factory=list)
    """What the record at hand completed."""

    def feed(self, record: Record, raw: bytes, start: int) -> list[Item]:
        """What this record completes; `raw` is its line and `start` its place in the file."""
        payload, stamp = obj(record.get("payload")), string(record.get("timestamp"))
        type_, kind = record.get("type"), string(payload.get("type"))
        if type_ == "event_msg" and kind == "item_completed":
            self._item(obj(payload.get("item")), stamp, start)
        elif type_ == "compacted":
            self._filter("compaction")
            if block := cut(string(payload.get("message"))):
                self._out.append(_message("assistant", block, f"compacted@{stamp}", stamp))
        elif type_ == "response_item" and kind in CALLS:
            id_ = string(payload.get("call_id")) or string(payload.get("id"))
            return self.call(id_, raw, start)
        elif type_ == "response_item":
            self._response(kind, payload, stamp)
        elif kind == "task_started":
            return self.begin()
        elif kind == "task_complete":
            return self.end(bool(payload.get("error")))
        elif type_ == "event_msg":
            self._event(kind, payload, stamp, start)
        return self._taken()

    def begin(self) -> list[Item]:
        """A turn begins: what the last one left open is lost."""
        self._settle(final=False)
        self._drop_calls()
        self.marked = True
        return self._taken()

    def end(self, failed: bool) -> list[Item]:
        """A turn is complete, or was given up for an error."""
        self._settle(final=not failed)
        if failed:
            self._filter("api-error")
        return self._taken()

    def call(self, id_: str, raw: bytes, start: int) -> list[Item]:
        """A tool is called, in the record `raw`; or a script that calls tools."""
        self._settle(final=False)
        self._calls[id_] = _Call(start, raw)
        return self._taken()

    def repeats(self, call: str) -> bool:
        """Whether the output of this call repeats what an item told. The call is closed by it."""
        if call not in self._told:
            return False
        self._told.discard(call)
        self._calls.pop(call, None)
        return True

    def open_at(self) -> int | None:
        """The place of the first record that is still open."""
        if not self._calls:
            return self._answer.start if self._answer else None
        places = [call.start for call in self._calls.values()]
        return min([*places, self._answer.start] if self._answer else places)

    def close(self) -> list[Item]:
        """What stays open for good: nobody writes on."""
        self._settle(final=not self.marked and not self._calls)
        self._drop_calls()
        return self._taken()

    def close_unmarked(self) -> list[Item]:
        """At the end of a file: where turns are not marked, its last answer ended one."""
        if not self.marked and not self._calls:
            self._settle(final=True)
        return self._taken()

    def _taken(self) -> list[Item]:
        taken = self._out
        if taken:
            self._out = []
        return taken

    def _event(self, kind: str, payload: Record, stamp: str, start: int) -> None:
        if kind == "turn_aborted":
            self._settle(final=False)
            self._filter("interrupt")
        elif kind == "thread_rolled_back":
            self._settle(final=False)
            self._drop_calls()
        elif kind == "user_message":
            self._typed(string(payload.get("message")), "", stamp)
        elif kind == "agent_message":
            self._said(string(payload.get("message")), "", payload.get("phase"), stamp, start)
        elif kind in _EVENTS:
            self._filter(_EVENTS[kind])

    def _item(self, item: Record, stamp: str, start: int) -> None:
        kind, id_ = string(item.get("type")), string(item.get("id"))
        if kind == "UserMessage":
            self._typed(_words(item), id_, stamp)
        elif kind == "AgentMessage":
            self._said(_words(item), id_, item.get("phase"), stamp, start)
        elif call := from_item(item):
            self._settle(final=False)
            self._tell(id_)
            self._out.append(_tool(call, id_, stamp))
        elif kind == "HookPrompt":
            # A hook sent the agent on; its words are a response item, and counted there.
            self._settle(final=False)
        elif kind not in _NO_MESSAGES:
            self._filter("unknown")

    def _response(self, kind: str, payload: Record, stamp: str) -> None:
        if kind == "message":
            if payload.get("role") != "assistant":
                self._out.extend(Filtered(reason) for reason in reasons(payload))
        elif kind in OUTPUTS:
            id_, output = string(payload.get("call_id")), payload.get("output")
            if not self.repeats(id_):
                called = _called(self._calls.pop(id_, None))
                self._out.append(_tool(from_pair(called, "" if output is None else output), id_, stamp))
        elif kind == "agent_message":
            self._filter("subagent")

    def _typed(self, text: str, id_: str, stamp: str) -> None:
        self._settle(final=not self.marked)
        if not self.marked:
            self._drop_calls()
        own = typed_text(text)
        if reason := start_reason(text):
            self._filter(reason)
        elif own.strip():
            self._out.append(_message("user", own, id_, stamp))
        if len(own) < len(text):
            self._filter("piped")

    def _said(self, text: str, id_: str, phase: object, stamp: str, start: int) -> None:
        self._settle(final=False)
        if not text.strip():
            return
        if isinstance(phase, str):
            self._out.append(_message("assistant", text, id_, stamp, final=phase == "final_answer"))
        else:
            self._answer = _Answer(start, text, id_, stamp)

    def _settle(self, *, final: bool) -> None:
        if self._answer:
            answer, self._answer = self._answer, None
            self._out.append(_message("assistant", answer.text, answer.id, answer.stamp, final=final))

    def _tell(self, id_: str) -> None:
        """An item has told this call, or else what a script of the newer models (`exec`) ran: its
        items have ids of their own."""
        if id_ in self._calls:
            self._told.add(id_)
        else:
            scripts = (one for one, call in self._calls.items() if _called(call).get("name") == "exec")
            self._told.update(scripts)

    def _drop_calls(self) -> None:
        """Calls of a killed turn: what they were is known, what they gave is not."""
        for id_, call in self._calls.items():
            if id_ not in self._told:
                stamp = string((loads(call.raw) or {}).get("timestamp"))
                self._out.append(_tool(from_pair(_called(call), None), id_, stamp))
        self._calls.clear()
        self._told.clear()

    def _filter(self, reason: str) -> None:
        self._out.append(Filtered(reason))


def _called(call: _Call | None) -> Record:
    """The payload of a call; {} when the file does not hold it."""
    return obj((loads(call.raw) or {}).get("payload")) if call else {}


def _words(item: Record) -> str:
    texts = [string(obj(piece).get("text")) for piece in items(item.get("content"))]
    return "\n".join([text for text in texts if text])


def _message(role: Role, text: str, id_: str, stamp: str, final: bool = False) -> Message:
    if not id_ or id_.startswith("item-"):
        # Older files give no ids, and migrating numbers them anew: time and words stay.
        id_ = sha256(f"{role}\n{stamp}\n{text}".encode()).hexdigest()[:32]
    return Message(id=id_, key=f"{stamp} {id_}", role=role, text=text, at=_at(stamp), final=final)


def _tool(call: ToolCall, id_: str, stamp: str) -> Message:
    return Message(id=id_, key=f"{stamp} {id_}", role="tool", text="", at=_at(stamp), tool=call)


def _at(stamp: str) -> datetime:
    return instant(stamp) or _EPOCH


_KINDS = {
    "agents_md": "instructions",
    "environments": "environment",
    "hooks": "hook",
    "memories": "memory",
    # Told by a record of its own: the typed text and the user's own command are items, an
    # interrupt is an event, a summary is part of `compacted`.
    "user": None,
    "generic": None,
    "shell": None,
    "compaction": None,
}
_STARTS = (
    ("# AGENTS.md instructions for", "instructions"),
    ("<user_instructions>", "instructions"),
    ("<INSTRUCTIONS>", "instructions"),
    ("<skill", "instructions"),
    ("<permissions instructions>", "instructions"),
    ("<environment_context>", "environment"),
    ("<hook_prompt", "hook"),
    ("<turn_aborted>", None),
    ("<user_shell_command>", None),
)


def reasons(payload: Record) -> list[str]:
    """Why the pieces of a user's or developer's response item are filtered, each reason once."""
    passed = obj(payload.get("internal_chat_message_metadata_passthrough"))
    kinds, sources = items(passed.get("content_item_kinds")), items(passed.get("content_item_metadata"))
    found: set[str | None] = set()
    for n, piece in enumerate(items(payload.get("content"))):
        kind = string(kinds[n]) if n < len(kinds) else ""
        source = obj(obj(sources[n]).get("provenance")) if n < len(sources) else {}
        found.add(_reason(kind, source, string(obj(piece).get("text")), payload.get("role")))
    return sorted(reason for reason in found if reason)


def start_reason(text: str) -> str | None:
    """Why a text that stands as the user's is none, by its beginning; None = it was typed."""
    for start, reason in _STARTS:
        if text.startswith(start):
            return reason or "injected"
    return None


def _reason(kind: str, source: Record, text: str, role: object) -> str | None:
    if source.get("type") == "user":
        return None
    if source.get("hook") is True:
        return "hook"
    area = kind.partition(".")[0]
    if area in _KINDS:
        return _KINDS[area]
    for start, reason in _STARTS:
        if text.startswith(start):
            return reason
    # Without a word on where it came from, a user's piece is the typed text, which has its own event.
    return "instructions" if role == "developer" or (kind and kind != "unknown") else None
