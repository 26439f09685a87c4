"""Finding the entries of the store that a candidate is about (docs/architecture.md)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from siltstone.pipeline.canonical import canonical
from siltstone.pipeline.conflicts import agreed, flagged
from siltstone.pipeline.identifiers import lost
from siltstone.pipeline.merging.likeness import content, named_in, near, negated, same_claim, swapped
from siltstone.pipeline.merging.neighbours import nearest
from siltstone.pipeline.merging.opposed import contradict, opposed
from siltstone.pipeline.merging.rivals import names_old_value
from siltstone.pipeline.merging.working_copy import View, WorkingCopy
from siltstone.pipeline.rules.change import denies, says_change
from siltstone.store.entry import GLOBAL, Entry, Evidence
from siltstone.store.state import message_hash, words_hash

MIN_HEADLINE = 20
"""Characters of a description that is a claim; a shorter one is a label."""


_canonical = lru_cache(maxsize=65_536)(canonical)


def find_same(copy: WorkingCopy, entry: Entry) -> str | None:
    """Path of the live entry that already says this, in its scope or for everywhere (A13–A15).

    Exact: the bodies are canonically equal, whatever their types. Identity: both about one URL or path
    and saying the same of it. Headline: the same description, and the body brings no new identifier.
    """
    scopes = (entry.scope, GLOBAL)
    live = [(path, other) for path, other in copy.live.items() if other.scope in scopes]
    live.sort(key=lambda item: (scopes.index(item[1].scope), item[0]))
    for agree in (_exactly, _identically, _headline):
        for path, other in live:
            if agree(entry, other):
                return path
    return None


def find_in(entries: Mapping[str, Entry], entry: Entry) -> str | None:
    """Path of the entry of the same scope that says nearly the same; for the inbox."""
    for path, other in sorted(entries.items()):
        if other.scope == entry.scope and (_exactly(entry, other) or _nearly(entry, other)):
            return path
    return None


@dataclass(frozen=True, slots=True)
class Successor:
    """An archived fact that a candidate repeats, and the entry that superseded it."""

    path: str
    by: str


def find_older(copy: WorkingCopy, entry: Entry) -> Successor | None:
    """The superseded fact that a candidate repeats with evidence from before the change (invariant 11)."""
    for path, old in sorted(copy.archive.items()):
        if old.superseded_by is None or old.superseded_at is None or old.scope != entry.scope:
            continue
        earlier = all(item.at < old.superseded_at for item in entry.evidence)
        if entry.evidence and earlier and (_exactly(entry, old) or _nearly(entry, old)):
            return Successor(path, old.superseded_by)
    return None


def find_replaced(copy: WorkingCopy, entry: Entry) -> str | None:
    """Path of the entry that a candidate plainly replaces, although it names no target.

    The quote must hold a word of change or a denial (invariant 11), the old value, and what it is the
    value of. The best fitting entry of the same scope wins.
    """
    quotes = [item.quote for item in entry.evidence]
    changed = any(says_change(quote) for quote in quotes)
    if not changed and not any(negated(quote) for quote in quotes):
        return None
    said = content("\n".join([entry.body, *quotes]))
    hits = [
        (-len(shared), path)
        for path, other in copy.live.items()
        if other.scope == entry.scope
        and len(shared := said & content(other.body)) >= 2
        and _replaces(entry, other)
        and (changed or any(denies(quote, text_of(other)) for quote in quotes))
    ]
    return min(hits)[1] if hits else None


def find_opposed(copy: WorkingCopy, entry: Entry, at: str | None = None) -> list[str]:
    """Paths of the entries of its scope that an entry plainly contradicts, the most alike first.

    The user is asked about these (invariant 11). `at` is the entry's own path, if it has one. Pairs are
    left out that the user is asked about already, or has said to be both true.
    """
    others = [(path, live) for path, live in copy.live.items() if live.scope == entry.scope and path != at]
    near_by = nearest(entry.body, [other.body for _, other in others])
    found = (others[position] for position in near_by)
    return [path for path, other in found if contradict(entry, other) and not _asked(copy, entry, at, path)]


def _asked(copy: WorkingCopy, entry: Entry, at: str | None, path: str) -> bool:
    if at is not None and (flagged(copy.sections, at, path) or agreed(entry, at, copy.live[path], path)):
        return True
    beside = (told for told, live in copy.live.items() if agreed(live, told, copy.live[path], path))
    return any(near(entry.body, copy.live[told].body) for told in beside)


def buried(view: View, entry: Entry) -> bool:
    """Whether the user deleted this (invariant 9): all evidence is older than the deletion, and it shares
    a message or nearly the words with what was deleted. Of purged memories only the messages are known."""
    if view.purged and any(
        hash_of(said) in view.purged for said in entry.evidence for hash_of in (message_hash, words_hash)
    ):
        return True
    for tombstone in view.tombstones:
        old = tombstone.entry
        if old.scope != entry.scope or not entry.evidence:
            continue
        if any(item.at > tombstone.deleted_at for item in entry.evidence):
            continue
        if _messages(entry.evidence) & _messages(old.evidence) or _exactly(entry, old) or _nearly(entry, old):
            return True
    return False


def text_of(entry: Entry) -> str:
    """What an entry says: description and body."""
    return f"{entry.description}\n{entry.body}"


def _exactly(one: Entry, other: Entry) -> bool:
    return _canonical(one.body) == _canonical(other.body) and not swapped(one.body, other.body)


def _identically(one: Entry, other: Entry) -> bool:
    if one.type != other.type or one.type not in ("project", "reference"):
        return False
    mine = named_in(one.type, one.body)
    # The last part of a path or URL occurs in the text as it is. Looking for it first avoids parsing the
    # paths of every entry.
    if mine is None or mine.rpartition("/")[2].rpartition(":")[2].lower() not in other.body.lower():
        return False
    return mine == named_in(other.type, other.body) and same_claim(one.body, other.body)


def _headline(one: Entry, other: Entry) -> bool:
    return (
        len(one.description) >= MIN_HEADLINE
        and _canonical(one.description) == _canonical(other.description)
        and not lost(one.body, text_of(other))
        and not swapped(one.body, other.body)
    )


def _nearly(one: Entry, other: Entry) -> bool:
    return near(one.body, other.body) or near(one.description, other.description)


def _replaces(entry: Entry, other: Entry) -> bool:
    quotes = [item.quote for item in entry.evidence]
    return any(names_old_value(quote, other.body) for quote in quotes) or opposed(entry.body, other.body)


def _messages(evidence: Iterable[Evidence]) -> set[tuple[str, str, str]]:
    return {(item.agent, item.session, item.message) for item in evidence}
