"""Records of a rollout → messages, in the order in which they were complete.

Two things are not known when their record is read: whether an answer without a phase ended its
turn, and what a call returned. Both stay open, with the place of their record, until a later record
shows it; a resume token never passes an open place.

What Codex puts beside the user's words is no message (invariant 7): 0.169 says where every piece came from,
older files show it by how a piece begins.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256

from siltstone.agents.codex.calls import CALLS, OUTPUTS, exchange, from_item, from_pair
from siltstone.agents.codex.hooks import typed_text
from siltstone.agents.jsonl import Lines
from siltstone.agents.values import Record, instant, integer, items, machine_made, obj, string
from siltstone.pipeline.extraction.candidate_block import cut
from siltstone.pipeline.messages import Filtered, Message, Role, Step, ToolCall, frozen

Item = Message | Filtered
Place = tuple[int, int]
"""From the first byte taken back to the first one after the event that says so."""
_EPOCH = datetime.fromtimestamp(0, UTC)
_MARKED = "turns"
"""Note in a resume token: turns are marked in this file."""
_NO_MESSAGES = {"Reasoning", "ContextCompaction", "SubAgentActivity", "CollabAgentToolCall"}
"""Thoughts; and what `compacted` or the call says too."""


def steps(
    lines: Lines, resume: str | None, undone: int | None, abandoned: bool, taken_back: Sequence[Place] = ()
) -> Iterator[Step]:
    """Messages from where `lines` begins on; those from ordinal `undone` on, and those in places that
    were `taken_back`, count as reverted.

    Lines before `lines.done` are read again only for what was open then, and give nothing of their
    own. With `abandoned` what is open at the end is given too, without moving on past it.
    """
    turns = Turns(marked=lines.note == _MARKED)
    token = (resume or "") if lines.done else ""
    for line, record, broken in lines.records():
        found: list[Item] = [Filtered(broken)] if broken else []
        if record is not None:
            found = turns.feed(record, line.start)
        if not found or line.end <= lines.done:
            continue
        reverted = undone is not None and (integer((record or {}).get("ordinal")) or 0) >= undone
        if reverted or any(begin <= line.start < end for begin, end in taken_back):
            found = [Filtered("reverted") if isinstance(item, Message) else item for item in found]
        for item in found[:-1]:
            yield Step(item, token)
        token = lines.mark(line, turns.open_at(), _MARKED if turns.marked else "")
        yield Step(found[-1], token)
    for item in turns.close(abandoned):
        yield Step(item, token)


@frozen
class _Call:
    start: int
    stamp: str
    payload: Record


@dataclass(slots=True)
class Turns:
    """What is open while a rollout is read: memory for the calls in flight, and no more."""

    marked: bool = False
    """Turns are marked in this file: 0.57 did not."""
    _calls: dict[str, _Call] = field(default_factory=dict)
    _repeated: set[str] = field(default_factory=set)
    """Open calls whose result an item has given already."""
    _answer: tuple[int, Message] | None = None
    """An answer without a phase, and the place of its record."""
    _out: list[Item] = field(default_factory=list)
    """What the record at hand completed."""

    def feed(self, record: Record, start: int) -> list[Item]:
        """What this record completes; `start` is the place of its line in the file."""
        self._out = []
        payload, stamp = obj(record.get("payload")), string(record.get("timestamp"))
        type_, kind = record.get("type"), string(payload.get("type"))
        if type_ == "event_msg" and kind == "item_completed":
            self._item(obj(payload.get("item")), stamp, start)
        elif type_ == "event_msg":
            self._event(kind, payload, stamp, start)
        elif type_ == "response_item":
            self._response(kind, payload, stamp, start)
        elif type_ == "compacted":
            self._out.append(Filtered("compaction"))
            if block := cut(string(payload.get("message"))):
                self._out.append(_message("assistant", block, f"compacted@{stamp}", stamp))
        return self._out

    def open_at(self) -> int | None:
        """The place of the first record that is still open."""
        places = [call.start for call in self._calls.values()]
        if self._answer:
            places.append(self._answer[0])
        return min(places, default=None)

    def close(self, abandoned: bool) -> list[Item]:
        """What the end of the file completes: where turns are not marked, its last answer ended one. Of an
        abandoned one all that is open, for nobody writes on."""
        self._out = []
        final = not self.marked and not self._calls
        if abandoned or final:
            self._settle(final=final)
        if abandoned:
            self._drop_calls()
        return self._out

    def _event(self, kind: str, payload: Record, stamp: str, start: int) -> None:
        if kind in ("task_started", "thread_rolled_back"):
            # What the last turn left open is lost.
            self._settle(final=False)
            self._drop_calls()
            self.marked = self.marked or kind == "task_started"
        elif kind == "task_complete":
            failed = bool(payload.get("error"))
            self._settle(final=not failed)
            if failed:
                self._out.append(Filtered("api-error"))
        elif kind == "turn_aborted":
            self._settle(final=False)
            self._out.append(Filtered("interrupt"))
        elif kind == "user_message":
            self._typed(string(payload.get("message")), "", stamp)
        elif kind == "agent_message":
            self._said(string(payload.get("message")), "", payload.get("phase"), stamp, start)
        elif kind in ("error", "stream_error"):
            self._out.append(Filtered("api-error"))

    def _item(self, item: Record, stamp: str, start: int) -> None:
        kind, id_ = string(item.get("type")), string(item.get("id"))
        if kind in ("UserMessage", "AgentMessage"):
            texts = [string(obj(piece).get("text")) for piece in items(item.get("content"))]
            text = "\n".join(filter(None, texts))
            if kind == "UserMessage":
                self._typed(text, id_, stamp)
            else:
                self._said(text, id_, item.get("phase"), stamp, start)
        elif kind == "Plan":
            self._said(string(item.get("text")), id_, None, stamp, start)
        elif call := from_item(item):
            self._settle(final=False)
            # It gives the result of this call, or else of what a script of the newer models (`exec`) ran:
            # its items have ids of their own.
            scripts = [one for one, open_ in self._calls.items() if open_.payload.get("name") == "exec"]
            self._repeated.update([id_] if id_ in self._calls else scripts)
            self._tool(call, id_, stamp)
        elif kind == "HookPrompt":
            # A hook sent the agent on; its words are a response item, and counted there.
            self._settle(final=False)
        elif kind not in _NO_MESSAGES:
            self._out.append(Filtered("unknown"))

    def _response(self, kind: str, payload: Record, stamp: str, start: int) -> None:
        if kind in CALLS:
            self._settle(final=False)
            id_ = string(payload.get("call_id")) or string(payload.get("id"))
            self._calls[id_] = _Call(start, stamp, payload)
        elif kind in OUTPUTS and payload.get("name") == "proposed_plan":
            # A plan that the user approved for a thread of its own.
            self._said(string(payload.get("output")), string(payload.get("id")), None, stamp, start)
        elif kind in OUTPUTS:
            id_, output = string(payload.get("call_id")), payload.get("output")
            call = self._calls.pop(id_, None)
            if id_ in self._repeated:
                self._repeated.discard(id_)
                return
            payload = call.payload if call else {}
            question, answer = exchange(payload, output)
            if answer:
                self._out.append(_message("assistant", question, id_, stamp))
                self._out.append(_message("user", answer, f"{id_}/said", stamp))
            else:
                self._tool(from_pair(payload, "" if output is None else output), id_, stamp)
        elif kind == "message" and payload.get("role") != "assistant":
            self._out.extend(Filtered(reason) for reason in reasons(payload))
        elif kind == "agent_message":
            self._out.append(Filtered("subagent"))

    def _typed(self, text: str, id_: str, stamp: str) -> None:
        self._settle(final=not self.marked)
        if not self.marked:
            self._drop_calls()
        own = typed_text(text)
        if reason := start_reason(text):
            self._out.append(Filtered(reason))
        elif own.strip():
            self._out.append(_message("user", own, id_, stamp))
        if len(own) < len(text):
            self._out.append(Filtered("piped"))

    def _said(self, text: str, id_: str, phase: object, stamp: str, start: int) -> None:
        self._settle(final=False)
        if text.strip():
            self._answer = (start, _message("assistant", text, id_, stamp))
            if isinstance(phase, str):
                self._settle(final=phase == "final_answer")

    def _settle(self, *, final: bool) -> None:
        """Hand over the answer that is open."""
        if self._answer:
            self._out.append(replace(self._answer[1], final=final))
            self._answer = None

    def _drop_calls(self) -> None:
        """Calls of a killed turn: what they were is known, what they gave is not."""
        for id_, call in self._calls.items():
            if id_ not in self._repeated:
                self._tool(from_pair(call.payload, None), id_, call.stamp)
        self._calls.clear()
        self._repeated.clear()

    def _tool(self, call: ToolCall, id_: str, stamp: str) -> None:
        self._out.append(Message(id_, f"{stamp} {id_}", "tool", "", instant(stamp) or _EPOCH, call))


def _message(role: Role, text: str, id_: str, stamp: str) -> Message:
    if not id_ or id_.startswith("item-"):
        # Older files give no ids, and migrating numbers them anew: time and words stay.
        id_ = sha256(f"{role}\n{stamp}\n{text}".encode()).hexdigest()[:32]
    return Message(id_, f"{stamp} {id_}", role, text, instant(stamp) or _EPOCH)


_KINDS, _STARTS = machine_made("codex_kinds"), machine_made("codex")


def reasons(payload: Record) -> list[str]:
    """Why the pieces of a user's or developer's response item are filtered, each reason once."""
    passed = obj(payload.get("internal_chat_message_metadata_passthrough"))
    kinds, sources = items(passed.get("content_item_kinds")), items(passed.get("content_item_metadata"))
    found: set[str] = set()
    for n, piece in enumerate(items(payload.get("content"))):
        kind = string(kinds[n]) if n < len(kinds) else ""
        source = obj(obj(sources[n]).get("provenance")) if n < len(sources) else {}
        found.add(_reason(kind, source, string(obj(piece).get("text")), payload.get("role")))
    return sorted(found - {""})


def start_reason(text: str) -> str | None:
    """Why a text that stands as the user's is none, by its beginning; None = it was typed."""
    for start, reason in _STARTS.items():
        if text.startswith(start):
            return reason or "injected"
    return None


def _reason(kind: str, source: Record, text: str, role: object) -> str:
    if source.get("type") == "user":
        return ""
    if source.get("hook") is True:
        return "hook"
    area = kind.partition(".")[0]
    if area in _KINDS:
        return _KINDS[area]
    for start, reason in _STARTS.items():
        if text.startswith(start):
            return reason
    # Without a word on where it came from, a user's piece is the typed text, which has its own event.
    return "instructions" if role == "developer" or (kind and kind != "unknown") else ""
