"""Taking back a run with a new commit: files that were not touched since are restored (invariant 10).

A file that a later run made others point to stays too, and is listed: taking it away would leave, say,
an archived memory "superseded by" nothing. Undoing that later run first takes back both.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import NamedTuple

from siltstone.store import commits, layout
from siltstone.store.commits import Commit
from siltstone.store.entry import Change, Delete, Entry, Stored, Write
from siltstone.store.entry_reader import read_old
from siltstone.store.errors import Misuse
from siltstone.store.history import Run, runs
from siltstone.store.history_index import SAVE, UNDO, body_of
from siltstone.store.intent import hash_of
from siltstone.store.names import place
from siltstone.store.recovery import found
from siltstone.store.store import Store

CHANGED = "it has changed since"
MIN_ID = 7
"""Characters from which a name may be the beginning of a commit's id, and not a run's number."""


class Undone(NamedTuple):
    run: str | None
    """None when there is no run that could be taken back."""
    of: tuple[Commit, ...] = ()
    """The commits of that run."""
    restored: tuple[str, ...] = ()
    """Paths that are as they were before the run."""
    left: tuple[tuple[str, str], ...] = ()
    """Paths of the run that nothing was done to, each with the reason."""
    commit: str | None = None
    """The new commit; None when there was nothing to restore."""


def undo(store: Store, run: str | None, clock: Callable[[], datetime], reread: bool = False) -> Undone:
    """Restore every file a run changed to what it was before, in one new commit.

    `run` is a Silt-Run, its number alone or the id of one of its commits; None means the latest run that
    has not been undone and is no undo itself. Takes the store's lock. Watermarks stay where they are: what
    was undone is not read again by itself. What the run saved on request may stand in a session that is
    still unread: it is saved again only when it is asked for again, or with `reread`.

    Raises Misuse when there is no run of that name, or several: two copies of a store may each have made a
    run 0005 before one pulled the other's.
    """
    with store.locked():
        store.settle()
        chosen = _choose(runs(store), run)
        if chosen is None:
            return Undone(None)
        standing = [*store.entries(archived=True), *store.inbox()]
        changes, left = _changes(store, chosen, standing)
        now = {stored.path: stored.entry for stored in standing}
        left |= _hold_back(changes, now)
        told = tuple(sorted(left.items()))
        if not changes:
            return Undone(chosen.id, chosen.commits, left=told)
        paths = sorted(changes)
        trailers = [(commits.OP, UNDO), (commits.UNDOES, chosen.id)]
        if SAVE in chosen.ops and not reread:
            trailers.append((commits.FORGETS, commits.SAVES))
        subject = f"memory: undo run {chosen.id}"
        commit = store.apply([changes[path] for path in paths], subject, trailers, when=clock())
        return Undone(chosen.id, chosen.commits, tuple(paths), told, commit)


def change_back(path: str, old: bytes | None, new: bytes | None) -> Change:
    """The change of a file that takes it from `new` back to `old`; None for no file.

    Raises UnicodeDecodeError when it cannot be written as text.
    """
    if old is None:
        return Delete(path, hash_of(new))
    return Write(path, old.decode("utf-8"), None if new is None else hash_of(new))


def _choose(known: list[Run], run: str | None) -> Run | None:
    if run is None:
        files = (r for r in known if any(commit.touched for commit in r.commits))
        return next((r for r in files if not r.undone and r.ops != (UNDO,)), None)
    named = [
        r
        for r in known
        if run in (r.id, r.id.partition("-")[0])
        or (len(run) >= MIN_ID and any(commit.id.startswith(run) for commit in r.commits))
    ]
    if len(named) > 1:
        listed = "; ".join(
            f"{r.id} of {r.at:%Y-%m-%d %H:%M} UTC (commit {r.commits[-1].id[:8]})" for r in named
        )
        raise Misuse(f"{len(named)} copies of this store made a run {run[:40]}: {listed}; name the commit")
    if not named:
        raise Misuse(f"there is no run {run[:40]!r} in this store: `silt log` shows them")
    return named[0]


def _changes(store: Store, run: Run, standing: list[Stored]) -> tuple[dict[str, Change], dict[str, str]]:
    """The changes, by path, that take the run back, and the paths left alone, with the reason."""
    before: dict[str, str | None] = {}
    after: dict[str, str | None] = {}
    for touched in (touched for commit in run.commits for touched in commit.touched):
        before.setdefault(touched.path, touched.old)
        after[touched.path] = touched.new
    contents = store.git.blobs([blob for blob in (*before.values(), *after.values()) if blob])
    # Where memories stand that the run may have made and a later one retired.
    archived = {body_of(s.text.encode("utf-8", "replace")): s.path for s in reversed(standing) if s.archived}
    changes: dict[str, Change] = {}
    left = {}
    for path in sorted(after):
        old, new = (contents[blob] if blob else None for blob in (before[path], after[path]))
        now = found(store.root / path)
        if old == new:
            continue
        if now == hash_of(new):
            try:
                changes[path] = change_back(path, old, new)
            except UnicodeDecodeError:
                left[path] = "what was there before is not text"
        elif now != hash_of(old):
            left[path] = CHANGED
        elif old is None and new is not None and body_of(new) in archived:
            left[path] = f"it has been moved to {archived[body_of(new)]} since"
    return changes, left


def _hold_back(changes: dict[str, Change], now: Mapping[str, Entry]) -> dict[str, str]:
    """Take out of `changes` what would leave a memory pointing to nothing, until none would."""
    held: dict[str, str] = {}
    while True:
        after = {path: entry for path, entry in now.items() if path not in changes}
        for path, change in changes.items():
            if isinstance(change, Write) and place(path) and (read := read_old(path, change.text.encode())):
                after[path] = read
        named = {
            other: path
            for path, entry in sorted(after.items())
            for other in (*entry.agrees_with, entry.superseded_by or "")
            if isinstance(changes.get(other), Delete)
        }
        if not named:
            break
        for path, by in named.items():
            del changes[path]
            held[path] = f"{by} has pointed to it since; undo the run that wrote that first"
    for path in [path for path in changes if path.endswith(f"/{layout.PROJECT_FILE}")]:
        folder = path.removesuffix(layout.PROJECT_FILE)
        if isinstance(changes[path], Delete) and any(other.startswith(folder) for other in after):
            del changes[path]
            held[path] = "memories are still next to it, and it says which project they belong to"
    return held
