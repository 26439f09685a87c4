"""Finding and opening plain JSONL files."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from siltstone.agents.jsonl import Lines, loads
from siltstone.agents.plain.reduce import Reduction, session_of, words
from siltstone.agents.records import INTERNAL, Record, source, string
from siltstone.pipeline.messages import Reading, Session, Source
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
    for raw in lines.raw():
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
