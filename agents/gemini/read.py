"""Gemini CLI's transcripts: finding and reading them, and the folders that their sessions worked in."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from siltstone.agents.gemini.messages import GeminiReduction, user_words
from siltstone.agents.jsonl import Line, Lines, loads
from siltstone.agents.reduction import HEAD, Log
from siltstone.agents.values import Record, entries, items, listed, obj, source, string
from siltstone.pipeline.messages import Reader, Reading, Session, Source
from siltstone.prompts import INTERNAL
from siltstone.store.errors import SourceError, why
from siltstone.store.plain_file import head, opened

_REWIND = b'{"$rewindTo"'
_OLD_MARK = "gemini-json:"
MAX_OLD = 64 * 1024 * 1024
"""Bytes an older transcript may have: it can only be read whole."""


class GeminiReader(Reader):
    """The reader of one Gemini config folder. No process file and no record shows the end of a session."""

    agent = "gemini"

    def __init__(self, root: Path) -> None:
        self.root = root

    def discover(self) -> Iterator[Source]:
        """Chats of all projects, and those of sub-agents in the folders beside them.

        Gemini itself loses transcripts: resuming leaves a stub, and the next start deletes the real
        one (upstream issue #27368). What is gone was read before or is lost.
        """
        for project in listed(self.root / "tmp"):
            for entry in entries(Path(project.path, "chats")):
                prefix, chats = f"{project.name}/", [entry] if entry.name.startswith("session-") else []
                if "." not in entry.name:
                    prefix, chats = f"{prefix}{entry.name}/", entries(entry.path)
                for chat in chats:
                    name, _, suffix = chat.name.rpartition(".")
                    if suffix in ("jsonl", "json") and (found := source(self.agent, prefix + name, chat)):
                        yield found

    def read(self, source: Source, resume: str | None) -> Reading | None:
        """A stub has a header and no messages: a session of which nothing was said yet."""
        if source.path.suffix == ".json":
            header = _old_record(source.path)
            old = _OldLog(header, resume)
            session = self._session(source, header, _first_prompt(old.messages))
            reduction = GeminiReduction(old, session.id, source.changed)
            return Reading(session, reduction.steps()) if string(header.get("sessionId")) else None
        header, prompt = _head(source.path)
        if not header:
            return None
        session, lines = self._session(source, header, prompt), Lines(source.path, resume)
        reduction = GeminiReduction(lines, session.id, source.changed, _undone(lines))
        return Reading(session, reduction.steps(), lines.complaints)

    def _session(self, source: Source, header: Record, prompt: str) -> Session:
        session = string(header.get("sessionId")) or source.path.stem
        cwd = self._project(source.key.partition("/")[0], header)
        machine = "siltstone" if INTERNAL in prompt else None
        if header.get("kind") == "subagent":
            machine = "subagent"
        return Session(self.agent, session, cwd, machine=machine)

    def _project(self, slug: str, header: Record) -> str:
        """The project's path; "" when it is not known."""
        named = head(self.root / "tmp" / slug / ".project_root").decode("utf-8", "replace").strip()
        if named:
            return named
        registry = loads(head(self.root / "projects.json").replace(b"\n", b" ")) or {}
        hashes = (string(header.get("projectHash")), slug)
        for path, known in obj(registry.get("projects")).items():
            if known == slug or sha256(path.encode("utf-8", "replace")).hexdigest() in hashes:
                return path
        return next((string(path) for path in items(header.get("directories"))), "")


def _head(path: Path) -> tuple[Record, str]:
    """The header and the first prompt; either may be empty."""
    header: Record = {}
    for line, record, _ in Lines(path).records():
        if line.start > HEAD:
            break
        if record and not header and "projectHash" in record and string(record.get("sessionId")):
            header = record
        elif record and (prompt := _first_prompt([record])):
            return header, prompt
    return header, ""


def _first_prompt(records: list[Record]) -> str:
    users = (user_words(record) for record in records if record.get("type") == "user")
    return next((words.text for words in users if words and words.text), "")


def _undone(lines: Lines) -> list[tuple[int, int]]:
    """What `$rewindTo` took back: from the first record of that id up to the rewind itself."""
    if not lines.holds(_REWIND):
        return []
    rewinds = [(line, loads(line.raw) or {}) for line in lines if line.raw.startswith(_REWIND)]
    ends = [(target, line.start) for line, record in rewinds if (target := string(record.get("$rewindTo")))]
    wanted, starts = {target for target, _ in ends}, dict[str, int]()
    for line in Lines(lines.path):
        name = string((loads(line.raw) or {}).get("id")) if b'"id"' in line.raw else ""
        if name in wanted:
            starts.setdefault(name, line.start)
    return [(starts[target], end) for target, end in ends if target in starts]


# Older versions kept one JSON object, which they rewrote whole at each turn [R].


def _old_record(path: Path) -> Record:
    try:
        with opened(path) as file:
            raw = file.read(MAX_OLD + 1)
    except OSError as error:
        raise SourceError(f"{path} cannot be read ({why(error)}); check its permissions") from error
    if len(raw) > MAX_OLD:
        raise SourceError(f"{path} has over {MAX_OLD} bytes, too many for one JSON object; move it away")
    return loads(raw) or {}


class _OldLog(Log):
    """The messages of such an object, by number. They are read from the start each time: only what was
    filtered is not repeated."""

    def __init__(self, record: Record, resume: str | None) -> None:
        self.messages = [obj(message) for message in items(record.get("messages"))]
        number = (resume or "").removeprefix(_OLD_MARK)
        self.done = int(number) if number.isdecimal() and len(number) < 10 else 0

    def records(self) -> Iterator[tuple[Line, Record, str]]:
        for number, message in enumerate(self.messages):
            yield Line(number, number + 1, b""), message, ""

    def mark(self, line: Line, base: int | None = None, note: str = "") -> str:
        return f"{_OLD_MARK}{line.end}"
