"""One pass of ours over the work tree: planned, written down as an intent, done, committed (invariant 3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from siltstone.store import intent, layout
from siltstone.store.entry import Change, Delete
from siltstone.store.errors import Stale, StoreError
from siltstone.store.git import Git
from siltstone.store.recovery import INTENT, found, prune


@dataclass(frozen=True, slots=True)
class Planned:
    """What a pass will do."""

    intent: intent.Intent
    new: Mapping[str, bytes | None]
    """Content of each path afterwards; None for no file."""


def plan(root: Path, changes: Sequence[Change], run: str) -> Planned:
    """What `changes` come to, each checked against the hash it was decided on.

    Raises Stale naming those that no longer fit, StoreError for a path where no memory may stand.
    """
    new = {change.path: _bytes(change) for change in changes}
    if len(new) != len(changes):
        raise ValueError("two changes of one pass touch the same path")
    old = {path: found(_place(root, path, data)) for path, data in new.items()}
    stale = tuple(sorted(c.path for c in changes if old[c.path] != (c.expected or intent.GONE)))
    if stale:
        raise Stale(f"{', '.join(stale[:3])} changed meanwhile: nothing was written, run this again", stale)
    paths = {path: (old[path], intent.hash_of(data)) for path, data in new.items()}
    return Planned(intent.Intent(run, paths), new)


def carry_out(git: Git, planned: Planned, message: str, when: datetime) -> str:
    """Write and commit; the commit's id. A fault on the way leaves the intent for the next `settle`.

    Raises StoreError when the disk refuses.
    """
    try:
        if planned.new:
            intent.write(git.dir / INTENT, planned.intent, git.disk)
        commit = _commit(git, planned.new, message, when)
        git.disk.unlink(git.dir / INTENT)
    except OSError as error:
        raise cannot_write(git.root, error) from error
    return commit


def _commit(git: Git, new: Mapping[str, bytes | None], message: str, when: datetime) -> str:
    gone = [path for path, data in new.items() if data is None]
    known = git.tracked(gone)
    for path, data in new.items():
        if data is not None:
            git.disk.write(git.root / path, data)
        else:
            git.disk.unlink(git.root / path)
            prune(git, path)
    return git.commit([p for p in new if p not in gone or p in known], message, when)


def cannot_write(root: Path, error: OSError) -> StoreError:
    """What an OSError on the way means to a person: nothing is lost, and what to do."""
    named = (error.filename2, error.filename)  # of a rename the second is the file that was meant
    where = next((name for name in named if isinstance(name, str)), root)
    return StoreError(
        f"{where} cannot be written ({error.strerror or error}): nothing is lost, free some space or make it "
        "writable and run this again"
    )


def _place(root: Path, path: str, data: bytes | None) -> Path:
    # What is already there may go whatever it is called; what comes must stand where memories stand.
    return layout.inside(root, path) if data is None else layout.check(root, path)


def _bytes(change: Change) -> bytes | None:
    if isinstance(change, Delete):
        return None
    # A lone surrogate out of a transcript has no UTF-8: it becomes "?".
    return change.text.encode("utf-8", "replace")
