"""Gemini CLI's transcripts: finding and reading them, and the folders that their sessions worked in."""

import os
from collections.abc import Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from siltstone.agents.gemini import door
from siltstone.agents.gemini.messages import Reduction, user_text
from siltstone.agents.jsonl import Line, Lines, loads
from siltstone.agents.values import (
    Record,
    entries,
    home,
    items,
    listed,
    obj,
    opened,
    source,
    stated,
    string,
)
from siltstone.pipeline.messages import Filtered, Message, Reading, Session, Source, Step
from siltstone.prompts import INTERNAL
from siltstone.store.errors import SourceError

_HEAD = 16 * 1024 * 1024
"""Bytes to search for a session's first prompt: far more than what is written before one."""
_MOST_BYTES = 1024 * 1024
"""Bytes of a file that names projects."""
_REWIND = b'{"$rewindTo"'
_OLD_MARK = "gemini-json:"
MAX_OLD = 64 * 1024 * 1024
"""Bytes an older transcript may have: it can only be read whole."""


class GeminiReader:
    """Reader (pipeline/messages.py) of one Gemini config folder."""

    agent = "gemini"

    def __init__(self, root: Path) -> None:
        self.root = root

    def discover(self) -> Iterator[Source]:
        """Chats of all projects, and those of sub-agents in the folders beside them.

        Gemini itself loses transcripts: resuming leaves a stub, and the next start deletes the real
        one (upstream issue #27368). What is gone was read before or is lost.
        """
        for project in listed(self.root / "tmp"):
            prefix = f"{project.name}/"
            for entry in entries(Path(project.path, "chats")):
                if entry.name.startswith("session-"):
                    if found := self._found(prefix, entry):
                        yield found
                elif "." not in entry.name:
                    below = [self._found(f"{prefix}{entry.name}/", child) for child in entries(entry.path)]
                    yield from filter(None, below)

    def read(self, source: Source, resume: str | None) -> Reading | None:
        """A stub has a header and no messages: a session of which nothing was said yet."""
        folder = self.root / "tmp" / source.key.partition("/")[0]
        if source.path.suffix == ".json":
            record = _old_record(source.path)
            session = self._session(source, folder, record, items(record.get("messages")))
            steps = _old_steps(record, session.id, source.changed, resume)
            return Reading(session, steps) if string(record.get("sessionId")) else None
        header, prompt = _head(source.path)
        if not header:
            return None
        session = self._session(source, folder, header, [prompt])
        lines = Lines(source.path, resume)
        return Reading(session, _log_steps(lines, session.id, source.changed), lines.complaints)

    def idle(self, source: Source, reading: Reading) -> bool | None:
        """Only the clock can tell: there is no process file, and no record ends a session."""
        return None

    def _session(self, source: Source, folder: Path, header: Record, records: list[Record]) -> Session:
        session = string(header.get("sessionId")) or source.path.stem
        machine = None
        if header.get("kind") == "subagent":
            machine = "subagent"
        elif INTERNAL in _first_prompt(records):
            machine = "siltstone"
        return Session(self.agent, session, project_folder(self.root, folder, header), machine=machine)

    def _found(self, prefix: str, entry: os.DirEntry[str]) -> Source | None:
        name, _, suffix = entry.name.rpartition(".")
        if suffix in ("jsonl", "json") and (stat := stated(entry)):
            return source(self.agent, prefix + name, entry.path, stat)
        return None


def reader(root: Path | None, env: Mapping[str, str]) -> GeminiReader:
    """The reader of `root`, a Gemini config folder; else of the one in `$GEMINI_CLI_HOME`, else in `~`."""
    return GeminiReader(root or door.folder(env, home(env)))


def _head(path: Path) -> tuple[Record, Record]:
    """The header and the first prompt; either may be empty."""
    header: Record = {}
    for line in Lines(path):
        if line.start > _HEAD:
            break
        record = loads(line.raw) or {}
        if not header and "projectHash" in record and string(record.get("sessionId")):
            header = record
        elif record.get("type") == "user" and _first_prompt([record]):
            return header, record
    return header, {}


def _first_prompt(records: list[Record]) -> str:
    for record in map(obj, records):
        words = user_text(record) if record.get("type") == "user" else None
        if words and words.text:
            return words.text
    return ""


def project_folder(root: Path, folder: Path, header: Record) -> str:
    """The project's path; "" when it is not known. `folder` is `tmp/<slug>`."""
    named = _read_small(folder / ".project_root").decode("utf-8", "replace").strip()
    if named:
        return named
    projects = obj((loads(_read_small(root / "projects.json").replace(b"\n", b" ")) or {}).get("projects"))
    hashes = (string(header.get("projectHash")), folder.name)
    for path, slug in projects.items():
        if slug == folder.name or sha256(path.encode("utf-8", "replace")).hexdigest() in hashes:
            return path
    return next((string(path) for path in items(header.get("directories"))), "")


def _read_small(path: Path) -> bytes:
    try:
        with opened(path) as file:
            return file.read(_MOST_BYTES)
    except OSError:
        return b""


# Steps: of today's log of lines, or of the one JSON object of older versions.


def _log_steps(lines: Lines, session: str, changed: datetime) -> Iterator[Step]:
    """The log from its resumed place on. `changed` is the time of records that have none."""
    log = Reduction(session, changed, _undone(lines))
    before = Line(lines.offset, lines.offset, b"")
    for line in lines:
        record = None if line.too_long else loads(line.raw)
        if record is not None:
            log.feed(record, line.start)
        elif line.too_long or line.raw.strip():
            log.give(Filtered("line-too-long" if line.too_long else "torn-line"), True)
        if log.out:
            yield from _steps(log, line, before, lines)
        before = line
    log.close()
    yield from _steps(log, before, before, lines)


def _steps(log: Reduction, line: Line, before: Line, lines: Lines) -> list[Step]:
    """What lies before the place we came from was counted then: messages are known by their keys,
    what was filtered is not given again."""
    steps = []
    for given in log.out:
        at = line if given.own else before
        if isinstance(given.item, Message) or at.end > lines.done:
            base = at.end if given.open is None or given.open > at.end else given.open
            steps.append(Step(given.item, lines.mark(at, base)))
    log.out.clear()
    return steps


def _undone(lines: Lines) -> list[tuple[int, int]]:
    """What `$rewindTo` took back: from the first record of that id up to the rewind itself."""
    if not lines.holds(_REWIND):
        return []
    rewinds: list[tuple[str, int]] = []
    for line in lines:
        target = string((loads(line.raw) or {}).get("$rewindTo")) if line.raw.startswith(_REWIND) else ""
        if target:
            rewinds.append((target, line.start))
    starts = _starts(lines.path, {target for target, _ in rewinds})
    return [(starts[target], end) for target, end in rewinds if target in starts]


def _starts(path: Path, wanted: set[str]) -> dict[str, int]:
    starts: dict[str, int] = {}
    for line in Lines(path):
        if b'"id"' in line.raw:
            name = string((loads(line.raw) or {}).get("id"))
            if name in wanted:
                starts.setdefault(name, line.start)
    return starts


def _old_record(path: Path) -> Record:
    """The object of an older transcript, which is rewritten whole at each turn [R]."""
    try:
        with opened(path) as file:
            raw = file.read(MAX_OLD + 1)
    except OSError as error:
        raise SourceError(f"{path} cannot be read ({error}); check its permissions") from error
    if len(raw) > MAX_OLD:
        raise SourceError(f"{path} has over {MAX_OLD} bytes, too many for one JSON object; move it away")
    return loads(raw) or {}


def _old_steps(record: Record, session: str, changed: datetime, resume: str | None) -> Iterator[Step]:
    """Its messages. They are read from the start each time: only what was filtered is not repeated."""
    log = Reduction(session, changed)
    number = (resume or "").removeprefix(_OLD_MARK)
    done = int(number) if number.isdecimal() and len(number) < 10 else 0
    messages = [obj(message) for message in items(record.get("messages"))]
    for at, message in enumerate(messages):
        log.feed(message, at)
        yield from _old_given(log, at, done)
    log.close()
    yield from _old_given(log, len(messages), done)


def _old_given(log: Reduction, at: int, done: int) -> Iterator[Step]:
    for given in log.out:
        number = at + 1 if given.own else at
        if isinstance(given.item, Message) or number > done:
            yield Step(given.item, f"{_OLD_MARK}{number}")
    log.out.clear()
