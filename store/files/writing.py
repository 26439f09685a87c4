"""`write`: put a memory down, new or in place of what it said before (D7, D14, C32)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from siltstone.store import layout
from siltstone.store.by_name import exactly
from siltstone.store.entry import (
    DEFAULT_LIMIT,
    GLOBAL,
    TYPES,
    Change,
    Entry,
    Evidence,
    Stored,
    Type,
    body_mark,
)
from siltstone.store.errors import EntryError, Misuse
from siltstone.store.files import text
from siltstone.store.files.actor import Actor, changeable
from siltstone.store.files.reading import File
from siltstone.store.names import entry_path, place


@dataclass(frozen=True, slots=True)
class Note:
    """What shall be kept."""

    scope: str
    """ "global" or "projects/<slug>": where `name` is looked for, and where a new memory goes."""
    name: str
    """A name, a file name, or a path below the scope or the store; the file's name is made of it by code."""
    body: str
    type: Type | None = None
    """Of a new memory: else from a file name, else `user` in the global scope and `project` elsewhere."""
    description: str | None = None
    """None: what it was, or the new first line where it was the old one; else the name aloud (D14)."""
    hot: bool = False
    """A new memory stands in `system/`."""
    limit: int = DEFAULT_LIMIT
    """Of a new memory, in characters of body."""


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a `write` or an `edit`."""

    file: File
    created: bool
    redacted: bool
    """Something in it looked like a secret and was left out."""
    commit: str | None
    """None when it said all that already."""

    @property
    def waiting(self) -> bool:
        """An agent's own words: in the inbox, until the user accepts them (invariant 6)."""
        return self.file.path.startswith(f"{layout.INBOX}/")


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a note goes."""

    scope: str
    path: str
    type: Type
    name: str
    there: Stored | None = None
    """What stands at the path."""
    about: Stored | None = None
    """The memory that an agent's note, at a path of its own in the inbox, is a new text for."""


def write(actor: Actor, note: Note) -> Written:
    """Make a memory, or put a new body in place of its old one; in one commit with `Silt-Op: write`.

    What is written counts as the source `manual`, with this session as evidence. Secrets are left out.
    An agent's own words go to the inbox, as a new text for the memory of that name if there is one.
    Raises EntryError for a readonly or archived memory, Misuse for a name or text that will not do, also
    over the limit, StoreError for a path that leads elsewhere.
    """
    body = text.body(note.body)
    described = None if note.description is None else text.description(note.description)
    with actor.store.locked():
        actor.store.settle()
        spot = _spot(actor, note)
        there = None if spot.there is None else changeable(spot.there)
        told = None if described is None else described.text
        if there is not None and note.hot and not there.pinned:
            raise Misuse(f"{there.path} is cold; `silt promote` makes it hot.")
        entry = _entry(actor, note, spot, body.text, told)
        new = keep(actor, entry, there, spot, "write")
    redacted = body.redacted or (described is not None and described.redacted)
    return finish(actor, new, there is None, redacted)


@dataclass(frozen=True, slots=True)
class Kept:
    """What `keep` did."""

    stored: Stored
    changes: Sequence[Change]
    commit: str | None


def keep(actor: Actor, entry: Entry, there: Stored | None, spot: Spot, op: str) -> Kept:
    """Commit an entry at its place, under the lock; nothing when it says what stands there."""
    if there is not None and _says(there.entry) == _says(entry):
        return Kept(there, (), None)
    changes = [text.change(spot.path, entry, there), *actor.register(spot.scope)]
    commit = actor.commit(changes, op, f"{op} {entry.name}", says=True)
    return Kept(actor.store.read(spot.path), changes, commit)


def finish(actor: Actor, kept: Kept, created: bool, redacted: bool) -> Written:
    """What follows a commit, without the lock: derived files, and that this session knows the file."""
    file = File.of(kept.stored, actor.saw(kept.stored))
    if kept.commit is not None:
        actor.follow(kept.changes)
    return Written(file, created, redacted, kept.commit)


def waiting_spot(actor: Actor, entry: Entry) -> Spot:
    """A free place in the inbox for an agent's own version of an entry."""
    path = entry_path(layout.INBOX, entry.type, entry.name, actor.store.taken(layout.INBOX))
    return Spot(entry.scope, path, entry.type, entry.name)


def agents(entry: Entry, evidence: Evidence) -> Entry:
    """An entry as an agent's own claim: nothing proves it but what the agent said."""
    return replace(
        entry,
        source="manual",
        origin="assistant-inferred",
        created=evidence.at,
        updated=evidence.at,
        evidence=(evidence,),
        agrees_with=(),
    )


def _entry(actor: Actor, note: Note, spot: Spot, body: str, described: str | None) -> Entry:
    said = text.said(actor, body)
    old = spot.there or spot.about
    if old is None:
        line = described or text.first_line(body)
        name = spot.path.rpartition("/")[2].removesuffix(".md").removeprefix(f"{spot.type}-")
        limit = note.limit
        base = Entry(spot.scope, name, spot.type, line, body, "manual", "user-said", said.at, said.at)
        entry = replace(base, limit=limit, evidence=(said,))
    else:
        line = described or text.headline(old.entry, body)
        entry = replace(old.entry, body=body, source="manual", description=line)
        entry = replace(text.with_evidence(entry, said), origin="user-said")
    if spot.about is not None:
        entry = replace(entry, replaces=body_mark(spot.about.entry.body))
    return agents(entry, said) if actor.by == "agent" else entry


def _says(entry: Entry) -> tuple[str, str]:
    return entry.body, entry.description


def _spot(actor: Actor, note: Note) -> Spot:
    """Where the note goes; an agent's never in place of what stands in a scope."""
    spot = _by_path(actor, note) if "/" in note.name or "\\" in note.name else _by_name(actor, note)
    is_waiting = spot.there is not None and spot.there.path.startswith(f"{layout.INBOX}/")
    if actor.by == "user" or is_waiting:
        return spot
    if spot.there is not None:
        changeable(spot.there)
    path = entry_path(layout.INBOX, spot.type, spot.name, actor.store.taken(layout.INBOX))
    return replace(spot, path=path, there=None, about=spot.there)


def _by_name(actor: Actor, note: Note) -> Spot:
    store = actor.store
    waiting = [s for s in store.inbox() if s.entry.scope == note.scope] if actor.by == "agent" else []
    for entries in (waiting, store.entries(note.scope)):
        found = [s for s in exactly(entries, note.name) if note.type in (None, s.entry.type)]
        if len(found) > 1:
            paths = ", ".join(stored.path for stored in found[:6])
            raise Misuse(f"{note.name!r} may be {len(found)} memories: {paths}; give the path of one.")
        if found:
            return _there(found[0])
    stem = note.name.removesuffix(".md")
    head, _, rest = stem.partition("-")
    named = next((known for known in TYPES if known == head and rest), None)
    is_file = named is not None and note.type in (None, named)
    return _new(actor, note.scope, named if is_file else note.type, rest if is_file else stem, note.hot)


def _by_path(actor: Actor, note: Note) -> Spot:
    path = note.name if note.name.endswith(".md") else f"{note.name}.md"
    folder, _, rest = path.partition("/")
    if folder in TYPES and "/" not in rest:
        path = f"{folder}-{rest}"  # `reference/docs.md`, as memfs has it
    if not path.startswith((f"{GLOBAL}/", f"{layout.PROJECTS}/", f"{layout.INBOX}/")):
        path = f"{note.scope}/{path}"
    if not layout.is_place(path):
        raise Misuse(f"{path[: layout.MAX_PART]!r} is no place for a memory; give a name, or SCOPE/NAME.")
    at = layout.check(actor.store.root, path)
    where = place(path)
    if where is None or where.kind == "archived" or (where.kind == "inbox" and not at.exists()):
        raise EntryError(f"{path} is no place to write to: memories are written to a scope or its system/")
    if at.exists():
        return _there(actor.store.read(path))
    scope = where.scope or note.scope
    if scope != note.scope and scope not in actor.store.scopes():
        raise Misuse(f"there is no scope {scope!r} in the store; `silt list` shows what is.")
    named = next((known for known in TYPES if known == where.type), None)
    return _new(actor, scope, named or note.type, where.name, note.hot or where.kind == "pinned")


def _there(stored: Stored) -> Spot:
    return Spot(stored.entry.scope, stored.path, stored.entry.type, stored.entry.name, stored)


def _new(actor: Actor, scope: str, type: Type | None, wanted: str, hot: bool) -> Spot:
    """A place for a new memory; raises EntryError when a file that cannot be shown is in it."""
    name = text.name(wanted)
    type = type or ("user" if scope == GLOBAL else "project")
    folders = (scope, f"{scope}/{layout.SYSTEM}")
    taken = {path.casefold(): path for path in actor.store.taken(scope)}
    paths = [entry_path(folder, type, name, ()) for folder in folders]
    for path in paths:
        if path.casefold() in taken:
            return _there(actor.store.read(taken[path.casefold()]))
    return Spot(scope, paths[1] if hot else paths[0], type, name)
