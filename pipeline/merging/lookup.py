"""Finding the entries of the store that a candidate is about (docs/architecture.md)."""

from collections.abc import Mapping
from datetime import timedelta

from siltstone.pipeline.canonical import canonical, identity_key
from siltstone.pipeline.conflicts import agreed, known
from siltstone.pipeline.identifiers import lost
from siltstone.pipeline.merging.contradictions import (
    announces,
    contradict,
    differs_in_value,
    names_old_value,
    opposed,
)
from siltstone.pipeline.merging.likeness import content, near, nearest, negated, same_claim, swapped
from siltstone.pipeline.merging.working_copy import View, WorkingCopy
from siltstone.pipeline.proof.stated import without_questions
from siltstone.pipeline.rules.change import denies, says_change
from siltstone.pipeline.rules.statements import amends
from siltstone.store.entry import GLOBAL, TYPES, Entry
from siltstone.store.names import stem

AT_ONCE = timedelta(minutes=10)
"""Time after a statement in which "wait, actually …" may correct it."""
MIN_HEADLINE = 20
"""Characters of a description that is a claim; a shorter one is a label."""


def find_same(copy: WorkingCopy, entry: Entry) -> str | None:
    """Path of the live entry that already says this, in its scope or for everywhere (A13–A15).

    Exact: the bodies are canonically equal, whatever their types. Identity: both about one URL or path
    and saying the same of it. Headline: the same description, and the body brings no new identifier.
    """
    scopes = (entry.scope, GLOBAL)
    live = [(path, other) for path, other in copy.live.items() if other.scope in scopes]
    live.sort(key=lambda item: (scopes.index(item[1].scope), item[0]))
    rules = (_exactly, _identically, _headline)
    return next((path for agree in rules for path, other in live if agree(entry, other)), None)


def find_in(entries: Mapping[str, Entry], entry: Entry) -> str | None:
    """Path of the entry of the same scope that says nearly the same; for the inbox."""
    of_scope = ((path, other) for path, other in sorted(entries.items()) if other.scope == entry.scope)
    return next((path for path, other in of_scope if _nearly(entry, other)), None)


def find_older(copy: WorkingCopy, entry: Entry) -> str | None:
    """Path of the successor of the fact that a candidate repeats, if all the candidate's evidence is from
    before the change (invariant 11); of the fact in archive/ itself where its own session dropped it."""
    for path, old in sorted(copy.archive.items()):
        if old.superseded_at is None or old.scope != entry.scope:
            continue
        own = entry.sessions <= old.sessions
        earlier = all(item.at < old.superseded_at for item in entry.evidence)
        if entry.evidence and earlier and (old.superseded_by or own) and _nearly(entry, old):
            return old.superseded_by or path
    return None


def corrects_at_once(entry: Entry, old: Entry) -> bool:
    """Whether an entry was said to correct another, a moment after it and in the same session: "hmm wait,
    actually let's do NUMERIC(20,6)"."""
    return any(
        (one.agent, one.session) == (before.agent, before.session)
        and timedelta(0) < one.at - before.at <= AT_ONCE
        for one in entry.evidence
        if amends(one.quote)
        for before in old.evidence
    )


def find_replaced(copy: WorkingCopy, entry: Entry) -> str | None:
    """Path of the entry that a candidate plainly replaces, although it names no target.

    The quote must correct it at once, or announce the change (invariant 11) and name the old value, oppose
    the old text or say it again with another value. Of several such entries of the scope the one that shares
    most words with the candidate is replaced; where two share as many, none is.
    """
    quotes = [
        one for one in quotes_without_questions(entry) if says_change(one) or negated(one) or amends(one)
    ]
    words = content("\n".join([entry.body, *quotes]))
    hits: list[tuple[int, str]] = []
    for path, other in copy.live.items() if quotes else ():
        shared = words & content(other.body)
        if other.scope != entry.scope or not shared:
            continue
        clash = opposed(entry.body, other.body)
        if corrects_at_once(entry, other) or any(
            (clash or names_old_value(quote, other.body) or differs_in_value(quote, other.body))
            and announces(quote, other.claim)
            for quote in quotes
        ):
            hits.append((len(shared), path))
    best = [path for count, path in hits if count == max(hits)[0]]
    return best[0] if len(best) == 1 else None


def quotes_without_questions(entry: Entry, requests: bool = True) -> list[str]:
    """An entry's quotes without what the user only asks, or without `requests` also without what they ask to
    be made. Quotes of several messages are an exchange, in which a question was answered."""
    quotes = [one.quote for one in entry.evidence]
    exchange = len({(one.session, one.message) for one in entry.evidence}) > 1
    return quotes if exchange else [without_questions(one, requests) for one in quotes]


def states_change(entry: Entry, old: Entry) -> bool:
    """Whether an entry's quotes state that something changed, or deny what the old one plainly says. A mere
    no ("not the main folder"), or a request ("can we use pnpm instead?"), may be about something else: the
    user is asked."""
    stated = quotes_without_questions(entry, requests=False)
    denied = opposed(entry.body, old.body) and any(denies(one, old.claim) for one in stated)
    return denied or any(map(says_change, stated)) or corrects_at_once(entry, old)


def find_opposed(copy: WorkingCopy, entry: Entry, at: str | None = None) -> list[str]:
    """Paths of the entries of its scope that an entry plainly contradicts, the most alike first.

    The user is asked about these (invariant 11). `at` is the entry's own path, if it has one. Pairs are
    left out that the user is asked about already, or has said to be both true.
    """
    others = [(path, live) for path, live in copy.live.items() if live.scope == entry.scope and path != at]
    near_by = nearest(entry.body, [other.body for _, other in others])
    found: list[str] = []
    for path, other in (others[position] for position in near_by):
        asked = at is not None and known(copy.sections, copy.live, at, path)
        if asked or not contradict(entry, other):
            continue
        agreeing = (live for beside, live in copy.live.items() if agreed(live, beside, other, path))
        if not any(near(entry.body, live.body) for live in agreeing):  # it may repeat one of these
            found.append(path)
    return found


def buried(view: View, entry: Entry) -> bool:
    """Whether the user deleted this (invariant 9): no evidence was said after the deletion, and it shares
    a message or nearly the words with what was deleted. Of purged memories only the messages are known.

    A message that proved the deleted memory was said before, whatever its time: transcripts without times
    have that of their file."""
    if view.purged and any(
        one.message_hash in view.purged or one.words_hash in view.purged for one in entry.evidence
    ):
        return True
    said = [((item.agent, item.session, item.message), item.at) for item in entry.evidence]
    messages = {message for message, _ in said}
    for tombstone in view.tombstones:
        old = tombstone.entry
        proved = {(item.agent, item.session, item.message) for item in old.evidence}
        later = {message for message, at in said if at > tombstone.deleted_at}
        if old.scope != entry.scope or not messages or later - proved:
            continue
        if messages & proved or _nearly(entry, old):
            return True
    return False


def find_unreadable(copy: WorkingCopy, entry: Entry) -> str | None:
    """Path of a file that cannot be parsed and may say the same: one of the entry's scope with its name or
    description, or any that holds its body, line for line.

    No twin is written beside it: the candidate waits in the inbox until the user has repaired the file
    (`inbox.release`).
    """
    names = {f"{kind}-{entry.name}" for kind in TYPES} | {entry.name}
    fields = {canonical(f"name: {entry.name}"), canonical(f"description: {entry.description}")}
    body = _lines(entry.body)
    for path, text in sorted(copy.view.unreadable.items()):
        lines = _lines(text)
        named = stem(path).casefold() in names or not fields.isdisjoint(lines)
        holds = any(lines[at : at + len(body)] == body for at in range(len(lines) if body else 0))
        if holds or (named and path.startswith(f"{entry.scope}/")):
            return path
    return None


def _lines(text: str) -> list[str]:
    """The lines of a text as they are compared, blank ones left out."""
    return [line for line in map(canonical, text.splitlines()) if line]


def _exactly(one: Entry, other: Entry) -> bool:
    return canonical(one.body) == canonical(other.body) and not swapped(one.body, other.body)


def _identically(one: Entry, other: Entry) -> bool:
    if one.type != other.type or one.type not in ("project", "reference"):
        return False
    mine = identity_key(one.type, one.body)
    # The last part of a path or URL occurs in the text as it is. Looking for it first avoids parsing the
    # paths of every entry.
    if mine is None or mine.rpartition("/")[2].rpartition(":")[2].lower() not in other.body.lower():
        return False
    return mine == identity_key(other.type, other.body) and same_claim(one.body, other.body)


def _headline(one: Entry, other: Entry) -> bool:
    return (
        len(one.description) >= MIN_HEADLINE
        and canonical(one.description) == canonical(other.description)
        and not lost(one.body, other.claim)
        and not swapped(one.body, other.body)
    )


def _nearly(one: Entry, other: Entry) -> bool:
    return near(one.body, other.body) or near(one.description, other.description)
