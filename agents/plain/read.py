"""Plain JSONL files, one message a line: finding, opening, reading.

Lines have no ids, so a message's id is a hash of its session, of itself and of the message before it, back to
the session's first: what is appended never changes it, and the same words said twice are two messages. A file
edited in the middle is new from there on.

A line without a timestamp has that of the message before it; before the first one, the time the file was last
changed.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from hashlib import blake2b
from pathlib import Path

from siltstone.agents.jsonl import Line, Lines, loads
from siltstone.agents.reduction import HEAD, Reduction
from siltstone.agents.values import Record, compact, instant, items, obj, source, string
from siltstone.pipeline.messages import Message, Reader, Reading, Role, Session, Source, Step, ToolCall
from siltstone.prompts import INTERNAL
from siltstone.store.errors import SourceError

_NAMED, _ROLE = b'"session"', b'"role"'


class PlainReader(Reader):
    """The reader of one file, or of a folder of `*.jsonl` at any depth; None: of nothing.

    One file may hold several sessions; each is a source of its own. Which ones it holds stands only
    in its lines, so this reader alone reads a file to discover it, once for each change of the file.
    """

    agent = "plain"

    def __init__(self, root: Path | None) -> None:
        self.root = root
        self._sessions: dict[str, tuple[str, tuple[str, ...]]] = {}

    def discover(self) -> Iterator[Source]:
        """Sources `<path in the folder>` and, for named sessions, `<path>#<session>`."""
        for path, name in self._files():
            found = source(self.agent, name, path)
            if found is None:
                continue  # gone since the folder was listed
            stamp, sessions = self._sessions.get(name, ("", ()))
            if stamp != found.stamp:
                try:
                    sessions = tuple(dict.fromkeys(_names(path)))
                    self._sessions[name] = (found.stamp, sessions)
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
        prompt, cwd, owner = head
        machine = "siltstone" if INTERNAL in prompt else None
        session = Session(self.agent, source.detail, cwd, machine=machine)
        lines = Lines(source.path, resume)
        reduction = PlainReduction(lines, source, owner)
        return Reading(session, reduction.steps(), lines.complaints)

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


def _names(path: Path) -> Iterator[str]:
    """The session of each line that could hold a message; of a file that names none, once."""
    default, lines = path.stem, Lines(path)
    if not lines.holds(_NAMED):
        yield from [default] if lines.holds(_ROLE) else []
        return
    for raw in (line.raw for line in lines if _ROLE in line.raw):
        if _NAMED not in raw:
            yield default
        elif "role" in (record := loads(raw) or {}):
            yield _session_of(record, default)


def _head(source: Source) -> tuple[str, str, bool] | None:
    """The first prompt, the folder, and whether this is the first session of its file; None when no line
    belongs to the session."""
    owner: str | None = None
    cwd, there = "", False
    for line, record, _ in Lines(source.path).records():
        if there and line.start > HEAD:
            break
        if record is None or "role" not in record:
            continue
        session = _session_of(record, source.path.stem)
        owner = owner or session
        if session == source.detail:
            there, cwd = True, cwd or string(record.get("cwd"))
            if record.get("role") == "user":
                return _words(record), cwd, owner == session
    return ("", cwd, owner == source.detail) if there else None


class PlainReduction(Reduction):
    """The messages of one session of a file, in file order."""

    def __init__(self, lines: Lines, source: Source, owner: bool) -> None:
        super().__init__(lines)
        self.session, self.default, self.owner = source.detail, source.path.stem, owner
        self.at: datetime = source.changed
        """Time of the last message; at first the file's own."""
        self.chain = lines.note
        self.held: tuple[Message, Line, str] | None = None
        """The newest answer, its line and the id of the message before it: what follows shows whether it
        ended its turn."""

    def broken(self, reason: str) -> None:
        """Broken lines belong to no session: the first one of the file counts them."""
        if self.owner:
            self.filtered(reason)

    def feed(self, record: Record) -> None:
        if _session_of(record, self.default) != self.session:
            return
        self.at = instant(record.get("timestamp")) or self.at
        role, text = record.get("role"), _words(record)
        if role in ("system", "developer"):
            self.filtered("instructions")
        elif role not in ("user", "assistant", "tool"):
            self.filtered("unknown-role")
        elif not text.strip():
            self.filtered("empty")
        else:
            self._message(record, role, text)

    def close(self, ends_turn: bool = True) -> None:
        if self.held:
            (message, line, _), self.held = self.held, None
            resume = self.lines.mark(self.before, line.end, message.id)
            self.out.append(Step(replace(message, final=ends_turn), resume))

    def mark(self, line: Line) -> str:
        if self.held is None:
            return self.lines.mark(line, note=self.chain)
        _, held, chain = self.held
        return self.lines.mark(line, held.start, chain)

    def _message(self, record: Record, role: Role, text: str) -> None:
        self.close(ends_turn=role == "user")
        stamp = compact(record.get("timestamp"))
        chained = "\0".join((self.chain or self.session, role, stamp, text)).encode("utf-8", "replace")
        id_ = blake2b(chained, digest_size=12).hexdigest()
        tool = ToolCall(string(record.get("name")), "", text) if role == "tool" else None
        message = Message(id_, f"{self.session}/{id_}", role, "" if tool else text, self.at, tool)
        before, self.chain = self.chain, id_
        if role == "assistant":
            self.held = (message, self.line, before)
        else:
            self.out.append(Step(message, self.mark(self.line)))


def _session_of(record: Record, default: str) -> str:
    """The session a line belongs to; a number is taken for a name, nothing for the file's own."""
    return compact(record.get("session")) or default


def _words(record: Record) -> str:
    """The text of a line: a string, or the text blocks of a list."""
    content = record.get("content")
    if isinstance(content, str):
        return content
    blocks = [block if isinstance(block, str) else string(obj(block).get("text")) for block in items(content)]
    return "\n".join(block for block in blocks if block)
