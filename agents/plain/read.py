"""Plain JSONL files, one message a line: finding, opening, reading.

Lines have no ids, so a message's id is a hash of its session, of itself and of the message before it, back to
the session's first: what is appended never changes it, and the same words said twice are two messages. A file
edited in the middle is new from there on.

A line without a timestamp has that of the message before it; before the first one, the time the file was last
changed.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from siltstone.agents.jsonl import Line, Lines, loads
from siltstone.agents.values import Record, compact, instant, items, obj, source, string
from siltstone.pipeline.messages import (
    Filtered,
    Message,
    Reading,
    Role,
    Session,
    Source,
    Step,
    ToolCall,
    frozen,
)
from siltstone.prompts import INTERNAL
from siltstone.store.errors import SourceError

_NAMED, _ROLE = b'"session"', b'"role"'
_HEAD = 16 * 1024 * 1024
"""Bytes to search for what a session says of itself."""


class _Head(NamedTuple):
    """What the lines up to a session's first prompt say."""

    prompt: str
    cwd: str
    owner: bool
    """It is the first session of its file."""


class PlainReader:
    """Reader (pipeline/messages.py) of one file, or of a folder of `*.jsonl` at any depth.

    One file may hold several sessions; each is a source of its own. Which ones it holds stands only
    in its lines, so this door alone reads a file to discover it, once for each change of the file.
    """

    agent = "plain"

    def __init__(self, root: Path | None) -> None:
        self.root = root
        self._sessions: dict[str, tuple[str, tuple[str, ...]]] = {}

    def discover(self) -> Iterator[Source]:
        """Sources `<path in the folder>` and, for named sessions, `<path>#<session>`."""
        for path, name in self._files():
            try:
                found = source(self.agent, name, str(path), path.stat())
            except OSError:
                continue  # gone since the folder was listed
            try:
                sessions = self._sessions_of(found)
            except SourceError:
                sessions = (path.stem,)  # reading it will say why
            for session in sessions:
                key = name if session == path.stem else f"{name}#{session}"
                yield Source(self.agent, key, found.file, found.stamp, found.seconds, session)

    def read(self, source: Source, resume: str | None) -> Reading | None:
        """None when no line of the file belongs to the session."""
        head = _head(source)
        if head is None:
            return None
        machine = "siltstone" if INTERNAL in head.prompt else None
        lines = Lines(source.path, resume)
        session = Session(self.agent, source.detail, head.cwd, machine=machine)
        reduction = Reduction(lines, source.detail, source.path.stem, head.owner, source.changed)
        return Reading(session, reduction.steps(), lines.complaints)

    def idle(self, source: Source, reading: Reading) -> bool | None:
        """Only the clock can tell."""
        return None

    def _files(self) -> Iterator[tuple[Path, str]]:
        if self.root is None:
            return
        if self.root.is_file():
            yield self.root, self.root.stem
        for folder, folders, names in os.walk(self.root):
            folders.sort()
            for name in sorted(names):
                if name.endswith(".jsonl"):
                    path = Path(folder, name)
                    yield path, path.relative_to(self.root).with_suffix("").as_posix()

    def _sessions_of(self, found: Source) -> tuple[str, ...]:
        known = self._sessions.get(found.key)
        if known is None or known[0] != found.stamp:
            names = tuple(dict.fromkeys(_names(found.path)))
            known = self._sessions[found.key] = (found.stamp, names)
        return known[1]


def reader(root: Path | None, env: Mapping[str, str]) -> PlainReader:
    """The reader of `root`, one file or a folder of `*.jsonl`; without one it finds nothing.

    `env` is not looked at: no agent keeps such files at a place of its own.
    """
    return PlainReader(root)


def _names(path: Path) -> Iterator[str]:
    """The session of each line that could hold a message; of a file that names none, once."""
    default, lines = path.stem, Lines(path)
    if not lines.holds(_NAMED):
        yield from [default] if lines.holds(_ROLE) else []
        return
    for raw in (line.raw for line in lines):
        if _NAMED in raw:
            record = loads(raw) or {}
            if "role" in record:
                yield session_of(record, default)
        elif _ROLE in raw:
            yield default


def _head(source: Source) -> _Head | None:
    """None when no line belongs to the session."""
    default = source.path.stem
    owner: str | None = None
    cwd, there = "", False
    for line in Lines(source.path):
        record: Record = loads(line.raw) or {}
        if "role" not in record:
            continue
        session = session_of(record, default)
        owner = owner or session
        if session == source.detail:
            there, cwd = True, cwd or string(record.get("cwd"))
            if record.get("role") == "user":
                return _Head(words(record), cwd, owner == session)
        if there and line.start > _HEAD:
            break
    return _Head("", cwd, owner == source.detail) if there else None


@frozen
class _Held:
    """The newest answer: what follows shows whether it ended its turn."""

    message: Message
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
            reason = self._reason(record, line)
            if reason and line.end > self.lines.done:
                yield Step(Filtered(reason), self._mark(line, chain))
            elif record is not None and reason == "":
                message = self._message(record, chain)
                if self.held:
                    yield self._close(self.held, before, ends_turn=message.role == "user")
                if message.role == "assistant":
                    self.held = _Held(message, line, chain)
                else:
                    yield Step(message, self.lines.mark(line, note=message.id))
                chain = message.id
            before = line
        if self.held:
            yield self._close(self.held, before, ends_turn=True)

    def _reason(self, record: Record | None, line: Line) -> str | None:
        """Why a line is no message; "" where it is one, None for a blank line or one of another session."""
        if record is None:
            if not self.owner or not (line.too_long or line.raw.strip()):
                return None
            return "line-too-long" if line.too_long else "torn-line"
        if session_of(record, self.default) != self.session:
            return None
        self.at = instant(record.get("timestamp")) or self.at
        role = record.get("role")
        if role in ("system", "developer"):
            return "instructions"
        if role not in ("user", "assistant", "tool"):
            return "unknown-role"
        return "" if words(record).strip() else "empty"

    def _message(self, record: Record, chain: str) -> Message:
        role: Role = record["role"]
        text, at = words(record), compact(record.get("timestamp"))
        chained = "\0".join((chain or self.session, role, at, text)).encode("utf-8", "replace")
        id_ = blake2b(chained, digest_size=12).hexdigest()
        tool = ToolCall(string(record.get("name")), "", text) if role == "tool" else None
        return Message(id_, f"{self.session}/{id_}", role, "" if tool else text, self.at, tool)

    def _close(self, held: _Held, before: Line, ends_turn: bool) -> Step:
        """Hand over the answer held back; `before` is the last line dealt with."""
        self.held = None
        resume = self.lines.mark(before, held.line.end, held.message.id)
        return Step(replace(held.message, final=ends_turn), resume)

    def _mark(self, line: Line, chain: str) -> str:
        """Go on after `line`, but not past the answer held back."""
        if self.held is None:
            return self.lines.mark(line, note=chain)
        return self.lines.mark(line, self.held.line.start, self.held.chain)


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
