"""From the records of one Claude Code transcript to messages, in reading order.

Of user records, the rules of docs/transcripts.md ("Typed by the user") say what a person typed.
"""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b

from siltstone.agents.claude.hooks import MACHINE_MADE, SHELLS, status_of, typed_text
from siltstone.agents.jsonl import Line, Lines
from siltstone.agents.reduction import PATIENCE, Reduction, Words, answered, asked
from siltstone.agents.values import Record, compact, instant, items, obj, string
from siltstone.pipeline.extraction.candidate_block import cut
from siltstone.pipeline.messages import Message, Role, Step, ToolCall

_TYPED = (None, "typed", "queued", "suggestion_accepted", "sdk")
_PREFIXES = tuple(MACHINE_MADE)
_GOES_ON = frozenset({"tool_use", "pause_turn"})
_ASKS = "AskUserQuestion"
_REFUSED = "The user doesn't want to proceed with this tool use."
"""Begins the result of a call that the user refused, and that did not run."""
_NO_WORDS = "User rejected tool use"
"""Is its `toolUseResult` where nothing was typed. That of a tool's own error begins with "Error: "."""
_MARKED = (2, 1, 205)
"""The first version seen to mark in the record what was refused (`toolDenialKind`)."""
_STATUS_FIRST = (2, 0, 76)
"""The first version seen in which a failed command begins with its status, and not with its output."""
_REPORTED = ((2, 1, 12), (2, 1, 39))
"""The first and the last version seen to write a `progress` record for each call that an MCP server got."""
_OWN_ERRORS = frozenset(
    (*SHELLS, "Edit", "MultiEdit", "Write", "NotebookEdit", "Read", "Grep", "Glob", "ExitPlanMode", _ASKS)
)
"""Tools whose errors begin with the program's words, never with those of a file, a page or a server."""
_SAID = "the user said:\n"
"""Stands there before the words typed with the refusal."""
_CLARIFY = "The user wants to clarify these questions."
"""Stands in their place when the user only asked to talk about the agent's questions."""
_NOTE = "\n\nNote: The user's next message"
"""May stand behind them: advice to the agent."""
_APPROVED = "User has approved your plan."
"""Begins the result of a plan that the user approved."""
_UNTYPED = re.compile(r"/[\w:-]+(?:\s|$)|<[a-z][\w-]*[\s>]")
"""Begins a queued text that is a command, or that a machine wrote: its row does not say who did."""
_REPEATED = (2, 1, 108)
"""The first version seen to write a `queued_command` for each text that the agent was handed."""
_NUMBER = re.compile(r"\d{1,9}")


def user_words(record: Record) -> Words:
    """What a `type=user` record without tool results says."""
    content = obj(record.get("message")).get("content")
    if record.get("isSidechain") is True:
        return Words("", "sidechain")
    if record.get("isCompactSummary") is True:
        return Words(cut("\n".join(_parts(content))), "compaction")
    result = "toolUseResult" in record or record.get("sourceToolAssistantUUID")
    typed = record.get("promptSource") in _TYPED and _is_human(record)
    return _words(content, "machine" if record.get("isMeta") is True or result or not typed else "")


def _is_human(record: Record) -> bool:
    origin = record.get("origin")
    return origin is None or obj(origin).get("kind") == "human"


def _words(content: object, machine: str) -> Words:
    """The text of a message; blocks that a machine put beside typed ones are left out. `machine`: why nobody
    typed it, by its record."""
    parts = _parts(content)
    if not parts:
        return Words("", "empty")
    typed = [part for part in parts if not part.lstrip().startswith(_PREFIXES)]
    if not typed:
        start = next(prefix for prefix in _PREFIXES if parts[0].lstrip().startswith(prefix))
        return Words("", MACHINE_MADE[start])
    return Words("", machine) if machine else Words("\n".join(typed))


def _parts(content: object) -> list[str]:
    return [part for part in ([content] if isinstance(content, str) else _texts(content)) if part.strip()]


def _texts(content: object) -> list[str]:
    blocks = [obj(block) for block in items(content)]
    return [string(block.get("text")) for block in blocks if block.get("type") == "text"]


@dataclass(slots=True)
class _Call:
    """A call whose result may still come."""

    name: str
    input: object
    start: int
    """Where its line begins: reading goes on from there until the result has come."""
    prompts: int
    """How many prompts had been typed when it was made."""
    ran: bool = False
    """A record says that a server got it."""
    answered: bool = False
    """It has a stand-in for a result ("interrupted"); the real one may follow from another process."""


def _tool_call(call: _Call, block: Record, beside: Record) -> ToolCall:
    """The call with its result block; `beside` is the record's `toolUseResult`."""
    content, error = block.get("content"), block.get("is_error") is True
    output = content if isinstance(content, str) else "\n".join(_texts(content))
    command = string(obj(call.input).get("command")) or None if call.name in SHELLS else None
    status = status_of(output, error, beside) if command else None
    return ToolCall(call.name, compact(call.input), output, command, status, error and status is None)


def _exchange(call: _Call, tool: ToolCall, beside: Record) -> tuple[str, str]:
    """What the agent asked with a call, and what the user answered; "" for a call that asks nothing.

    To approve a plan is to say yes to all of it. What another tool returns may have the same shape.
    """
    if call.name == "ExitPlanMode" and tool.output.startswith(_APPROVED):
        plan = string(beside.get("plan"))
        return plan, "Approved." if plan else ""
    if call.name == _ASKS and not tool.failed:
        return asked(beside.get("questions")), answered(beside.get("answers"))
    return "", ""


def _is_refused(record: Record, block: Record, call: _Call) -> bool:
    """Whether the user refused a call. A tool may print or raise the same text, so that alone proves nothing.

    Newer versions mark it in the record. For older ones the text counts where no call that ran can begin its
    error with it.
    """
    text, beside = block.get("content"), record.get("toolUseResult")
    if block.get("is_error") is not True or not isinstance(text, str) or not text.startswith(_REFUSED):
        return False
    version = _version(record)
    if "toolDenialKind" in record or version >= _MARKED:
        return record.get("toolDenialKind") == "user-rejected"
    if beside != f"Error: {text}":
        return beside == _NO_WORDS
    if call.name.startswith("mcp__"):
        return _REPORTED[0] <= version <= _REPORTED[1] and not call.ran
    return version >= _STATUS_FIRST and call.name in _OWN_ERRORS


def _version(record: Record) -> tuple[int, ...]:
    """The version of Claude Code that wrote a record; () when it does not say."""
    return tuple(map(int, _NUMBER.findall(string(record.get("version")))[:3]))


def _without_words(tool: ToolCall) -> tuple[ToolCall, str]:
    """A refused call, and the words that the user typed when refusing it."""
    refusal, _, words = tool.output.partition(_SAID)
    words = "" if words.startswith(_CLARIFY) else words.partition(_NOTE)[0].strip()
    return replace(tool, output=refusal, command=None, failed=True, refused=True), words


@dataclass(slots=True)
class _Answer:
    """Text blocks of one API message, one record each."""

    id: str
    message: str
    texts: list[str]
    at: datetime
    stop: str
    uuid: str
    start: int
    """Where its first line begins."""
    line: Line
    """The last line that added to it."""


@dataclass(slots=True)
class _Queued:
    """A text typed while the agent was busy."""

    text: str
    at: datetime
    id: str
    line: Line
    prompts: int
    """How many prompts had been typed when it was."""


class ClaudeReduction(Reduction):
    """What is open: the answer being assembled, the calls without a result, and texts typed meanwhile."""

    def __init__(self, lines: Lines, abandoned: frozenset[str], at: datetime) -> None:
        super().__init__(lines)
        self.abandoned = abandoned
        """Ids of records on branches the user went back from."""
        self.at = at
        """Time of the last record that has one; at first the file's own."""
        self.calls: dict[str, _Call] = {}
        self.answer: _Answer | None = None
        self.queue: list[_Queued] = []
        """Typed while the agent was busy, and not handed to it yet."""
        self.handed: list[_Queued] = []
        """Handed over in the midst of its work. A `queued_command` repeats one, perhaps behind an answer;
        where none does, as in older versions, the text stands here alone."""
        self.version: tuple[int, ...] = ()
        """That of the last record that has one."""
        self.prompts = 0
        self.last: Line | None = None
        """The furthest line a step was given for."""

    def feed(self, record: Record) -> None:
        kind = record.get("type")
        if kind == "queue-operation":
            self._queued(record)
        if kind == "progress":
            call = self.calls.get(string(record.get("parentToolUseID")))
            if call and obj(record.get("data")).get("type") == "mcp_progress":
                call.ran = True
        if kind not in ("assistant", "user", "attachment"):
            return
        self.at = instant(record.get("timestamp")) or self.at
        self.version = _version(record) or self.version
        if kind == "assistant":
            self._assistant(record)
        elif kind == "attachment":
            self._attachment(record, obj(record.get("attachment")))
        else:
            self._user(record)

    def close(self) -> None:
        self._close_answer(ends_turn=True)
        self._hand_over(self.line)

    def _queued(self, record: Record) -> None:
        """What becomes of a text that was typed while the agent was busy."""
        operation, text = record.get("operation"), string(record.get("content"))
        if operation == "enqueue":
            at = instant(record.get("timestamp")) or self.at
            self.queue.append(_Queued(text, at, self._id(record), self.line, self.prompts))
        elif operation == "popAll":
            self.queue.clear()  # taken back to be edited
        elif operation in ("dequeue", "remove"):
            one = next((one for one in self.queue if one.text == text or not text), None)
            if one is not None:
                self.queue.remove(one)
                if operation == "remove":  # after "dequeue" it follows as a prompt of its own
                    self.handed.append(one)

    def _hand_over(self, line: Line) -> None:
        """Give the texts that the agent was handed in the midst of its work. `line`: the last one read."""
        handed, self.handed = self.handed, []
        for one in handed:
            words = _words(one.text, "command" if _UNTYPED.match(one.text.lstrip()) else "")
            if words.reason:
                self.filtered(words.reason, line)
            else:
                self.prompts += 1
                self._give(one.id, Message(one.id, one.id, "user", words.text, one.at), line)

    def _user(self, record: Record) -> None:
        content = items(obj(record.get("message")).get("content"))
        results = [block for block in map(obj, content) if block.get("type") == "tool_result"]
        self._close_answer(ends_turn=not results or record.get("isSidechain") is True)
        if not results:
            self._hand_over(self.before)
            self._typed(record, user_words(record))
        elif record.get("isSidechain") is True:
            self.filtered("sidechain")
        else:
            for number, block in enumerate(results):
                self._result(record, block, number)

    def _typed(self, record: Record, words: Words) -> None:
        uuid = self._id(record)
        if words.reason:
            self.filtered(words.reason)
            if words.text:
                self._message(uuid, uuid, "assistant", words.text)
            return
        self.prompts += 1
        late = [key for key, call in self.calls.items() if self.prompts - call.prompts > PATIENCE]
        for key in late:
            if not self.calls.pop(key).answered:
                self.filtered("unfinished")
        self.queue = [one for one in self.queue if self.prompts - one.prompts <= PATIENCE]
        text = typed_text(words.text, record.get("entrypoint"))
        if len(text) < len(words.text.strip()):
            self.filtered("piped")
        self._message(uuid, uuid, "user", text)

    def _attachment(self, record: Record, attachment: Record) -> None:
        kind = string(attachment.get("type"))
        if kind == "queued_command":
            # Typed while the agent was busy, it exists only here.
            self._close_answer(ends_turn=False)
            self.at = instant(attachment.get("timestamp")) or self.at
            typed = attachment.get("commandMode") == "prompt" and _is_human(attachment)
            words = _words(attachment.get("prompt"), "" if typed else "notification")
            whole = "\n".join(_parts(attachment.get("prompt"))).strip()
            self.queue = [one for one in self.queue if one.text.strip() != whole]
            self.handed = [one for one in self.handed if one.text.strip() != whole]
            self._typed(record, Words("", "sidechain") if record.get("isSidechain") is True else words)
        elif kind in ("instructions", "nested_memory"):
            self.filtered("instructions")
        elif kind == "hook_additional_context" or (kind == "hook_success" and attachment.get("content")):
            self.filtered("hook")

    def _assistant(self, record: Record) -> None:
        if self.version < _REPEATED:
            self._hand_over(self.before)
        message = obj(record.get("message"))
        reason = "synthetic" if message.get("model") == "<synthetic>" else ""
        if record.get("isSidechain") is True:
            reason = "sidechain"
        elif record.get("isApiErrorMessage") is True:
            reason = "api-error"
        if reason:
            self._close_answer(ends_turn=True)
            self.filtered(reason)
            return
        api_id = string(message.get("id"))
        if self.answer and self.answer.message != api_id:
            self._close_answer(ends_turn=False)
        uuid, begun = self._id(record), 0
        for block in map(obj, items(message.get("content"))):
            kind, text = block.get("type"), string(block.get("text"))
            if kind == "text" and text.strip():
                if self.answer:
                    self.answer.texts.append(text)
                    self.answer.line = self.line
                else:
                    name = f"{uuid}/{begun}" if begun else uuid
                    begun += 1
                    stop, line = string(message.get("stop_reason")), self.line
                    self.answer = _Answer(name, api_id, [text], self.at, stop, uuid, line.start, line)
            elif kind == "tool_use":
                call = _Call(string(block.get("name")), block.get("input"), self.line.start, self.prompts)
                self.calls[string(block.get("id"))] = call
                self._close_answer(ends_turn=False)

    def _result(self, record: Record, block: Record, number: int) -> None:
        call_id = string(block.get("tool_use_id"))
        call = self.calls.get(call_id)
        if call is None:
            self.filtered("orphan-result")
            return
        if record.get("toolDenialKind") == "interrupted":
            call.answered = True  # a later process wrote this in place of the result that never came
        else:
            del self.calls[call_id]
        uuid, beside = self._id(record), obj(record.get("toolUseResult"))
        name = f"{uuid}/{number}" if number else uuid
        tool = _tool_call(call, block, beside)
        question, said = _exchange(call, tool, beside)
        if said:
            self._give(uuid, Message(name, name, "assistant", question, self.at, final=True), self.line)
        else:
            if _is_refused(record, block, call):
                tool, said = _without_words(tool)
            self._message(uuid, name, "tool", "", tool=tool)
        if said:
            self._message(uuid, f"{name}/said", "user", said)

    def _close_answer(self, ends_turn: bool) -> None:
        """Hand over the answer being assembled. What follows tells whether it ended its turn, for
        versions whose records do not say so themselves."""
        answer, self.answer = self.answer, None
        if answer is None:
            return
        final = answer.stop not in _GOES_ON if answer.stop else ends_turn
        text = "\n\n".join(answer.texts)
        message = Message(answer.id, answer.id, "assistant", text, answer.at, final=final)
        self._give(answer.uuid, message, answer.line)

    def _message(self, uuid: str, name: str, role: Role, text: str, tool: ToolCall | None = None) -> None:
        self._give(uuid, Message(name, name, role, text, self.at, tool), self.line)

    def _give(self, uuid: str, message: Message, line: Line) -> None:
        if uuid in self.abandoned:
            self.filtered("reverted", line)
        else:
            self.out.append(Step(message, self.mark(line)))

    def mark(self, line: Line) -> str:
        """Go on after `line`, but not past anything that is still open; never count again what was."""
        waiting = (one.line.start for one in (*self.queue, *self.handed))
        base = min([*(call.start for call in self.calls.values()), *waiting], default=line.end)
        if self.answer:
            base = min(base, self.answer.start)
        if self.last is None or line.end > self.last.end:
            self.last = line
        return self.lines.mark(self.last, min(base, line.end))

    def _id(self, record: Record) -> str:
        """The record's own id; for a record without one, its bytes'."""
        return string(record.get("uuid")) or blake2b(self.line.raw, digest_size=16).hexdigest()
