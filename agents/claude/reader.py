"""Finding and opening Claude Code's transcripts."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from siltstone.agents.claude import live, place
from siltstone.agents.claude.branches import abandoned
from siltstone.agents.claude.reduce import Reduction
from siltstone.agents.claude.said import said
from siltstone.agents.jsonl import Lines, loads
from siltstone.agents.records import INTERNAL, Record, entries, home, listed, source, stated, string
from siltstone.pipeline.messages import Reading, Session, Source
from siltstone.store.errors import SourceError

_TYPES = ("user", "assistant", "attachment", "system")
"""Of records in the tree; of notes beside it any type may come."""
_HEAD = 16 * 1024 * 1024
"""Bytes to search for a session's first prompt: far more than what is written before one."""


class ClaudeReader:
    """Reader (pipeline/messages.py) of one Claude Code config folder."""

    agent = "claude"

    def __init__(self, root: Path) -> None:
        self.root = root

    def discover(self) -> Iterator[Source]:
        """Sessions and, below them, those of their sub-agents."""
        for project in listed(self.root / "projects"):
            for entry in entries(project.path):
                name = entry.name
                if name.endswith(".jsonl"):
                    if stat := stated(entry):
                        yield source(self.agent, f"{project.name}/{name[:-6]}", entry.path, stat)
                elif "." not in name:
                    yield from self._subagents(f"{project.name}/{name}/", Path(entry.path, "subagents"))

    def read(self, source: Source, resume: str | None) -> Reading | None:
        """The project is `cwd` of the records: folder names collide and differ per worktree."""
        session = _session(source)
        if session is None:
            return None
        lines = Lines(source.path, resume)
        reduction = Reduction(lines, abandoned(lines), source.changed)
        return Reading(session, reduction.steps(), lines.complaints)

    def idle(self, source: Source, reading: Reading) -> bool | None:
        """By the process that holds the session."""
        return live.idle(self.root, reading.session.id)

    def _subagents(self, prefix: str, folder: Path) -> Iterator[Source]:
        for entry in entries(folder):
            if entry.name.endswith(".jsonl") and (stat := stated(entry)):
                yield source(self.agent, prefix + entry.name[:-6], entry.path, stat)


def reader(root: Path | None, env: Mapping[str, str]) -> ClaudeReader:
    """The reader of `root`, a Claude Code config folder; by default the one `env` names."""
    return ClaudeReader(root or place.folder(env, home(env)))


def _session(source: Source) -> Session | None:
    """What the records up to the first prompt say; None when there is no record yet.

    Raises SourceError when nothing in the file is of a kind that Claude Code is known to write.
    """
    first: Record = {}
    known = False
    cwd = ""
    for line in Lines(source.path):
        if line.start > _HEAD:
            break
        record = loads(line.raw) if b'"uuid"' in line.raw else None
        if not record or not string(record.get("uuid")):
            continue
        first = first or record
        cwd = cwd or string(record.get("cwd"))
        known = known or record.get("type") in _TYPES
        if record.get("type") == "user":
            return _described(source, first, cwd, said(record).text)
    if not known and _is_foreign(source.path):
        raise SourceError(
            f"{source.path} holds no record of a kind that Claude Code is known to write, so nothing of it "
            "was read; a newer Siltstone may know it"
        )
    return _described(source, first, cwd, "") if first else None


def _is_foreign(path: Path) -> bool:
    """Whether there are lines, and none is a record we know or a note on the session."""
    told = False
    for raw in Lines(path).raw():
        record = loads(raw) or {}
        if record.get("type") in _TYPES or (string(record.get("type")) and "uuid" not in record):
            return False
        told = told or bool(raw.strip())
    return told


def _described(source: Source, first: Record, cwd: str, prompt: str) -> Session:
    session = string(first.get("sessionId")) or source.path.stem
    agent = string(first.get("agentId"))
    if first.get("isSidechain") is True and agent:
        return Session(ClaudeReader.agent, f"{session}/{agent}", cwd, machine="subagent")
    machine = "siltstone" if INTERNAL in prompt else None
    return Session(ClaudeReader.agent, session, cwd, machine=machine)
