"""MEMORY.md and the other derived files: one line a memory, bodies are read on demand (C1, C7–C9, C22, D4).

They are written anew after every pass, without a model. The same store gives the same bytes
(invariant 12): nothing in them depends on the clock or the machine, and entries stand in order of path.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from siltstone.recall import escape
from siltstone.store import layout
from siltstone.store.conflicts import Section, banner
from siltstone.store.disk import Disk
from siltstone.store.entry import GLOBAL, Stored, Type
from siltstone.store.frontmatter import UNDATED
from siltstone.store.identity import Identity
from siltstone.store.names import title
from siltstone.store.projects import Projects
from siltstone.store.writing import cannot_write

PROTOCOL = "PROTOCOL.md"
REGISTRY = "projects.md"
HEADINGS: dict[Type, str] = {
    "user": "The user",
    "feedback": "How to work",
    "decision": "Decisions",
    "project": "Facts",
    "reference": "Where to find things",
}
_LONGEST = 1_000
"""Longest description or title, in characters. Only hand-written ones are longer."""
_NOTICE = "<!-- Written by Siltstone from the files beside it: edit those, changes here are lost. -->"
_EVERYWHERE = f"Projects: [{REGISTRY}]({REGISTRY}). How memories are kept: [{PROTOCOL}]({PROTOCOL})."
_PROJECT = (
    f"What holds everywhere: [{layout.INDEX}](../../{layout.INDEX}). "
    f"How memories are kept: [{PROTOCOL}](../../{PROTOCOL})."
)


def rebuild(
    root: Path, entries: Iterable[Stored], conflicts: Sequence[Section], protocol: str, disk: Disk
) -> list[str]:
    """Bring every derived file up to date; returns the paths written or removed.

    `entries` are all in force (`Store.entries()`: with pinned ones, without archive and inbox);
    `protocol` is the text of PROTOCOL.md. A file that is right is not touched. A project without
    memories has no index. Raises StoreError when the disk refuses.
    """
    by_scope: dict[str, list[Stored]] = defaultdict(list)
    for one in entries:
        by_scope[one.entry.scope].append(one)
    try:
        wanted = {
            layout.INDEX: index(GLOBAL, by_scope[GLOBAL], conflicts),
            REGISTRY: registry(by_scope, Projects.load(root).known()),
            PROTOCOL: protocol,
        }
        scopes = [scope for scope in layout.scopes(root) if scope != GLOBAL]
        for scope in scopes:
            if by_scope[scope]:
                wanted[f"{scope}/{layout.INDEX}"] = index(scope, by_scope[scope], conflicts)
        written = [path for path, text in wanted.items() if _write(root, path, text.encode(), disk)]
        stale = [f"{scope}/{layout.INDEX}" for scope in scopes if not by_scope[scope]]
        return written + [path for path in stale if _remove(root, path, disk)]
    except OSError as error:
        raise cannot_write(root, error) from error


def index(scope: str, entries: Sequence[Stored], conflicts: Sequence[Section]) -> str:
    """MEMORY.md of one scope: pinned entries in full, the others a line each, by type.

    The banner of the global index counts all conflicts, that of a project its own.
    """
    name = "everywhere" if scope == GLOBAL else scope.rpartition("/")[2]
    mine = [
        one
        for one in conflicts
        if scope == GLOBAL or any(side.path.startswith(f"{scope}/") for side in one.sides)
    ]
    ordered = sorted(entries, key=lambda one: one.path)
    parts = [f"# Memory: {name}", _NOTICE, banner(len(mine)), _EVERYWHERE if scope == GLOBAL else _PROJECT]
    parts += [_in_full(one, scope) for one in ordered if one.pinned]
    for type, heading in HEADINGS.items():
        lines = [line(one, scope) for one in ordered if one.entry.type == type and not one.pinned]
        if lines:
            parts.append(f"## {heading}\n" + "\n".join(lines))
    if not ordered:
        parts.append("Nothing is remembered yet.")
    return "\n\n".join(filter(None, parts)) + "\n"


def line(one: Stored, scope: str) -> str:
    """`- [Title](file.md) — description`, with the link as seen from the scope's index (C7)."""
    return f"- {_link(one, scope)} — {escape.line(one.entry.description, _LONGEST)}"


def registry(by_scope: Mapping[str, Sequence[Stored]], known: Mapping[str, Sequence[Identity]]) -> str:
    """projects.md: each project's name, its folders, and the date of its newest evidence (D4)."""
    rows = []
    for scope in sorted({*known, *(scope for scope in by_scope if scope != GLOBAL)}):
        entries = by_scope.get(scope, ())
        name = _cell(scope.rpartition("/")[2])
        name = f"[{name}]({_target(f'{scope}/{layout.INDEX}')})" if entries else name
        places = [one.value for one in known.get(scope, ()) if one.kind == "path"]
        where = "<br>".join(map(_cell, sorted(places))) or "unknown"
        latest = max((one.entry.updated for one in entries), default=UNDATED)
        seen = latest.date().isoformat() if latest > UNDATED else "never"
        rows.append(f"| {name} | {where} | {len(entries)} | {seen} |")
    table = ["| Project | Where | Memories | Last seen |", "|---|---|---|---|", *rows]
    return "\n\n".join(["# Projects", _NOTICE, "\n".join(table) if rows else "No project yet."]) + "\n"


def _in_full(one: Stored, scope: str) -> str:
    description = escape.line(one.entry.description, _LONGEST)
    text = "\n".join(escape.lines(f"{description}\n\n{one.entry.body}", _LONGEST + one.entry.limit))
    return f"## {_link(one, scope)}\n{text}".rstrip()


def _link(one: Stored, scope: str) -> str:
    base = "" if scope == GLOBAL else f"{scope}/"
    name = escape.line(title(one.entry.name), _LONGEST).replace("[", "\\[").replace("]", "\\]")
    return f"[{name}]({_target(one.path.removeprefix(base))})"


def _target(path: str) -> str:
    """A link's target. One with spaces or brackets, as in hand-made files, needs angle brackets."""
    return f"<{path}>" if any(char in path for char in " ()") else path


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _write(root: Path, path: str, data: bytes, disk: Disk) -> bool:
    at = layout.inside(root, path)
    if at.is_file() and at.read_bytes() == data:
        return False
    disk.write(at, data)
    return True


def _remove(root: Path, path: str, disk: Disk) -> bool:
    at = layout.inside(root, path)
    if not at.is_file():
        return False
    disk.unlink(at)
    disk.rmdir(at.parent)
    return True
