"""Finding and opening Claude Code's transcripts, and whether a process holds one."""

from collections.abc import Iterator
from pathlib import Path

from siltstone.agents.claude.branches import abandoned
from siltstone.agents.claude.messages import ClaudeReduction, user_words
from siltstone.agents.jsonl import Lines, loads
from siltstone.agents.reduction import HEAD
from siltstone.agents.values import Record, entries, integer, listed, source, string
from siltstone.pipeline.messages import Reading, Session, Source
from siltstone.prompts import INTERNAL
from siltstone.store.errors import SourceError
from siltstone.store.plain_file import head
from siltstone.store.state.windows import started

_TYPES = ("user", "assistant", "attachment", "system")
"""Of records in the tree; of notes beside it any type may come."""


class ClaudeReader:
    """Reader (pipeline/messages.py) of one Claude Code config folder."""

    agent = "claude"

    def __init__(self, root: Path) -> None:
        self.root = root

    def discover(self) -> Iterator[Source]:
        """Sessions and, below them, those of their sub-agents."""
        for project in listed(self.root / "projects"):
            yield from self._found(f"{project.name}/", project.path)

    def read(self, source: Source, resume: str | None) -> Reading | None:
        """The project is `cwd` of the records: folder names collide and differ per worktree."""
        session = _session(source)
        if session is None:
            return None
        lines = Lines(source.path, resume)
        reduction = ClaudeReduction(lines, abandoned(lines), source.changed)
        return Reading(session, reduction.steps(), lines.complaints)

    def idle(self, source: Source, reading: Reading) -> bool | None:
        """By the process that holds the session."""
        return session_idle(self.root, reading.session.id)

    def _found(self, prefix: str, folder: Path | str) -> Iterator[Source]:
        for entry in entries(folder):
            name = prefix + entry.name
            if "." not in entry.name:
                yield from self._found(f"{name}/", Path(entry.path, "subagents"))
            elif name.endswith(".jsonl") and (found := source(self.agent, name[:-6], entry)):
                yield found


def _session(source: Source) -> Session | None:
    """What the records up to the first prompt say; None when there is no record yet.

    Raises SourceError when nothing in the file is of a kind that Claude Code is known to write.
    """
    first: Record = {}
    known, has_lines = False, False
    cwd = prompt = ""
    for line, record, broken in Lines(source.path).records():
        if known and line.start > HEAD:
            break
        kind = (record or {}).get("type")
        known = known or kind in _TYPES or bool(record and string(kind) and "uuid" not in record)
        has_lines = has_lines or record is not None or bool(broken)
        if record and string(record.get("uuid")):
            first = first or record
            cwd = cwd or string(record.get("cwd"))
            if kind == "user":
                prompt = user_words(record).text
                break
    if has_lines and not known:
        raise SourceError(
            f"{source.path} contains no record of a kind that Claude Code is known to write, so none of "
            f"it was read; a newer Siltstone may know it"
        )
    if not first:
        return None
    session, agent = string(first.get("sessionId")) or source.path.stem, string(first.get("agentId"))
    if first.get("isSidechain") is True and agent:
        return Session(ClaudeReader.agent, f"{session}/{agent}", cwd, machine="subagent")
    return Session(ClaudeReader.agent, session, cwd, machine="siltstone" if INTERNAL in prompt else None)


def session_idle(config: Path, session: str) -> bool | None:
    """True when the processes that had the session are dead; False when one is busy with it; None
    when none is known or one is waiting for its user: then only the clock can tell.

    The file stays after kill -9, and pids come again: the start time must agree.
    """
    states = set()
    for entry in entries(config / "sessions"):
        record = loads(head(Path(entry.path))) or {}
        if record.get("sessionId") == session:
            busy = "busy" if record.get("status") == "busy" else "waiting"
            states.add(busy if _alive(record) else "dead")
    if "busy" in states:
        return False
    return True if states == {"dead"} else None


def _alive(record: Record) -> bool:
    pid = integer(record.get("pid")) or 0
    now, then = started(pid) if pid > 0 else None, string(record.get("procStart"))
    # Without /proc the time is told in another notation.
    return now is not None and (not then or now == then or not now.isdecimal())
