"""Records of a rollout → messages, in the order in which they were complete.

Two things are not known when their record is read: whether an answer without a phase ended its
turn, and what a call returned. Both stay open, with the place of their record, until a later record
shows it; a resume token never passes an open place.

What Codex puts beside the user's words is no message (invariant 7): 0.169 says where every piece came from,
older files show it by how a piece begins.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256

from siltstone.agents.codex.calls import CALLS, OUTPUTS, Running, exchange, from_item, from_pair
from siltstone.agents.codex.hooks import typed_text
from siltstone.agents.jsonl import Line, Lines
from siltstone.agents.reduction import Reduction
from siltstone.agents.values import Record, instant, items, machine_made, obj, string
from siltstone.pipeline.extraction.candidate_block import cut
from siltstone.pipeline.messages import Filtered, Message, Role, Step, ToolCall, frozen

Undone = Callable[[Record, Line], bool]
"""Whether the user went back before a record, or took it back."""
_EPOCH = datetime.fromtimestamp(0, UTC)
_MARKED = "turns"
"""Note in a resume token: turns are marked in this file."""
_PLAN = ("proposed_plan", "agent")
"""Name and namespace of an output that is a plan."""
_NO_MESSAGES = {"Reasoning", "ContextCompaction", "SubAgentActivity", "CollabAgentToolCall"}
"""Thoughts; and what `compacted` or the call says too."""


@frozen
class _Call:
    start: int
    stamp: str
    payload: Record


class CodexReduction(Reduction):
    """What is open: an answer without a phase, and the calls in flight.

    Lines before `lines.done` are read again only for these, and give nothing of their own. Of an `abandoned`
    rollout what is open at the end is given too, without moving on past it.
    """

    def __init__(
        self, lines: Lines, undone: Undone | None = None, abandoned: bool = False, began: str = ""
    ) -> None:
        super().__init__(lines)
        self.undone, self.abandoned, self.began = undone, abandoned, began
        self.token = lines.token
        """To go on after the last line that completed something."""
        self.marked = lines.note == _MARKED
        """Turns are marked in this file: 0.57 did not."""
        self.stamp, self.reverted = "", False
        """Time of the record at hand, and whether the user went back before it."""
        self.calls: dict[str, _Call] = {}
        self.repeated: set[str] = set()
        """Open calls whose result an item has given already."""
        self.running: dict[int, Running] = {}
        """Processes that run on, by their numbers."""
        self.answer: tuple[int, Message] | None = None
        """An answer without a phase, and the place of its record."""

    def feed(self, record: Record) -> None:
        if "payload" not in record:
            self._bare(record)
            return
        payload, self.stamp = obj(record.get("payload")), string(record.get("timestamp"))
        type_, kind = record.get("type"), string(payload.get("type"))
        self.reverted = self.undone is not None and self.undone(record, self.line)
        if type_ == "event_msg" and kind == "item_completed":
            self._item(obj(payload.get("item")))
        elif type_ == "event_msg":
            self._event(kind, payload)
        elif type_ == "response_item":
            self._response(kind, payload)
        elif type_ == "compacted":
            self.filtered("compaction")
            if block := cut(string(payload.get("message"))):
                self._give(self._message("assistant", block, f"compacted@{self.stamp}"))

    def _bare(self, record: Record) -> None:
        """An item as Codex's first versions wrote it: nothing around it, and no time but the session's."""
        self.stamp = self.began
        kind, role, id_ = string(record.get("type")), record.get("role"), f"line-{self.line.start}"
        if kind != "message":
            self._response(kind, record)
            return
        for piece in items(record.get("content")):
            text = string(obj(piece).get("text"))
            if role == "assistant":
                self._said(text, id_, None)
            elif role == "user":
                self._typed(text, id_)

    def ready(self) -> list[Step]:
        """Only with the last thing that a line completed it is dealt with."""
        out = super().ready()
        if self.line.end <= self.lines.done:
            return []
        self.token = self.mark(self.line)
        return [*out[:-1], Step(out[-1].item, self.token)]

    def filtered(self, reason: str, line: Line | None = None) -> None:
        self.out.append(Step(Filtered(reason), self.token))

    def close(self) -> None:
        """Where turns are not marked, the last answer of the file ended one. Of an abandoned file all that is
        open is given, for nobody writes on."""
        final = not self.marked and not self.calls
        if self.abandoned or final:
            self._settle(final=final)
        if self.abandoned:
            self._drop_calls()

    def mark(self, line: Line) -> str:
        starts = [call.start for call in self.calls.values()] + ([self.answer[0]] if self.answer else [])
        return self.lines.mark(line, min(starts, default=None), _MARKED if self.marked else "")

    def _give(self, message: Message) -> None:
        item = Filtered("reverted") if self.reverted else message
        self.out.append(Step(item, self.token))

    def _event(self, kind: str, payload: Record) -> None:
        if kind in ("task_started", "thread_rolled_back"):
            # What the last turn left open is lost.
            self._settle(final=False)
            self._drop_calls()
            self.marked = self.marked or kind == "task_started"
        elif kind == "task_complete":
            failed = bool(payload.get("error"))
            self._settle(final=not failed)
            if failed:
                self.filtered("api-error")
        elif kind == "turn_aborted":
            self._settle(final=False)
            self.filtered("interrupt")
        elif kind == "user_message":
            self._typed(string(payload.get("message")), "")
        elif kind == "agent_message":
            self._said(string(payload.get("message")), "", payload.get("phase"))
        elif kind in ("error", "stream_error"):
            self.filtered("api-error")

    def _item(self, item: Record) -> None:
        kind, id_ = string(item.get("type")), string(item.get("id"))
        if kind in ("UserMessage", "AgentMessage"):
            texts = [string(obj(piece).get("text")) for piece in items(item.get("content"))]
            text = "\n".join(filter(None, texts))
            if kind == "UserMessage":
                self._typed(text, id_)
            else:
                self._said(text, id_, item.get("phase"))
        elif kind == "Plan":
            self._said(string(item.get("text")), id_, None)
        elif call := from_item(item):
            self._settle(final=False)
            # It gives the result of this call, or else of what a script of the newer models (`exec`) ran:
            # its items have ids of their own.
            scripts = [one for one, open_ in self.calls.items() if open_.payload.get("name") == "exec"]
            self.repeated.update([id_] if id_ in self.calls else scripts)
            self._tool(call, id_)
        elif kind == "HookPrompt":
            # A hook sent the agent on; its words are a response item, and counted there.
            self._settle(final=False)
        elif kind not in _NO_MESSAGES:
            self.filtered("unknown")

    def _response(self, kind: str, payload: Record) -> None:
        if kind in CALLS:
            self._settle(final=False)
            id_ = string(payload.get("call_id")) or string(payload.get("id"))
            self.calls[id_] = _Call(self.line.start, self.stamp, payload)
        elif kind in OUTPUTS and (payload.get("name"), payload.get("namespace")) == _PLAN:
            # A plan that the user approved for a thread of its own.
            self._said(string(payload.get("output")), string(payload.get("id")), None)
        elif kind in OUTPUTS:
            id_, output = string(payload.get("call_id")), payload.get("output")
            call = self.calls.pop(id_, None)
            if id_ in self.repeated:
                self.repeated.discard(id_)
                return
            payload = call.payload if call else {}
            question, answer = exchange(payload, output)
            if answer:
                self._give(replace(self._message("assistant", question, id_), final=True))
                self._give(self._message("user", answer, f"{id_}/said"))
            else:
                self._tool(from_pair(payload, "" if output is None else output, self.running), id_)
        elif kind == "message" and payload.get("role") != "assistant":
            for reason in reasons(payload):
                self.filtered(reason)
        elif kind == "agent_message":
            self.filtered("subagent")

    def _typed(self, text: str, id_: str) -> None:
        self._settle(final=not self.marked)
        if not self.marked:
            self._drop_calls()
        own = typed_text(text)
        reason = start_reason(text)
        if reason is not None:
            self.filtered(reason or "injected")
        elif own.strip():
            self._give(self._message("user", own, id_))
        if len(own) < len(text):
            self.filtered("piped" if text.startswith(own) else "ide")

    def _said(self, text: str, id_: str, phase: object) -> None:
        self._settle(final=False)
        if text.strip():
            self.answer = (self.line.start, self._message("assistant", text, id_))
            if isinstance(phase, str):
                self._settle(final=phase == "final_answer")

    def _settle(self, *, final: bool) -> None:
        if self.answer:
            self._give(replace(self.answer[1], final=final))
            self.answer = None

    def _drop_calls(self) -> None:
        """Calls of a killed turn: what they were is known, what they gave is not."""
        for id_, call in self.calls.items():
            if id_ not in self.repeated:
                self._tool(from_pair(call.payload, None, self.running), id_, call.stamp)
        self.calls.clear()
        self.repeated.clear()

    def _tool(self, call: ToolCall, id_: str, stamp: str = "") -> None:
        stamp = stamp or self.stamp
        self._give(Message(id_, f"{stamp} {id_}", "tool", "", instant(stamp) or _EPOCH, call))

    def _message(self, role: Role, text: str, id_: str) -> Message:
        if not id_ or id_.startswith("item-"):
            # Older files give no ids, and migrating numbers them anew: time and words stay.
            id_ = sha256(f"{role}\n{self.stamp}\n{text}".encode()).hexdigest()[:32]
        return Message(id_, f"{self.stamp} {id_}", role, text, instant(self.stamp) or _EPOCH)


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
    """Why a text that stands as the user's is none, by its beginning. "": what it tells is counted elsewhere;
    None: it was typed."""
    return next((reason for start, reason in _STARTS.items() if text.startswith(start)), None)


def _reason(kind: str, source: Record, text: str, role: object) -> str:
    if source.get("type") == "user":
        return ""
    if source.get("hook") is True:
        return "hook"
    area = kind.partition(".")[0]
    if area in _KINDS:
        return _KINDS[area]
    if (reason := start_reason(text)) is not None:
        return reason
    # Without a word on where it came from, a user's piece is the typed text, which has its own event.
    return "instructions" if role == "developer" or (kind and kind != "unknown") else ""
