"""`write`: put a memory down, new or in place of what it said before (D7, D14, C32); `edit`: replace one
exact, unique piece of a memory's text (D8)."""

from operator import attrgetter
from typing import NamedTuple

from siltstone.store import layout
from siltstone.store.entry import (
    DEFAULT_LIMIT,
    GLOBAL,
    TYPES,
    Entry,
    Evidence,
    Source,
    Stored,
    Type,
    body_mark,
)
from siltstone.store.errors import EntryError, Misuse, Stale
from siltstone.store.files import text
from siltstone.store.files.actor import Actor, changeable
from siltstone.store.files.reading import File
from siltstone.store.names import entry_path, exactly, in_inbox, only, place, stem

TOLD = 8
"""Lines that a refused edit names."""
_told = attrgetter("body", "description", "limit", "readonly")
_asks = attrgetter("scope", "type", "name", "body", "replaces")
"""What an item of the inbox is to change, and how."""


class Note(NamedTuple):
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
    limit: int | None = None
    """Characters of body that it may hold from now on; None: as many as before, or `default_limit`."""
    default_limit: int = DEFAULT_LIMIT
    """Of a new memory."""
    readonly: bool = False
    """From now on nothing of ours touches it."""


class Written(NamedTuple):
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
        return in_inbox(self.file.path)


class Spot(NamedTuple):
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
    body, redacted = text.body(note.body)
    line, cut = (None, False) if note.description is None else text.description(note.description)
    with actor.store.locked():
        actor.store.settle()
        is_path = "/" in note.name or "\\" in note.name
        spot = _by_path(actor, note) if is_path else _by_name(actor, note)
        spot = spot if actor.by == "user" else _for_agents(actor, spot)
        if spot.there is not None and note.hot and not changeable(spot.there).pinned:
            raise Misuse(f"{spot.there.path} is cold; `silt promote` makes it hot.")
        stored, commit = _keep(actor, _noted(actor, note, spot, body, line), spot, "write")
    return _finish(actor, stored, commit, spot.there is None, redacted or cut)


def edit(actor: Actor, path: str, old: str, new: str) -> Written:
    """Put `new` in place of `old`, which must stand in the body exactly once; `Silt-Op: edit`.

    An agent must have read a cold file in this session, unchanged since; hot ones are shown whole.
    An agent's edit of anything but an inbox item becomes an inbox item of its own (invariant 6).
    Raises EntryError when it was never read, is readonly or archived, or when `old` is not there or there
    several times; Stale when it changed since; Misuse for an empty or equal text and over the limit.
    """
    old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    if not old or old == new:
        raise Misuse("an edit needs a text to replace and a new text.")
    with actor.store.locked():
        actor.store.settle()
        stored = changeable(actor.store.read(path))
        if actor.by == "agent" and not stored.pinned:
            _must_have_read(actor, stored)
        before = stored.entry
        at = _only_place(path, before.body, old)
        body, redacted = text.body(before.body[:at] + new + before.body[at + len(old) :])
        said = text.said(actor, text.quote(new, body))
        entry = before._replace(body=body, description=text.headline(before, body))
        spot = _there(stored)
        if actor.by == "user":
            # What the user once asked to remember stays an explicit save, the more so when they correct it.
            source: Source = "explicit" if before.source == "explicit" else "manual"
            entry = text.with_evidence(entry, said)._replace(source=source, origin="user-said")
        else:
            spot = _for_agents(actor, spot)
            entry = _claimed(entry, said, spot)
        stored, commit = _keep(actor, entry, spot, "edit")
    return _finish(actor, stored, commit, spot.there is None, redacted)


def confirm(actor: Actor, path: str) -> Stored:
    """Note that the user says a memory anew, and bind it to the code as it is now; `Silt-Op: confirm`.

    Raises EntryError for a readonly or archived memory.
    """
    with actor.store.locked():
        actor.store.settle()
        stored = changeable(actor.store.read(path))
        said = text.said(actor, f"silt confirm {stored.entry.name}")
        evidence = tuple(sorted([*stored.entry.evidence, said]))
        entry = stored.entry._replace(evidence=evidence, updated=said.at, anchors=())
        actor.commit([text.change(path, entry, stored)], "confirm", f"confirm {entry.name}")
        confirmed = actor.store.read(path)
    actor.follow()
    return confirmed


def _must_have_read(actor: Actor, stored: Stored) -> None:
    seen = actor.usage().hash_of(str(actor.session), stored.path)
    if seen is None:
        raise EntryError(
            f"{stored.path} was not read in this session: you must read it before you edit it "
            f"(`silt show {stored.entry.name} --session {actor.session}`)"
        )
    if seen != stored.hash:
        raise Stale(
            f"{stored.path} changed since this session read it: read it again, then edit it", (stored.path,)
        )


def _only_place(path: str, body: str, old: str) -> int:
    places: list[int] = []
    at = body.find(old)
    while at >= 0 and len(places) <= TOLD:
        places.append(at)
        at = body.find(old, at + 1)
    if not places:
        raise EntryError(
            f"{path} does not contain that text: it must match exactly, including spaces and line breaks"
        )
    if len(places) > 1:
        lines = list(dict.fromkeys(body.count("\n", 0, place) + 1 for place in places))
        told = ", ".join(map(str, lines[:TOLD])) + (", …" if len(places) > TOLD else "")
        raise EntryError(
            f"{path} contains that text more than once (line {told} of its body): include more of the "
            f"text around it"
        )
    return places[0]


def _keep(actor: Actor, entry: Entry, spot: Spot, op: str) -> tuple[Stored, str | None]:
    """Commit an entry at its place, under the lock; nothing when it says what stands there."""
    there = None if spot.there is None else changeable(spot.there)
    if there is not None and _told(there.entry) == _told(entry):
        return there, None
    changes = [text.change(spot.path, entry, there), *actor.register(spot.scope)]
    commit = actor.commit(changes, op, f"{op} {entry.name}", says=True)
    return actor.store.read(spot.path), commit


def _finish(actor: Actor, stored: Stored, commit: str | None, created: bool, redacted: bool) -> Written:
    """What follows a commit, without the lock: derived files, and that this session knows the file."""
    file = File.of(stored, actor.saw(stored))
    if commit is not None:
        actor.follow()
    return Written(file, created, redacted, commit)


def _noted(actor: Actor, note: Note, spot: Spot, body: str, described: str | None) -> Entry:
    """The entry that a note makes at a place."""
    said = text.said(actor, body)
    old = spot.there or spot.about
    if old is None:
        line = described or text.first_line(body)
        name = stem(spot.path).removeprefix(f"{spot.type}-")
        base = Entry(spot.scope, name, spot.type, line, body, "manual", "user-said", said.at, said.at)
        entry = base._replace(limit=note.default_limit, evidence=(said,))
    else:
        line = described or text.headline(old.entry, body)
        entry = old.entry._replace(body=body, source="manual", description=line, anchors=())
        entry = text.with_evidence(entry, said)._replace(origin="user-said")
    if actor.by == "agent":
        return _claimed(entry, said, spot)
    return entry._replace(limit=note.limit or entry.limit, readonly=note.readonly or entry.readonly)


def _claimed(entry: Entry, said: Evidence, spot: Spot) -> Entry:
    """An entry as an agent's own claim: nothing proves it but what the agent said."""
    replaces = entry.replaces if spot.about is None else body_mark(spot.about.entry.body)
    return entry._replace(
        source="manual",
        origin="assistant-inferred",
        created=said.at,
        updated=said.at,
        evidence=(said,),
        anchors=(),
        agrees_with=(),
        enforce=False,
        replaces=replaces,
    )


def ask_to_forget(actor: Actor, stored: Stored) -> str:
    """Put an item into the inbox that forgets a memory once the user accepts it: a new text that is empty.
    Returns its path, or that of an item that asks for it already. Under the store's lock."""
    line = text.first_line(f"Forget: {stored.entry.description}")
    spot = _for_agents(actor, _there(stored))
    asked = _claimed(stored.entry._replace(description=line, body=""), text.said(actor, line), spot)
    same = (one.path for one in actor.store.inbox() if _asks(one.entry) == _asks(asked))
    return next(same, None) or _keep(actor, asked, spot, "forget")[0].path


def _for_agents(actor: Actor, spot: Spot) -> Spot:
    """An agent's words never go in place of what stands in a scope, but to a free place in the inbox."""
    if spot.there is not None and in_inbox(changeable(spot.there).path):
        return spot
    path = entry_path(layout.INBOX, spot.type, spot.name, actor.store.taken(layout.INBOX))
    return spot._replace(path=path, there=None, about=spot.there)


def _by_name(actor: Actor, note: Note) -> Spot:
    store = actor.store
    waiting = [s for s in store.inbox() if s.entry.scope == note.scope] if actor.by == "agent" else []
    for entries in (waiting, store.entries(note.scope)):
        found = [s for s in exactly(entries, note.name) if note.type in (None, s.entry.type)]
        if found:
            return _there(only(found, note.name))
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
        raise Misuse(f"{path[: layout.MAX_PART]!r} is not a place for a memory; give a name, or SCOPE/NAME.")
    at = layout.check(actor.store.root, path)
    where = place(path)
    if where is None or where.kind == "archived" or (where.kind == "inbox" and not at.exists()):
        raise EntryError(f"{path} cannot be written to: memories are written to a scope or its system/")
    if at.exists():
        return _there(actor.store.read(path))
    scope = where.scope or note.scope
    if scope != note.scope and scope not in actor.store.scopes():
        raise Misuse(f"there is no scope {scope!r} in the store; `silt list` shows what is.")
    return _new(actor, scope, where.type or note.type, where.name, note.hot or where.kind == "pinned")


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
