"""`silt promote`, `demote`, `forget`: a memory becomes hot, cold, or goes (D9, D10). `rollback`: one scope as
it was at a commit, by a new commit (D12). `flush` commits edits now (D13)."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from siltstone.store import commits, conflicts, layout
from siltstone.store.entry import Change, Delete, Stored, Write
from siltstone.store.entry_reader import read_old
from siltstone.store.errors import EntryError, Misuse, RedactionError, StoreError
from siltstone.store.files.actor import Actor, changeable, writable
from siltstone.store.files.writing import ask_to_forget
from siltstone.store.frontmatter import edit
from siltstone.store.history_index import FORGET, body_hash
from siltstone.store.intent import hash_of
from siltstone.store.names import in_inbox, place, stem
from siltstone.store.recovery import Settled, found
from siltstone.store.redaction import findings
from siltstone.store.store import Store
from siltstone.store.undo import change_back

_ID = re.compile(r"[0-9a-fA-F]{7,64}")
_BY_HAND = "changed by hand since"

Left = tuple[tuple[str, str], ...]


class Moved(NamedTuple):
    """A file that goes by another path now."""

    old: str
    new: str
    commit: str


def delete(actor: Actor, path: str) -> str | None:
    """Delete a memory and leave a tombstone, so that it is not learned again from what was said before.

    By a commit with `Silt-Op: forget`; history keeps it: `silt undo` brings it back. What the user said,
    wrote, imported or accepted is deleted by the user alone (invariant 9): an agent's call makes an inbox
    item that asks for it, and returns its path. Raises EntryError for a readonly one.
    """
    with actor.store.locked():
        actor.store.settle()
        stored = writable(actor.store.read(path))
        if actor.by == "agent" and of_the_user(stored):
            asked = ask_to_forget(actor, stored)
        else:
            asked = None
            actor.commit([Delete(path, stored.hash)], FORGET, f"forget {stored.entry.name}")
    if asked is None:
        actor.usage().forget([path])
    actor.follow()
    return asked


def of_the_user(stored: Stored) -> bool:
    """Whether the user said it or put it there. What waits in the inbox is an agent's claim."""
    told = stored.entry.source == "manual" or stored.entry.origin == "user-said"
    return stored.user_written or (told and not in_inbox(stored.path))


def move(actor: Actor, path: str, hot: bool) -> Moved:
    """Move a memory to `system/`, where agents are shown it whole, or back: `Silt-Op: promote`, `demote`.

    Its bytes and its history stay. Raises EntryError for one that is there already, readonly, archived or
    in the inbox, and when something stands where it would go.
    """
    with actor.store.locked():
        actor.store.settle()
        stored = changeable(actor.store.read(path))
        new = _destination(actor, stored, hot)
        changes: list[Change] = [Delete(path, stored.hash), Write(new, stored.text, None)]
        for one in actor.store.entries(archived=True):
            # What names the file in its frontmatter names its new path; a readonly file stays as it is.
            agrees = tuple(sorted(new if other == path else other for other in one.entry.agrees_with))
            by = new if one.entry.superseded_by == path else one.entry.superseded_by
            pointed = one.entry._replace(agrees_with=agrees, superseded_by=by)
            is_named = path in one.entry.agrees_with or by != one.entry.superseded_by
            if is_named and one.path != path and not one.entry.readonly:
                changes.append(Write(one.path, edit(one.text, pointed), one.hash))
        changes += _conflicts(actor, path, new)
        op = "promote" if hot else "demote"
        commit = actor.commit(changes, op, f"{op} {stored.entry.name}")
    actor.usage().moved(path, new)
    actor.follow()
    return Moved(path, new, commit)


def _destination(actor: Actor, stored: Stored, hot: bool) -> str:
    scope, file = stored.entry.scope, stored.path.rpartition("/")[2]
    if in_inbox(stored.path):
        raise EntryError(
            f"{stored.path} is not a memory until the user accepts it (`silt inbox accept {stem(file)}`); "
            "promote or demote it then"
        )
    if stored.pinned == hot:
        where = f"already in {scope}/{layout.SYSTEM}" if hot else f"not in {scope}/{layout.SYSTEM}"
        raise EntryError(f"{stored.path} is {where}: there is nothing to do")
    new = f"{scope}/{layout.SYSTEM}/{file}" if hot else f"{scope}/{file}"
    if new.casefold() in {path.casefold() for path in actor.store.taken(scope)}:
        raise EntryError(f"{new} is there already: edit that one, or forget one of the two")
    return new


def _conflicts(actor: Actor, old: str, new: str) -> list[Change]:
    """An open contradiction goes on being open under the new path."""
    before = actor.store.conflicts_file()
    sections = [] if before is None else conflicts.parse(before.text)
    if before is None or not any(side.path == old for section in sections for side in section.sides):
        return []
    moved = []
    for section in sections:
        one, other = (s._replace(path=new) if s.path == old else s for s in section.sides)
        id = conflicts.conflict_id(one.path, other.path)
        moved.append(section._replace(id=id, sides=(one, other)))
    return [Write(conflicts.PATH, conflicts.render(moved), before.hash)]


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
        made = actor.commit(changes, "rollback", f"rollback to {target[:7]} ({name})")
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
                left.setdefault(touched.path, "forgotten since")
    return left, {body_hash(text) for text in store.git.blobs(blobs).values()}


def _why_not(store: Store, path: str, old: bytes | None, new: bytes | None) -> str | None:
    """Why a file cannot go from `new`, as HEAD has it, to `old`."""
    if found(store.root / path) != hash_of(new):
        return "not committed as it is"
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
    return "contained a secret then" if secret else None


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
    told = sorted([*left, *((path, "the user put it there") for path in kept)])
    return [change for change in changes if change.path not in kept], tuple(told)
