"""`silt promote`, `demote` and `forget`: a memory becomes hot, cold, or goes (D9, D10)."""

from typing import NamedTuple

from siltstone.store import conflicts, layout
from siltstone.store.entry import Change, Delete, Stored, Write
from siltstone.store.errors import EntryError
from siltstone.store.files.actor import Actor, changeable, writable
from siltstone.store.files.writing import ask_to_forget
from siltstone.store.frontmatter import edit
from siltstone.store.history_index import FORGET
from siltstone.store.names import in_inbox, stem


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
            f"{stored.path} is no memory until the user accepts it (`silt inbox accept {stem(file)}`); "
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
