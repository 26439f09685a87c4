"""Finding and opening Gemini CLI's transcripts, and the folders that their sessions worked in."""

import os
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from siltstone.agents.gemini import door
from siltstone.agents.gemini.logs import log_steps, single, single_steps
from siltstone.agents.gemini.messages import user_text
from siltstone.agents.jsonl import Lines, loads
from siltstone.agents.values import (
    INTERNAL,
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
from siltstone.pipeline.messages import Reading, Session, Source

_HEAD = 16 * 1024 * 1024
"""Bytes to search for a session's first prompt: far more than what is written before one."""


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
            record = single(source.path)
            session = self._session(source, folder, record, items(record.get("messages")))
            steps = single_steps(record, session.id, source.changed, resume)
            return Reading(session, steps) if string(record.get("sessionId")) else None
        header, prompt = _head(source.path)
        if not header:
            return None
        session = self._session(source, folder, header, [prompt])
        lines = Lines(source.path, resume)
        return Reading(session, log_steps(lines, session.id, source.changed), lines.complaints)

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


_MOST_BYTES = 1024 * 1024


def project_folder(root: Path, folder: Path, header: Record) -> str:
    """The project's path, or "" when nothing tells. `folder` is `tmp/<slug>`."""
    told = _read_small(folder / ".project_root").decode("utf-8", "replace").strip()
    if told:
        return told
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
