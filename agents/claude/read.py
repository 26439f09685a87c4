"""Finding and opening Claude Code's transcripts, and whether a process holds one."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from siltstone.agents.claude import door
from siltstone.agents.claude.branches import abandoned
from siltstone.agents.claude.messages import Reduction, user_text
from siltstone.agents.jsonl import Lines, loads
from siltstone.agents.values import (
    Record,
    entries,
    home,
    integer,
    listed,
    opened,
    source,
    stated,
    string,
)
from siltstone.pipeline.messages import Reading, Session, Source
from siltstone.prompts import INTERNAL
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
        return session_idle(self.root, reading.session.id)

    def _subagents(self, prefix: str, folder: Path) -> Iterator[Source]:
        for entry in entries(folder):
            if entry.name.endswith(".jsonl") and (stat := stated(entry)):
                yield source(self.agent, prefix + entry.name[:-6], entry.path, stat)


def reader(root: Path | None, env: Mapping[str, str]) -> ClaudeReader:
    """The reader of `root`, a Claude Code config folder; by default the one `env` names."""
    return ClaudeReader(root or door.folder(env, home(env)))


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
            return _described(source, first, cwd, user_text(record).text)
    if not known and _is_foreign(source.path):
        raise SourceError(
            f"{source.path} holds no record of a kind that Claude Code is known to write, so nothing of it "
            "was read; a newer Siltstone may know it"
        )
    return _described(source, first, cwd, "") if first else None


def _is_foreign(path: Path) -> bool:
    """Whether there are lines, and none is a record we know or a note on the session."""
    has_lines = False
    for raw in (line.raw for line in Lines(path)):
        record = loads(raw) or {}
        if record.get("type") in _TYPES or (string(record.get("type")) and "uuid" not in record):
            return False
        has_lines = has_lines or bool(raw.strip())
    return has_lines


def _described(source: Source, first: Record, cwd: str, prompt: str) -> Session:
    session = string(first.get("sessionId")) or source.path.stem
    agent = string(first.get("agentId"))
    if first.get("isSidechain") is True and agent:
        return Session(ClaudeReader.agent, f"{session}/{agent}", cwd, machine="subagent")
    machine = "siltstone" if INTERNAL in prompt else None
    return Session(ClaudeReader.agent, session, cwd, machine=machine)


_PROC = Path("/proc")
_START_TIME = 19
"""Field 22 of /proc/<pid>/stat, counted from the one after the command's closing bracket."""


def session_idle(config: Path, session: str, proc: Path = _PROC) -> bool | None:
    """True when the processes that had the session are dead; False when one is busy with it; None
    when none is known or one is waiting for its user: then only the clock can tell.

    The file stays after kill -9, and pids come again: the start time must agree.
    """
    states = [_state(file, session, proc) for file in _state_files(config)]
    known = [state for state in states if state is not None]
    if "busy" in known:
        return False
    return True if known and "waiting" not in known else None


def _state_files(config: Path) -> list[Path]:
    try:
        return sorted((config / "sessions").glob("*.json"))
    except OSError:
        return []


def _state(file: Path, session: str, proc: Path) -> str | None:
    try:
        with opened(file) as stream:
            record = loads(stream.read()) or {}
    except OSError:
        return None
    if record.get("sessionId") != session:
        return None
    if not _alive(record, proc):
        return "dead"
    return "busy" if record.get("status") == "busy" else "waiting"


def _alive(record: Record, proc: Path) -> bool:
    pid = integer(record.get("pid"))
    if pid is None or pid <= 0:
        return False
    try:
        stat = (proc / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return not proc.is_dir() and _signalled(pid)
    fields = stat.rpartition(")")[2].split()
    started = string(record.get("procStart"))
    return not started or len(fields) <= _START_TIME or fields[_START_TIME] == started


def _signalled(pid: int) -> bool:
    """Systems without /proc."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
