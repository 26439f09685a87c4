"""Memories of other systems, imported by the user (`silt import`).

    workspace-memory.json     entries of OpenCode Working Memory (docs/seeds.md A4)
    a folder of notes         <type>-<name>.md (C2), Claude Code's own memory folder (docs/transcripts.md)
    a memfs folder            global/ and projects/<name>/ with hot and cold files (D1, D2)

What is read goes through redaction and the gate, and merge does the rest.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, cast

from siltstone.pipeline.candidate import MAX_DESCRIPTION, Candidate, Judged, Verdict
from siltstone.pipeline.proof.gate import gate, only_secret, only_tags
from siltstone.store.entry import GLOBAL, IMPORTANCES, TYPES, UNDATED, Evidence, Origin, Source, Type
from siltstone.store.entry_form import instant
from siltstone.store.errors import EntryError, Misuse, SourceError
from siltstone.store.frontmatter import parse
from siltstone.store.redaction import redact

AGENT = "import"
MAX_BYTES = 20_000_000
"""Of a memory JSON; a note is read up to a twentieth of it."""
MAX_DEPTH = 6
MAX_QUOTE = 500

_SOURCES: Mapping[str, Source] = {"explicit": "explicit", "compaction": "extraction"}
"""Of a workspace memory; anything else was written by hand. What a machine found keeps that source (A6)."""

_DERIVED = frozenset({"memory.md", "_conflicts.md", "projects.md", "protocol.md", "readme.md"})
"""Indexes and registries, made from the memories beside them."""


@dataclass(slots=True)
class Imported:
    items: list[Judged] = field(default_factory=list)
    """Evidence: agent "import"; session = the file or folder named; message = the entry's id or the note's
    path."""
    skipped: Counter[str] = field(default_factory=Counter)
    """By reason: "superseded", "derived", "empty", "too-large", "link", "no-file"."""
    complaints: list[str] = field(default_factory=list)


def read(path: Path) -> Imported:
    """Everything importable at a file or folder. Raises SourceError when there is nothing to read."""
    found = Imported()
    try:
        if path.is_dir():
            _folder(path, found)
        elif path.exists() and not path.is_file():  # a pipe would never end
            raise SourceError(f"{path} is neither a file nor a folder; give a folder of notes or one file.")
        elif path.stat().st_size > MAX_BYTES:
            raise SourceError(f"{path} is larger than {MAX_BYTES:,} bytes; it is not a memory file.")
        elif path.suffix == ".md":
            _note(path, path.name, path.parent.name or path.name, found)
        else:
            _workspace(path, found)
    except OSError as error:
        file = error.filename or path
        raise SourceError(f"{file} cannot be read ({error.strerror}); check the path.") from None
    return found


def _judge(candidate: Candidate, evidence: Evidence, origin: Origin, found: Imported) -> None:
    """Secrets out, then the gate; what the user saved on purpose there skips most of it here too.

    What is refused counts as rejected; nothing is quarantined, for the user chose to import it.
    """
    candidate = replace(
        candidate,
        name=redact(candidate.name).text,
        description=redact(candidate.description).text,
        body=redact(candidate.body).text,
    )
    proof = (evidence._replace(quote=redact(evidence.quote).text),)
    reason = gate(candidate.type, candidate.claim, candidate.source)
    if only_secret(candidate.body):
        reason = "only-secret"
    elif only_tags(candidate.body):
        reason = "only-tags"
    verdict = Verdict("reject" if reason else "accept", reason or "accepted", origin, proof)
    found.items.append(Judged(candidate, verdict))


def _workspace(path: Path, found: Imported) -> None:
    try:
        data: object = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise SourceError(f"{path} is not JSON; give a workspace-memory.json or a folder of notes.") from None
    entries = data.get("entries") if isinstance(data, dict) else None
    if not isinstance(entries, list):
        raise SourceError(f"{path} does not contain a list of entries; give a workspace-memory.json.")
    for number, raw in enumerate(entries, 1):
        _workspace_entry(path.name, number, raw, found)


def _workspace_entry(file: str, number: int, raw: object, found: Imported) -> None:
    text = raw.get("text") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(text, str):
        found.complaints.append(f"{file}, entry {number}: has no text; it was left out")
        return
    # JSON may spell lone surrogates, which no file can hold.
    text = text.encode("utf-8", "replace").decode("utf-8").strip()
    if not text or raw.get("status", "active") != "active":
        found.skipped["superseded" if text else "empty"] += 1
        return
    kind = raw.get("type")
    type_ = cast(Type, kind) if kind in TYPES else "project"
    times = (_time(raw.get(key)) for key in ("retentionClock", "updatedAt", "createdAt"))
    at = next((time for time in times if time), UNDATED)
    source = _SOURCES.get(str(raw.get("source")), "manual")
    weight = raw.get("userImportance") or raw.get("importance")
    importance = next((one for one in IMPORTANCES if one == weight), None)
    origin: Origin = "assistant-inferred" if raw.get("source") == "compaction" else "user-said"
    name = " ".join(text.split()[:6])
    message = str(raw.get("id") or number)
    candidate = Candidate(
        "create", type_, "project", name, text, text, (), source=source, importance=importance
    )
    _judge(candidate, Evidence(at, AGENT, file, message, text[:MAX_QUOTE]), origin, found)


def _folder(root: Path, found: Imported) -> None:
    for path in _notes(root, MAX_DEPTH, found):
        _note(path, path.relative_to(root).as_posix(), root.name, found)
    if not found.items and not found.complaints and not set(found.skipped) - {"link"}:
        raise Misuse(f"{root} contains no notes (*.md); give the folder that does.")


def _notes(folder: Path, depth: int, found: Imported) -> Iterator[Path]:
    for item in sorted(folder.iterdir()):
        if item.name.startswith("."):
            continue
        if item.is_symlink():
            found.skipped["link"] += 1
        elif item.is_dir() and depth:
            yield from _notes(item, depth - 1, found)
        elif item.suffix == ".md" and item.name.lower() in _DERIVED:
            found.skipped["derived"] += 1
        elif item.suffix == ".md" and item.stat().st_size > MAX_BYTES // 20:
            found.skipped["too-large"] += 1
        elif item.suffix == ".md" and not item.is_file():  # a pipe would never end
            found.skipped["no-file"] += 1
        elif item.suffix == ".md":
            yield item


def _note(path: Path, relative: str, session: str, found: Imported) -> None:
    text = path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
    everywhere = relative.startswith("global/")
    try:
        entry = parse(f"{GLOBAL if everywhere else 'projects/import'}/{path.name}", text)
    except EntryError as error:
        found.complaints.append(f"{relative} was left out: {error}")
        return
    description, body, at = entry.description, entry.body.strip() or entry.description, entry.updated
    if description.lower() == entry.name.replace("-", " "):  # its name, for want of any other
        if not entry.body.strip():
            found.skipped["empty"] += 1
            return
        description = " ".join(body.splitlines()[0].lstrip("#").split())[:MAX_DESCRIPTION]
    if at == UNDATED:
        at = datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
    scope: Literal["global", "project"] = "global" if everywhere or entry.type == "user" else "project"
    told = entry.type, scope, entry.name, description, body, (), None, entry.topic, entry.source
    candidate = Candidate("create", *told, entry.importance)
    evidence = Evidence(at, AGENT, session, relative, body[:MAX_QUOTE])
    origin: Origin = "assistant-inferred" if "originSessionId:" in text[:2000] else entry.origin
    _judge(candidate, evidence, origin, found)


def _time(value: object) -> datetime | None:
    """ISO text or milliseconds since 1970."""
    try:
        if isinstance(value, str):
            return instant(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000, UTC).replace(microsecond=0)
    except (ValueError, OverflowError, OSError):
        return None
    return None
