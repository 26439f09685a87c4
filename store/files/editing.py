"""`edit`: replace one exact, unique piece of a memory's text (D8)."""

from dataclasses import replace

from siltstone.store import layout
from siltstone.store.entry import Entry, Source, Stored, body_mark
from siltstone.store.errors import EntryError, Misuse, Stale
from siltstone.store.files import text
from siltstone.store.files.actor import Actor, changeable
from siltstone.store.files.writing import Spot, Written, agents, finish, keep, waiting_spot

TOLD = 8
"""Lines that a refusal names."""


def edit(actor: Actor, path: str, old: str, new: str) -> Written:
    """Put `new` in place of `old`, which must stand in the body exactly once; `Silt-Op: edit`.

    An agent must have read a cold file in this session, unchanged since; hot ones are shown whole.
    An agent's edit of anything but an inbox item becomes an inbox item of its own (invariant 6).
    Raises EntryError when it was never read, is readonly or archived, or when `old` is not there or there
    several times; Stale when it changed since; Misuse for an empty or equal text and over the limit.
    """
    old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    if not old or old == new:
        raise Misuse("an edit wants a text to replace, and another to put in its place.")
    with actor.store.locked():
        actor.store.settle()
        stored = changeable(actor.store.read(path))
        if actor.by == "agent" and not stored.pinned:
            _must_have_read(actor, stored)
        at = _only_place(path, stored.entry.body, old)
        body = text.body(stored.entry.body[:at] + new + stored.entry.body[at + len(old) :])
        entry = _entry(actor, stored.entry, body.text, new)
        is_theirs = actor.by == "user" or path.startswith(f"{layout.INBOX}/")
        if not is_theirs:
            entry = replace(entry, replaces=body_mark(stored.entry.body))
        spot = Spot(entry.scope, path, entry.type, entry.name) if is_theirs else waiting_spot(actor, entry)
        kept = keep(actor, entry, stored if is_theirs else None, spot, "edit")
    return finish(actor, kept, not is_theirs, body.redacted)


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
        raise EntryError(f"{path} does not hold that text: it must match exactly, blanks and lines too")
    if len(places) > 1:
        lines = list(dict.fromkeys(body.count("\n", 0, place) + 1 for place in places))
        told = ", ".join(map(str, lines[:TOLD])) + (", …" if len(places) > TOLD else "")
        raise EntryError(
            f"{path} holds that text more than once (line {told} of its body): give more of what is around it"
        )
    return places[0]


def _entry(actor: Actor, old: Entry, body: str, new: str) -> Entry:
    said = text.said(actor, text.quote(new, body))
    entry = replace(old, body=body, description=text.headline(old, body))
    if actor.by == "agent":
        return agents(entry, said)
    # What the user once asked to remember stays an explicit save, the more so when they correct it.
    source: Source = "explicit" if old.source == "explicit" else "manual"
    return replace(text.with_evidence(entry, said), source=source, origin="user-said")
