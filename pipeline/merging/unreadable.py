"""Files that cannot be parsed (conflict markers, broken frontmatter): no twin is written beside them.

Such a file may still hold the memory that a candidate is about. If its text holds the candidate's body,
the candidate is a duplicate. If it has the candidate's name or description, the candidate waits in the
inbox until the user has repaired the file (`inbox.release`).
"""

from collections.abc import Collection, Sequence

from siltstone.pipeline.canonical import canonical
from siltstone.pipeline.merging.working_copy import WorkingCopy
from siltstone.store.entry import GLOBAL, TYPES, Entry
from siltstone.store.layout import INBOX


def told_in(copy: WorkingCopy, entry: Entry) -> str | None:
    """Path of the unreadable file that holds the entry's body, line for line."""
    body = _lines(entry.body)
    for path, text in sorted(copy.view.unreadable.items()):
        folders = (entry.scope, GLOBAL, INBOX)
        if body and _is_in(path, folders) and _holds(_lines(text), body):
            return path
    return None


def in_the_way(copy: WorkingCopy, entry: Entry) -> str | None:
    """Path of the unreadable file of its scope that has the entry's name or description."""
    names = {f"{kind}-{entry.name}" for kind in TYPES} | {entry.name}
    told = {canonical(f"name: {entry.name}"), canonical(f"description: {entry.description}")}
    for path, text in sorted(copy.view.unreadable.items()):
        stem = path.rpartition("/")[2].removesuffix(".md").casefold()
        if _is_in(path, [entry.scope]) and (stem in names or not told.isdisjoint(_lines(text))):
            return path
    return None


def _is_in(path: str, folders: Collection[str]) -> bool:
    return any(path.startswith(f"{folder}/") for folder in folders)


def _lines(text: str) -> list[str]:
    """The lines of a text as they are compared, blank ones left out."""
    return [line for line in map(canonical, text.splitlines()) if line]


def _holds(lines: Sequence[str], wanted: Sequence[str]) -> bool:
    span = len(wanted)
    return any(list(lines[at : at + span]) == list(wanted) for at in range(len(lines) - span + 1))
