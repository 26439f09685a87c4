"""Taking back a run with a new commit: files that were not touched since are restored (invariant 10).

A file that a later run made others point to stays too, and is listed: taking it away would leave, say,
an archived memory "superseded by" nothing. Undoing that later run first takes back both.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from siltstone.store import commits, layout
from siltstone.store.entry import GLOBAL, Change, Delete, Entry, Stored, Write, links
from siltstone.store.entry_reader import read_old
from siltstone.store.errors import Misuse
from siltstone.store.history import Run, runs
from siltstone.store.history_index import UNDO, body_of
from siltstone.store.intent import hash_of
from siltstone.store.names import place
from siltstone.store.recovery import found
from siltstone.store.store import Store

CHANGED = "it was changed since"


@dataclass(frozen=True, slots=True, order=True)
class Loose:
    """A memory that names another which is not there."""

    path: str
    what: str
    """The path it names, or for a link the name."""
    is_link: bool = False

    def __str__(self) -> str:
        named = f"[[{self.what}]]" if self.is_link else self.what
        return f"{self.path} names {named}, which is no longer there"


@dataclass(frozen=True, slots=True, order=True)
class Left:
    """A file of the run to which nothing was done."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo did."""

    run: str | None
    """None when there is no run that could be taken back."""
    restored: tuple[str, ...] = ()
    """Paths that are as they were before the run."""
    left: tuple[Left, ...] = ()
    """Files that changed or moved since the run, that others have pointed to since, or that cannot be
    written as they were."""
    loose: tuple[Loose, ...] = ()
    """What points nowhere now because of this undo."""
    commit: str | None = None
    """The new commit; None when there was nothing to restore."""


def undo(store: Store, run: str | None, clock: Callable[[], datetime]) -> Undone:
    """Restore every file a run changed to what it was before, in one new commit.

    `run` is a Silt-Run, its number alone or the id of one of its commits; None means the latest run that
    has not been undone and is no undo itself. Takes the store's lock. Watermarks stay where they are:
    what was undone is not read again by itself. Raises Misuse when there is no run of that name, or
    several: two copies of a store may each have made a run 0005 before one pulled the other's.
    """
    with store.locked():
        store.settle()
        chosen = _choose(runs(store), run)
        if chosen is None:
            return Undone(None)
        standing = [*store.entries(archived=True), *store.inbox()]
        changes, left = _sort(store, chosen, standing)
        now = {stored.path: stored.entry for stored in standing}
        left += _hold_back(store, changes, now)
        if not changes:
            return Undone(chosen.id, left=tuple(sorted(left)))
        pointless = _loose(_after(store, now, changes)) - _loose(now)
        trailers = [(commits.OP, UNDO), (commits.UNDOES, chosen.id)]
        made = [changes[path] for path in sorted(changes)]
        commit = store.apply(made, f"memory: undo run {chosen.id}", trailers, when=clock())
        return Undone(
            chosen.id, tuple(sorted(changes)), tuple(sorted(left)), tuple(sorted(pointless)), commit
        )


def _choose(known: list[Run], run: str | None) -> Run | None:
    if run is None:
        return next((r for r in known if not r.undone and r.ops != (UNDO,)), None)
    named = [r for r in known if r.is_called(run)]
    if len(named) > 1:
        listed = "; ".join(
            f"{r.id} of {r.at:%Y-%m-%d %H:%M} UTC (commit {r.commits[-1].id[:8]})" for r in named
        )
        raise Misuse(f"{len(named)} copies of this store made a run {run[:40]}: {listed}; name the commit")
    if not named:
        raise Misuse(f"there is no run {run[:40]!r} in this store: `silt log` shows them")
    return named[0]


def _sort(store: Store, run: Run, standing: list[Stored]) -> tuple[dict[str, Change], list[Left]]:
    """The changes, by path, that take the run back, and what stands in their way."""
    before, after = _around(run)
    contents = store.git.blobs([blob for blob in (*before.values(), *after.values()) if blob])
    changes: dict[str, Change] = {}
    left = []
    for path in sorted(after):
        old, new = (contents[blob] if blob else None for blob in (before[path], after[path]))
        now = found(store.root / path)
        if old == new:
            continue
        if now == hash_of(new):
            change = _change(path, old, new)
            if change is not None:
                changes[path] = change
            else:
                left.append(Left(path, "what stood there before is no text"))
        elif now != hash_of(old):
            left.append(Left(path, CHANGED))
        elif old is None and new is not None and (where := _moved(new, standing)):
            left.append(Left(path, f"it was moved to {where} since"))
    return changes, left


def _around(run: Run) -> tuple[dict[str, str | None], dict[str, str | None]]:
    """Path → object id before the run, and after it."""
    before: dict[str, str | None] = {}
    after: dict[str, str | None] = {}
    for commit in run.commits:
        for touched in commit.touched:
            before.setdefault(touched.path, touched.old)
            after[touched.path] = touched.new
    return before, after


def _change(path: str, old: bytes | None, new: bytes | None) -> Change | None:
    """The change from `new` back to `old`; None when it cannot be written as text."""
    if old is None:
        return Delete(path, hash_of(new))
    try:
        return Write(path, old.decode("utf-8"), None if new is None else hash_of(new))
    except UnicodeDecodeError:
        return None


def _moved(new: bytes, standing: list[Stored]) -> str | None:
    """Where in an archive a memory stands that the run made and a later one retired."""
    body = body_of(new)
    shelved = (s for s in standing if s.archived)
    return next((s.path for s in shelved if body_of(s.text.encode("utf-8", "replace")) == body), None)


def _hold_back(store: Store, changes: dict[str, Change], now: Mapping[str, Entry]) -> list[Left]:
    """Take out of `changes` what would leave a memory pointing to nothing, until none would."""
    held: list[Left] = []
    while True:
        after = _after(store, now, changes)
        named = {
            one.what: one.path
            for one in sorted(_loose(after))
            if not one.is_link and isinstance(changes.get(one.what), Delete)
        }
        if not named:
            break
        for path, by in named.items():
            del changes[path]
            held.append(Left(path, f"{by} has pointed to it since; undo the run that wrote that first"))
    for path in [path for path in changes if path.endswith(f"/{layout.PROJECT_FILE}")]:
        folder = path.removesuffix(layout.PROJECT_FILE)
        if isinstance(changes[path], Delete) and any(other.startswith(folder) for other in after):
            del changes[path]
            held.append(Left(path, "memories still stand beside it, and it says whose they are"))
    return held


def _after(store: Store, now: Mapping[str, Entry], changes: Mapping[str, Change]) -> dict[str, Entry]:
    """The entries as they would stand, by path."""
    after = {path: entry for path, entry in now.items() if path not in changes}
    for path, change in changes.items():
        entry = read_old(path, change.text.encode("utf-8", "replace")) if isinstance(change, Write) else None
        if entry is not None and place(path):
            after[path] = entry
    return after


def _loose(entries: Mapping[str, Entry]) -> set[Loose]:
    """Everything in these entries (by path) that names none of them.

    A link is a name of its own scope or of "global"; a path stands for itself.
    """
    names: dict[str, set[str]] = {}
    for path, entry in entries.items():
        stem = path.rpartition("/")[2].removesuffix(".md")
        names.setdefault(entry.scope, set()).update((entry.name, stem))
    found: set[Loose] = set()
    for path, entry in entries.items():
        named = {*entry.agrees_with, *([entry.superseded_by] if entry.superseded_by else [])}
        found |= {Loose(path, other) for other in named - entries.keys()}
        if "[[" in entry.body:
            known = names[entry.scope] | names.get(GLOBAL, set())
            found |= {Loose(path, name, is_link=True) for name in links(entry.body) - known}
    return found
