"""Taking back a run with a new commit: what nobody touched since is restored (invariant 10)."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from siltstone.store import commits
from siltstone.store.annals import UNDO
from siltstone.store.entry import Change, Delete, Write
from siltstone.store.errors import Misuse
from siltstone.store.history import Run, runs
from siltstone.store.intent import hash_of
from siltstone.store.settle import found
from siltstone.store.store import Store


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo did."""

    run: str
    restored: tuple[str, ...]
    """Paths that are as they were before the run."""
    left: tuple[str, ...]
    """Paths that changed since the run, or cannot be written as they were: nothing was done to them."""
    commit: str | None
    """The new commit; None when there was nothing to restore."""


def undo(store: Store, run: str | None, clock: Callable[[], datetime]) -> Undone:
    """Restore every file a run changed to what it was before, in one new commit.

    `run` is a Silt-Run or the short id of a commit that belongs to none; None means the latest run that
    has not been undone and is no undo itself. Takes the store's lock. Watermarks stay where they are:
    what was undone is not read again by itself. Raises Misuse when there is no such run.
    """
    with store.locked():
        store.settle()
        chosen = _choose(runs(store), run)
        before, after = _around(chosen)
        contents = store.git.blobs([blob for blob in (*before.values(), *after.values()) if blob])
        changes: list[Change] = []
        left = []
        for path in sorted(after):
            old, new = (contents[blob] if blob else None for blob in (before[path], after[path]))
            now = found(store.root / path)
            change = _change(path, old, new) if now == hash_of(new) else None
            if change is not None:
                changes.append(change)
            elif now != hash_of(old):
                left.append(path)
        if not changes:
            return Undone(chosen.id, (), tuple(left), None)
        trailers = [(commits.OP, UNDO), (commits.UNDOES, chosen.id)]
        subject = f"memory: undo run {chosen.id}"
        commit = store.apply(changes, subject, trailers, when=clock())
        return Undone(chosen.id, tuple(change.path for change in changes), tuple(left), commit)


def _choose(known: list[Run], run: str | None) -> Run:
    if run is None:
        open_runs = [r for r in known if not r.undone and r.ops != (UNDO,)]
        if not open_runs:
            raise Misuse("there is nothing to undo: no run has changed this store since the last undo")
        return open_runs[0]
    named = [r for r in known if r.id == run]
    if not named:
        raise Misuse(f"there is no run {run[:40]!r} in this store: `silt log` shows them")
    return named[0]


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
    """The change from `new` back to `old`; None when there is none, or it cannot be written as text."""
    if old == new:
        return None
    if old is None:
        return Delete(path, hash_of(new))
    try:
        return Write(path, old.decode("utf-8"), None if new is None else hash_of(new))
    except UnicodeDecodeError:
        return None
