"""MEMORY.md and the other derived files: one line a memory, bodies are read on demand (C1, C7–C9, C22, D4).

They are written anew after every pass, without a model. The same store gives the same bytes
(invariant 12): nothing in them depends on the clock or the machine, and entries stand in order of path.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from siltstone import __version__
from siltstone.recall import escape
from siltstone.store import layout
from siltstone.store.conflicts import PATH, Section
from siltstone.store.disk import Disk
from siltstone.store.entry import GLOBAL, UNDATED, Snapshot, Stored, Type
from siltstone.store.errors import cannot_write
from siltstone.store.identity import Identity
from siltstone.store.intent import hash_of
from siltstone.store.names import scope_of_path, title
from siltstone.store.projects import Projects

PROTOCOL = "PROTOCOL.md"
REGISTRY = "projects.md"
HEADINGS: dict[Type, str] = {
    "user": "The user",
    "feedback": "How to work",
    "decision": "Decisions",
    "project": "Facts",
    "reference": "Where to find things",
}
MAX_LINES = 300
"""Memories in one index, the latest, so that no agent is made to read a book."""
_LONGEST = 1_000
"""Longest description or title, in characters. Only hand-written ones are longer."""
_NOTICE = "<!-- Written by Siltstone from the files beside it: edit those, changes here are lost. -->"
_EVERYWHERE = f"Projects: [{REGISTRY}]({REGISTRY}). How memories are kept: [{PROTOCOL}]({PROTOCOL})."
_PROJECT = (
    f"What holds everywhere: [{layout.INDEX}](../../{layout.INDEX}). "
    f"How memories are kept: [{PROTOCOL}](../../{PROTOCOL})."
)


class Indexed(NamedTuple):
    """What the index of a scope was written from."""

    mark: str
    """Tells these entries, and this program, from others."""
    entries: int
    latest: str
    """The date of its newest evidence; "never" without one."""
    file: str
    """Hash of the index."""


def rebuild(
    root: Path,
    snapshot: Snapshot,
    conflicts: Sequence[Section],
    protocol: str,
    disk: Disk,
    indexed: dict[str, Indexed] | None = None,
) -> list[str]:
    """Bring every derived file up to date; returns the paths written or removed.

    `protocol` is the text of PROTOCOL.md. `indexed` tells by scope what was written last, and is brought
    up to date: only the memories of scopes that changed since are read. A file that is right is not
    touched. A project without memories has no index. Raises StoreError when the disk refuses.
    """
    indexed = {} if indexed is None else indexed
    paths: dict[str, list[str]] = defaultdict(list)
    for path in sorted(snapshot.hashes):
        paths[scope_of_path(path)].append(path)
    scopes = layout.scopes(root)
    for gone in indexed.keys() - {scope for scope in scopes if paths[scope]}:
        del indexed[gone]
    try:
        written = []
        for scope in scopes:
            file = _index_file(scope)
            at, known = layout.inside(root, file), indexed.get(scope)
            if not paths[scope] and scope != GLOBAL:
                if at.is_file():
                    disk.unlink(at)
                    disk.rmdir(at.parent)
                    written.append(file)
                continue
            told = [__version__, str(len(_touching(scope, conflicts)))]
            told += [*paths[scope], *map(snapshot.hashes.__getitem__, paths[scope])]
            mark = hash_of("\n".join(told).encode("utf-8", "surrogateescape"))
            if known and known.mark == mark and at.is_file() and hash_of(at.read_bytes()) == known.file:
                continue
            entries = snapshot.read(paths[scope])
            data = index(scope, entries, conflicts).encode()
            latest = max((one.entry.updated for one in entries), default=UNDATED)
            seen = latest.date().isoformat() if latest > UNDATED else "never"
            indexed[scope] = Indexed(mark, len(entries), seen, hash_of(data))
            written += [file] if _write(root, file, data, disk) else []
        derived = {REGISTRY: registry(indexed, Projects(root).known()), PROTOCOL: protocol}
        return written + [path for path, text in derived.items() if _write(root, path, text.encode(), disk)]
    except OSError as error:
        raise cannot_write(root, error) from error


def _index_file(scope: str) -> str:
    return layout.INDEX if scope == GLOBAL else f"{scope}/{layout.INDEX}"


def _touching(scope: str, conflicts: Sequence[Section]) -> list[Section]:
    """The conflicts that the banner of a scope's index counts."""
    return [
        one
        for one in conflicts
        if scope == GLOBAL or any(side.path.startswith(f"{scope}/") for side in one.sides)
    ]


def index(scope: str, entries: Sequence[Stored], conflicts: Sequence[Section]) -> str:
    """MEMORY.md of one scope: pinned entries in full, the others a line each, by type.

    The banner of the global index counts all conflicts, that of a project its own.
    """
    name = "everywhere" if scope == GLOBAL else scope.rpartition("/")[2]
    mine = len(_touching(scope, conflicts))
    banner = f"{mine} conflict{'' if mine == 1 else 's'}: see {PATH}" if mine else ""
    ordered = sorted(entries, key=lambda one: one.path)
    parts = [f"# Memory: {name}", _NOTICE, banner, _EVERYWHERE if scope == GLOBAL else _PROJECT]
    for one in ordered:
        if one.pinned:
            text = f"{escape.line(one.entry.description, _LONGEST)}\n\n{one.entry.body}"
            shown = "\n".join(escape.lines(text, _LONGEST + one.entry.limit))
            parts.append(f"## {_link(one, scope)}\n{shown}".rstrip())
    loose = [one for one in ordered if not one.pinned]
    newest = sorted(loose, key=lambda one: one.entry.updated, reverse=True)[:MAX_LINES]
    listed = {one.path for one in newest}
    for type, heading in HEADINGS.items():
        lines = [line(one, scope) for one in loose if one.entry.type == type and one.path in listed]
        if lines:
            parts.append(f"## {heading}\n" + "\n".join(lines))
    if older := len(loose) - len(newest):
        parts.append(f"And {older:,} older: `silt list` shows them, `silt search WORDS` finds them.")
    if not ordered:
        parts.append("Nothing is remembered yet.")
    return "\n\n".join(filter(None, parts)) + "\n"


def line(one: Stored, scope: str) -> str:
    """`- [Title](file.md) — description`, with the link as seen from the scope's index (C7)."""
    return f"- {_link(one, scope)} — {escape.line(one.entry.description, _LONGEST)}"


def registry(indexed: Mapping[str, Indexed], known: Mapping[str, Sequence[Identity]]) -> str:
    """projects.md: each project's name, its folders, and the date of its newest evidence (D4)."""
    rows = []
    for scope in sorted({*known, *(scope for scope in indexed if scope != GLOBAL)}):
        name = scope.rpartition("/")[2].replace("|", "\\|")
        name = f"[{name}]({_target(_index_file(scope))})" if scope in indexed else name
        places = [one.value for one in known.get(scope, ()) if one.kind == "path"]
        where = "<br>".join(sorted(places)).replace("|", "\\|") or "unknown"
        count, seen = (indexed[scope].entries, indexed[scope].latest) if scope in indexed else (0, "never")
        rows.append(f"| {name} | {where} | {count} | {seen} |")
    table = ["| Project | Where | Memories | Last seen |", "|---|---|---|---|", *rows]
    return "\n\n".join(["# Projects", _NOTICE, "\n".join(table) if rows else "No project yet."]) + "\n"


def _link(one: Stored, scope: str) -> str:
    base = "" if scope == GLOBAL else f"{scope}/"
    name = escape.line(title(one.entry.name), _LONGEST).replace("[", "\\[").replace("]", "\\]")
    return f"[{name}]({_target(one.path.removeprefix(base))})"


def _target(path: str) -> str:
    """A link's target. One with spaces or brackets, as in hand-made files, needs angle brackets."""
    return f"<{path}>" if any(char in path for char in " ()") else path


def _write(root: Path, path: str, data: bytes, disk: Disk) -> bool:
    at = layout.inside(root, path)
    if at.is_file() and at.read_bytes() == data:
        return False
    disk.write(at, data)
    return True
