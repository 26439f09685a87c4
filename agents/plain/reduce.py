"""From the lines of one session to messages.

Lines have no ids, so a message's id is a hash of its session, of itself and of the one before it,
all the way to the session's first: what is appended never changes it, and the same words said twice
are two messages. A file edited in the middle is new from there on.

A line without a timestamp has that of the message before it; before the first one, the time the file
was last changed. So files without any timestamp are ordered by when they changed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from hashlib import blake2b

from siltstone.agents.jsonl import Line, Lines, loads
from siltstone.agents.records import Record, compact, instant, items, obj, string
from siltstone.pipeline.messages import Filtered, Message, Role, Step, ToolCall, frozen

_SYSTEM = ("system", "developer")


@frozen
class _Said:
    """A message whose id is still to come."""

    role: Role
    text: str
    at: datetime
    tool: str
    """Name of the tool that printed the text."""


@frozen
class _Held:
    """The newest answer: what follows tells whether it ended its turn."""

    said: _Said
    id: str
    line: Line
    chain: str
    """The id of the message before it."""


@dataclass(slots=True)
class Reduction:
    """The state of one reading."""

    lines: Lines
    session: str
    default: str
    """The session of lines that name none."""
    owner: bool
    """Broken lines belong to no session: the first one of the file counts them."""
    at: datetime
    """Time of the last message; at first the file's own."""
    held: _Held | None = None

    def steps(self) -> Iterator[Step]:
        """The messages of the session, in file order."""
        chain = self.lines.note
        before = Line(self.lines.offset, self.lines.offset, b"")
        for line in self.lines:
            record = None if line.too_long else loads(line.raw)
            item = self._item(record, line)
            if isinstance(item, Filtered) and line.end > self.lines.done:
                yield Step(item, self._mark(line, chain))
            elif isinstance(item, _Said) and record is not None:
                if self.held:
                    yield self._close(self.held, before, ends_turn=item.role == "user")
                link = self._linked(chain, record, item.text)
                if item.role == "assistant":
                    self.held = _Held(item, link, line, chain)
                else:
                    yield Step(self._message(item, link), self.lines.mark(line, note=link))
                chain = link
            before = line
        if self.held:
            yield self._close(self.held, before, ends_turn=True)

    def _item(self, record: Record | None, line: Line) -> _Said | Filtered | None:
        """None for a line of another session."""
        if record is None:
            reason = "line-too-long" if line.too_long else "torn-line"
            return Filtered(reason) if self.owner and (line.too_long or line.raw.strip()) else None
        if session_of(record, self.default) != self.session:
            return None
        self.at = instant(record.get("timestamp")) or self.at
        return _said(record, self.at)

    def _close(self, held: _Held, before: Line, ends_turn: bool) -> Step:
        """Hand over the answer held back; `before` is the last line dealt with."""
        self.held = None
        resume = self.lines.mark(before, held.line.end, held.id)
        return Step(self._message(held.said, held.id, ends_turn), resume)

    def _message(self, said: _Said, link: str, final: bool = False) -> Message:
        key = f"{self.session}/{link}"
        if said.role == "tool":
            return Message(link, key, "tool", "", said.at, ToolCall(said.tool, "", said.text))
        return Message(link, key, said.role, said.text, said.at, final=final)

    def _mark(self, line: Line, chain: str) -> str:
        """Go on after `line`, but not past the answer held back."""
        if self.held is None:
            return self.lines.mark(line, note=chain)
        return self.lines.mark(line, self.held.line.start, self.held.chain)

    def _linked(self, chain: str, record: Record, text: str) -> str:
        at = compact(record.get("timestamp"))
        told = (chain or self.session, string(record.get("role")), at, text)
        return blake2b("\0".join(told).encode("utf-8", "replace"), digest_size=12).hexdigest()


def session_of(record: Record, default: str) -> str:
    """The session a line belongs to; a number is taken for a name, nothing for the file's own."""
    return compact(record.get("session")) or default


def words(record: Record) -> str:
    """The text of a line: a string, or the text blocks of a list."""
    content = record.get("content")
    if isinstance(content, str):
        return content
    blocks = [block if isinstance(block, str) else string(obj(block).get("text")) for block in items(content)]
    return "\n".join(block for block in blocks if block)


def _said(record: Record, at: datetime) -> _Said | Filtered:
    role, text = record.get("role"), words(record)
    if role in _SYSTEM:
        return Filtered("instructions")
    if role not in ("user", "assistant", "tool"):
        return Filtered("unknown-role")
    if not text.strip():
        return Filtered("empty")
    return _Said(role, text, at, string(record.get("name")))
