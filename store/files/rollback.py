"""`rollback`: one scope as it was at a commit, by a new commit (D12); `flush` commits edits now (D13)."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from siltstone.store import commits, layout
from siltstone.store.entry import Change, Delete, Write
from siltstone.store.entry_reader import read_old
from siltstone.store.errors import Misuse, RedactionError, StoreError
from siltstone.store.files.actor import Actor
from siltstone.store.files.moving import of_the_user
from siltstone.store.history_index import FORGET, body_hash
from siltstone.store.intent import hash_of
from siltstone.store.names import place
from siltstone.store.recovery import Settled, found
from siltstone.store.redaction import findings
from siltstone.store.store import Store
from siltstone.store.undo import change_back

ROLLBACK = "rollback"
_ID = re.compile(r"[0-9a-fA-F]{7,64}")
_BY_HAND = "changed by hand since"
_FORGOTTEN = "forgotten since"
_THEIRS = "the user put it there"

Left = tuple[tuple[str, str], ...]


class RolledBack(NamedTuple):
    scope: str
    target: str
    """The commit it went back to, in full."""
    restored: tuple[str, ...]
    """Paths that are as they were then, or gone because they were not there."""
    left: Left
    """Paths that nothing was done to, each with the reason."""
    commit: str | None
    """The new commit; None when there was nothing to do."""


def rollback(actor: Actor, scope: str, commit: str) -> RolledBack:
    """Bring the memories of one scope back to what they were at a commit, in one new commit.

    History stays. What the user changed since, what was forgotten since, and readonly files
    are left and listed, for an agent also what it may not delete (`delete`); other scopes, the inbox
    and `project.yaml` are not touched. `silt undo` takes a rollback back.

    Raises Misuse for a scope that is none and a commit that is not found.
    """
    with actor.store.locked():
        actor.store.settle()
        if scope not in actor.store.scopes():
            raise Misuse(f"there is no scope {scope!r} in the store; `silt list` shows what is.")
        git = actor.store.git
        target = git.commit_id(commit) if _ID.fullmatch(commit) else ""
        if not target or git.run("merge-base", target, "HEAD", ok=(0, 1)).decode().strip() != target:
            raise Misuse(f"the commit {commit[:64]!r} is not found in this store; `silt log` shows them.")
        changes, left = _changes(actor.store, scope, target)
        if actor.by == "agent":
            changes, left = _without_theirs(actor.store, scope, changes, left)
        if not changes:
            return RolledBack(scope, target, (), left, None)
        name = scope.rpartition("/")[2]
        made = actor.commit(changes, ROLLBACK, f"rollback to {target[:7]} ({name})")
    actor.follow()
    return RolledBack(scope, target, tuple(change.path for change in changes), left, made)


def flush(actor: Actor) -> Settled:
    """Commit the user's edits of files now, as theirs; what holds a secret stays out and is named.

    Raises Deferred in the middle of a merge or rebase.
    """
    with actor.store.locked():
        settled = actor.store.settle()
    actor.follow()
    return settled


def _changes(store: Store, scope: str, target: str) -> tuple[list[Change], Left]:
    then, now = (
        {path: id for path, id in store.git.files_of(at, f"{scope}/").items() if place(path)}
        for at in (target, "HEAD")
    )
    differ = sorted(path for path in {*then, *now} if then.get(path) != now.get(path))
    since, bodies = _since(store, scope, target)
    texts = store.git.blobs([files[path] for files in (then, now) for path in differ if path in files])
    kept = {body_hash(texts[then[path]]) for path in differ if path in then and then[path] in texts}
    changes: list[Change] = []
    left = []
    for path in differ:
        old, new = (texts.get(files.get(path, "")) for files in (then, now))
        why = since.get(path) or _why_not(store, path, old, new)
        if why is None and new is not None and body_hash(new) in bodies - kept:
            why = _BY_HAND
        if why is not None:
            left.append((path, why))
        else:
            changes.append(change_back(path, old, new))
    return changes, tuple(left)


def _since(store: Store, scope: str, target: str) -> tuple[Mapping[str, str], set[str]]:
    """What the user changed after the commit: path → why it is left, and every body they wrote."""
    left: dict[str, str] = {}
    blobs = []
    for commit in commits.read(store.git, f"{target}..HEAD", paths=[scope]):
        for touched in commit.touched:
            if commit.op is None:
                left[touched.path] = _BY_HAND
                blobs += [touched.new] if touched.new else []
            elif commit.op == FORGET and touched.new is None:
                left.setdefault(touched.path, _FORGOTTEN)
    return left, {body_hash(text) for text in store.git.blobs(blobs).values()}


def _why_not(store: Store, path: str, old: bytes | None, new: bytes | None) -> str | None:
    """Why a file cannot go from `new`, as HEAD has it, to `old`."""
    if found(store.root / path) != hash_of(new):
        return "not committed as it stands"
    entry = None if new is None else read_old(path, new)
    if entry is not None and entry.readonly:
        return "readonly"
    if old is None:
        return None
    try:
        layout.check(store.root, path)
        secret = findings(old.decode())
    except (StoreError, RedactionError, UnicodeDecodeError):
        return "cannot be written as it was"
    return "held a secret then" if secret else None


def _without_theirs(
    store: Store, scope: str, changes: Sequence[Change], left: Left
) -> tuple[list[Change], Left]:
    """The changes that take nothing away that the user put there. What only goes to another path stays."""
    theirs = {one.path: one for one in store.entries(scope, archived=True) if of_the_user(one)}
    come = {body_hash(change.text.encode()) for change in changes if isinstance(change, Write)}
    kept = {
        change.path
        for change in changes
        if change.path in theirs
        and not (isinstance(change, Delete) and body_hash(theirs[change.path].text.encode()) in come)
    }
    told = sorted([*left, *((path, _THEIRS) for path in kept)])
    return [change for change in changes if change.path not in kept], tuple(told)
