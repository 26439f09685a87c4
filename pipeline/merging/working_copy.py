"""The part of the store that a merge works on, as it was read and as it shall be.

`View` is what was read under the lock. Every step of a merge changes a `WorkingCopy` of it.
`WorkingCopy.changes` gives the difference as file changes, each with the hash of the file it was decided on,
so that an edit made meanwhile is found (invariant 9). Nothing here does I/O.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from siltstone.store.conflicts import PATH as CONFLICTS
from siltstone.store.conflicts import Section, parse, render
from siltstone.store.entry import Change, Delete, Entry, Stored, TextFile, Write, relink
from siltstone.store.frontmatter import edit
from siltstone.store.frontmatter import render as render_entry
from siltstone.store.history import Tombstone
from siltstone.store.layout import INBOX
from siltstone.store.names import entry_path, in_inbox, stem


@dataclass(frozen=True, slots=True)
class View:
    """The store as merge sees it, read again under the lock (invariant 13)."""

    scope: str
    """Scope of the window: "global" or "projects/<slug>"."""
    now: datetime
    """Dates an entry that has no evidence."""
    current: Sequence[Stored] = ()
    """Live entries of the scope and of "global"."""
    archived: Sequence[Stored] = ()
    inbox: Sequence[Stored] = ()
    tombstones: Sequence[Tombstone] = ()
    purged: Collection[str] = ()
    """Hashes of the messages that a purged memory came from (store/state/purge.py)."""
    conflicts: TextFile | None = None
    """_CONFLICTS.md; None when there is no such file."""
    unreadable: Mapping[str, str] = field(default_factory=dict)
    """Texts of the files of the scope, of "global" and of the inbox that cannot be parsed, by path."""
    taken: Collection[str] = ()
    """Paths of further files there. No new entry takes their name."""
    shown: Mapping[int, str] = field(default_factory=dict)
    """Path of each entry that the model saw, by its number (invariant 5)."""


class WorkingCopy:
    def __init__(self, view: View) -> None:
        self.view = view
        self.stored = {s.path: s for s in (*view.current, *view.archived, *view.inbox)}
        self.live = {s.path: s.entry for s in view.current}
        self.archive = {s.path: s.entry for s in view.archived}
        self.inbox = {s.path: s.entry for s in view.inbox}
        self.sections: list[Section] = [] if view.conflicts is None else parse(view.conflicts.text)
        self.went: dict[str, str] = {}
        """New path of every entry that this merge moved, by its path before."""
        self._moved: dict[str, str] = {}
        """Former path of every moved file, by its new one: unknown keys and comments move with it."""

    def protected(self, path: str) -> bool:
        """Only the user may replace this body: it is readonly, enforced, pinned, or last changed by them."""
        stored, entry = self.stored.get(path), self.live[path]
        return (
            entry.readonly or entry.enforce or (stored is not None and (stored.user_written or stored.pinned))
        )

    def add(self, folder: str, entry: Entry) -> str:
        """Add an entry to "global", "projects/<slug>" or "inbox" under a free name; its path."""
        path = entry_path(folder, entry.type, entry.name, self._taken())
        name = stem(path).removeprefix(f"{entry.type}-")
        entries = self.inbox if folder == INBOX else self.live
        entries[path] = entry._replace(name=name)
        return path

    def retire(self, path: str, by: str | None, at: datetime | None) -> str:
        """Move a live entry to its scope's archive/, superseded by another; the new path.

        Links to it now point to its successor, except in bodies that only the user may change.
        """
        old = self.live.pop(path)
        target = entry_path(f"{old.scope}/archive", old.type, old.name, self._taken())
        self.archive[target] = old._replace(superseded_by=by, superseded_at=at)
        self._moved[target] = self._moved.pop(path, path)
        self.went[path] = target
        if by is not None:
            self.relink(old.scope, {old.name: self.live[by].name})
        return target

    def relink(self, scope: str, renamed: Mapping[str, str]) -> None:
        """Rewrite the links of a scope, except links to a name that some entry there still has."""
        names = {entry.name for entry in self.live.values() if entry.scope == scope}
        gone = {old: new for old, new in renamed.items() if old not in names and old != new}
        for path, entry in self.live.items():
            if gone and "[[" in entry.body and entry.scope == scope and not self.protected(path):
                self.live[path] = entry._replace(body=relink(entry.body, gone))

    def repoint(self, moved: Mapping[str, str]) -> None:
        """Let agrees_with and superseded_by name the survivor of a file that was merged into another."""
        for entries in (self.live, self.archive):
            for path, entry in entries.items() if moved else ():
                agrees = tuple(sorted({moved.get(other, other) for other in entry.agrees_with}))
                by = moved.get(entry.superseded_by or "", entry.superseded_by)
                if (by, set(agrees)) != (entry.superseded_by, set(entry.agrees_with)):
                    entries[path] = entry._replace(agrees_with=agrees, superseded_by=by)

    def changes(self) -> list[Change]:
        """Every file that differs from the view, sorted by path; _CONFLICTS.md with them."""
        wanted = {**self.live, **self.archive, **self.inbox}
        found: list[Change] = [
            Delete(path, stored.hash) for path, stored in self.stored.items() if path not in wanted
        ]
        for path, entry in wanted.items():
            before = self.stored.get(path)
            if before is None:
                origin = self.stored.get(self._moved.get(path, ""))
                waiting = in_inbox(path)
                text = render_entry(entry, inbox=waiting) if origin is None else edit(origin.text, entry)
                found.append(Write(path, text, None))
            elif before.entry != entry:
                found.append(Write(path, edit(before.text, entry, inbox=path in self.inbox), before.hash))
        found.extend(self._conflicts())
        return sorted(found, key=lambda change: change.path)

    def _conflicts(self) -> list[Change]:
        """The change of _CONFLICTS.md: a section closes when one of its sides is gone."""
        before, gone = self.view.conflicts, {s.path for s in self.view.current} - self.live.keys()
        kept = [s for s in self.sections if not any(side.path in gone for side in s.sides)]
        if kept == ([] if before is None else parse(before.text)):
            return []
        expected = None if before is None else before.hash
        if kept:
            return [Write(CONFLICTS, render(kept), expected)]
        return [Delete(CONFLICTS, expected)] if expected is not None else []

    def _taken(self) -> set[str]:
        return {*self.live, *self.archive, *self.inbox, *self.stored, *self.went, *self.view.taken}
