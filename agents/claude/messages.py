"""From the records of one Claude Code transcript to messages, in reading order.

Of user records, the rules of docs/transcripts.md ("Typed by the user") say what a person typed.

Memory is constant: what is held is the answer being assembled and the calls without a result. The place to go
on from is never past either of them, so what was open is read again as a whole.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import blake2b
from typing import NamedTuple

from siltstone.agents.claude.hooks import EXIT, UNCLEAR, typed_text
from siltstone.agents.jsonl import Line, Lines, loads
from siltstone.agents.values import Record, compact, instant, items, obj, string
from siltstone.pipeline.extraction.candidate_block import cut
from siltstone.pipeline.messages import Filtered, Message, Step, ToolCall

_TYPED = (None, "typed", "queued", "suggestion_accepted", "sdk")
_MACHINE_MADE = (
    ("<command-name>", "command"),
    ("<command-message>", "command"),
    ("<command-args>", "command"),
    ("<local-command-", "command"),
    ("Caveat: The messages below", "command"),
    ("<bash-input>", "command"),
    ("<bash-stdout>", "command"),
    ("<bash-stderr>", "command"),
    ("<task-notification>", "notification"),
    ("<system-reminder>", "system-reminder"),
    ("[Request interrupted by user", "interrupt"),
    ("Stop hook feedback:", "hook"),
    ("<user-prompt-submit-hook>", "hook"),
    ("<ide_", "ide"),
    ("This session is being continued from a previous conversation", "compaction"),
)
_PREFIXES = tuple(prefix for prefix, _ in _MACHINE_MADE)


class UserText(NamedTuple):
    """`reason` says why the text is not a person's; "" when it is. Of a compaction summary `text` is the
    candidate block (docs/seeds.md A8), else it is empty."""

    text: str
    reason: str


def user_text(record: Record) -> UserText:
    """A `type=user` record without tool results."""
    if record.get("isSidechain") is True:
        return UserText("", "sidechain")
    if record.get("isCompactSummary") is True:
        return UserText(cut("\n".join(_parts(obj(record.get("message")).get("content")))), "compaction")
    words = _words(obj(record.get("message")).get("content"))
    if words.reason:
        return words
    if record.get("isMeta") is True or "toolUseResult" in record or record.get("sourceToolAssistantUUID"):
        return UserText("", "machine")
    if record.get("promptSource") not in _TYPED or not _human(record):
        return UserText("", "machine")
    return words


def queued_text(attachment: Record) -> UserText:
    """A `queued_command` attachment: typed while the agent was busy, it exists only there."""
    words = _words(attachment.get("prompt"))
    if words.reason:
        return words
    if attachment.get("commandMode") != "prompt" or not _human(attachment):
        return UserText("", "notification")
    return words


def _human(record: Record) -> bool:
    origin = record.get("origin")
    return origin is None or obj(origin).get("kind") == "human"


def _words(content: object) -> UserText:
    """The text of a message; blocks that a machine put beside typed ones are left out."""
    parts = _parts(content)
    if not parts:
        return UserText("", "empty")
    typed = [part for part in parts if not part.lstrip().startswith(_PREFIXES)]
    if not typed:
        return UserText("", _reason(parts[0].lstrip()))
    return UserText("\n".join(typed), "")


def _parts(content: object) -> list[str]:
    if isinstance(content, str):
        parts = [content]
    else:
        blocks = [obj(block) for block in items(content)]
        parts = [string(block.get("text")) for block in blocks if block.get("type") == "text"]
    return [part for part in parts if part.strip()]


def _reason(text: str) -> str:
    return next(reason for prefix, reason in _MACHINE_MADE if text.startswith(prefix))


@dataclass(slots=True)
class Call:
    """A call whose result may still come."""

    name: str
    input: object
    start: int
    """Where its line begins: reading goes on from there until the result has come."""
    prompts: int
    """How many prompts had been typed when it was made."""
    answered: bool = False
    """It has a stand-in for a result ("interrupted"); the real one may follow from another process."""


def tool_call(call: Call, block: Record, beside: object) -> ToolCall:
    """The call with its result block; `beside` is the record's `toolUseResult`."""
    output = _text(block.get("content"))
    error = block.get("is_error") is True
    command = string(obj(call.input).get("command")) or None if call.name == "Bash" else None
    status = _exit(output, error, obj(beside)) if command else None
    return ToolCall(
        name=call.name,
        input=compact(call.input),
        output=output,
        command=command,
        exit=status,
        failed=error and status is None,
    )


def stands_in(record: Record) -> bool:
    """Whether a later process wrote this result in place of the one that never came."""
    return record.get("toolDenialKind") == "interrupted"


def _exit(output: str, error: bool, beside: Record) -> int | None:
    """The status of a shell command.

    Failing commands say it in their text; a success says nothing, and neither does a command that
    was sent to the background, was interrupted, or whose status was given a meaning ("no matches").
    """
    if error:
        found = EXIT.match(output)
        return int(found[1]) if found else None
    return None if "stdout" not in beside or any(beside.get(key) for key in UNCLEAR) else 0


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = [obj(block) for block in items(content)]
    return "\n".join(string(block.get("text")) for block in blocks if block.get("type") == "text")


_GOES_ON = frozenset({"tool_use", "pause_turn"})
_PATIENCE = 3
"""A call without a result is given up after so many further prompts: its agent was killed."""


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
class Reduction:
    """The state of one reading."""

    lines: Lines
    abandoned: frozenset[str]
    """Ids of records on branches the user went back from."""
    at: datetime
    """Time of the last record that has one; at first the file's own."""
    calls: dict[str, Call] = field(default_factory=dict)
    answer: _Answer | None = None
    prompts: int = 0
    out: list[Step] = field(default_factory=list)
    """What the line at hand completed."""
    last: Line | None = None
    """The furthest line a step was given for."""

    def steps(self) -> Iterator[Step]:
        """Everything in the file, one step at a time."""
        out = self.out
        for line in self.lines:
            record = None if line.too_long else loads(line.raw)
            if record is not None:
                self._record(record, line)
            elif line.too_long or line.raw.strip():
                self._filtered("line-too-long" if line.too_long else "torn-line", line)
            if out:
                yield from out
                out.clear()
        self._close_answer(ends_turn=True)
        yield from out

    def _record(self, record: Record, line: Line) -> None:
        kind = record.get("type")
        if kind not in ("assistant", "user", "attachment"):
            return
        self.at = instant(record.get("timestamp")) or self.at
        if kind == "assistant":
            self._assistant(record, line)
        elif kind == "attachment":
            self._attachment(record, line)
        else:
            self._user(record, line)

    def _user(self, record: Record, line: Line) -> None:
        content = items(obj(record.get("message")).get("content"))
        results = [block for block in map(obj, content) if block.get("type") == "tool_result"]
        if results and record.get("isSidechain") is not True:
            self._close_answer(ends_turn=False)
            for number, block in enumerate(results):
                self._result(record, block, number, line)
            return
        self._close_answer(ends_turn=True)
        self._typed(record, UserText("", "sidechain") if results else user_text(record), line)

    def _typed(self, record: Record, words: UserText, line: Line) -> None:
        if words.reason:
            self._filtered(words.reason, line)
            if words.text:
                uuid = _id(record, line)
                block = Message(id=uuid, key=uuid, role="assistant", text=words.text, at=self.at)
                self._message(block, uuid, line)
            return
        self.prompts += 1
        self._give_up(line)
        uuid = _id(record, line)
        text = typed_text(words.text, record.get("entrypoint"))
        if len(text) < len(words.text.strip()):
            self._filtered("piped", line)
        message = Message(id=uuid, key=uuid, role="user", text=text, at=self.at)
        self._message(message, uuid, line)

    def _attachment(self, record: Record, line: Line) -> None:
        attachment = obj(record.get("attachment"))
        kind = string(attachment.get("type"))
        if kind == "queued_command":
            self._close_answer(ends_turn=False)
            self.at = instant(attachment.get("timestamp")) or self.at
            sidechain = record.get("isSidechain") is True
            self._typed(record, UserText("", "sidechain") if sidechain else queued_text(attachment), line)
        elif kind in ("instructions", "nested_memory"):
            self._filtered("instructions", line)
        elif kind == "hook_additional_context" or (kind == "hook_success" and attachment.get("content")):
            self._filtered("hook", line)

    def _assistant(self, record: Record, line: Line) -> None:
        message = obj(record.get("message"))
        reason = _not_the_model(record, message)
        if reason:
            self._close_answer(ends_turn=True)
            self._filtered(reason, line)
            return
        api_id = string(message.get("id"))
        if self.answer and self.answer.message != api_id:
            self._close_answer(ends_turn=False)
        uuid, begun = _id(record, line), 0
        for block in map(obj, items(message.get("content"))):
            kind, text = block.get("type"), string(block.get("text"))
            if kind == "text" and text.strip():
                if self.answer:
                    self.answer.texts.append(text)
                    self.answer.line = line
                else:
                    name = f"{uuid}/{begun}" if begun else uuid
                    begun += 1
                    stop = string(message.get("stop_reason"))
                    self.answer = _Answer(name, api_id, [text], self.at, stop, uuid, line.start, line)
            elif kind == "tool_use":
                call_id = string(block.get("id"))
                call = Call(string(block.get("name")), block.get("input"), line.start, self.prompts)
                self.calls[call_id] = call
                self._close_answer(ends_turn=False)

    def _result(self, record: Record, block: Record, number: int, line: Line) -> None:
        call_id = string(block.get("tool_use_id"))
        call = self.calls.get(call_id)
        if call is None:
            self._filtered("orphan-result", line)
            return
        if stands_in(record):
            call.answered = True
        else:
            del self.calls[call_id]
        uuid = _id(record, line)
        name = f"{uuid}/{number}" if number else uuid
        tool = tool_call(call, block, record.get("toolUseResult"))
        message = Message(id=name, key=name, role="tool", text="", at=self.at, tool=tool)
        self._message(message, uuid, line)

    def _close_answer(self, ends_turn: bool) -> None:
        """Hand over the answer being assembled. What follows tells whether it ended its turn, for
        versions whose records do not say so themselves."""
        answer, self.answer = self.answer, None
        if answer is None:
            return
        final = answer.stop not in _GOES_ON if answer.stop else ends_turn
        text = "\n\n".join(answer.texts)
        message = Message(id=answer.id, key=answer.id, role="assistant", text=text, at=answer.at, final=final)
        self._message(message, answer.uuid, answer.line)

    def _message(self, message: Message, uuid: str, line: Line) -> None:
        if uuid in self.abandoned:
            self._filtered("reverted", line)
        else:
            self.out.append(Step(message, self._mark(line)))

    def _filtered(self, reason: str, line: Line) -> None:
        """Once only: what lies before the place we came from was counted then."""
        if line.end > self.lines.done:
            self.out.append(Step(Filtered(reason), self._mark(line)))

    def _give_up(self, line: Line) -> None:
        late = [key for key, call in self.calls.items() if self.prompts - call.prompts > _PATIENCE]
        for key in late:
            if not self.calls.pop(key).answered:
                self._filtered("unfinished", line)

    def _mark(self, line: Line) -> str:
        """Go on after `line`, but not past anything that is still open; never count again what was."""
        base = min([call.start for call in self.calls.values()], default=line.end)
        if self.answer:
            base = min(base, self.answer.start)
        if self.last is None or line.end > self.last.end:
            self.last = line
        return self.lines.mark(self.last, min(base, line.end))


def _id(record: Record, line: Line) -> str:
    """The record's own id; for a record without one, its bytes'."""
    return string(record.get("uuid")) or blake2b(line.raw, digest_size=16).hexdigest()


def _not_the_model(record: Record, message: Record) -> str:
    if record.get("isSidechain") is True:
        return "sidechain"
    if record.get("isApiErrorMessage") is True:
        return "api-error"
    return "synthetic" if message.get("model") == "<synthetic>" else ""
