"""The plain fates of a candidate: it becomes an entry, strengthens one, or waits in the inbox."""

from dataclasses import replace

from siltstone.pipeline.candidate import Judged
from siltstone.pipeline.handles import lost
from siltstone.pipeline.ledger import Absorbed, Outcome
from siltstone.pipeline.merging.desk import Desk
from siltstone.pipeline.merging.lookup import find_in, text_of
from siltstone.pipeline.merging.reinforce import reinforced
from siltstone.pipeline.merging.survivor import ORIGIN_RANK, better, rank, stronger_source
from siltstone.pipeline.merging.unreadable import in_the_way
from siltstone.store.entry import Entry
from siltstone.store.layout import INBOX

LIFTABLE = ("project", "reference")
"""Types that a second session may lift out of the inbox (invariant 6)."""


def promote(desk: Desk, item: Judged, entry: Entry) -> Outcome:
    """A new memory."""
    return Outcome("promoted", item.verdict.reason, item.candidate, item.verdict, place(desk, entry))


def place(desk: Desk, entry: Entry) -> str:
    """Puts a new entry into its scope; an inbox item that says the same leaves with it, evidence kept."""
    waiting = find_in(desk.inbox, entry)
    if waiting is None:
        return desk.add(entry.scope, entry)
    path = desk.add(entry.scope, with_evidence(entry, desk.inbox.pop(waiting)))
    desk.went[waiting] = path
    return path


def absorb(desk: Desk, item: Judged, entry: Entry, path: str, reason: Absorbed) -> Outcome:
    """The store says it already: the repeat reinforces what stands (docs/seeds.md A18, A25).

    Words that are worse proven than the memory add nothing to it.
    """
    old = desk.live[path]
    if not desk.readonly(path) and ORIGIN_RANK[entry.origin] >= ORIGIN_RANK[old.origin]:
        new = _strengthen(old, entry)
        if reason == "duplicate" and not desk.protected(path):
            new = _reword(new, entry)
        waiting = find_in(desk.inbox, old) if entry.origin == "user-said" else None
        if waiting is not None:
            new = with_evidence(new, desk.inbox.pop(waiting))
            desk.went[waiting] = path
        desk.live[path] = new
    return Outcome("absorbed", reason, item.candidate, item.verdict, path)


def quarantine(desk: Desk, item: Judged, entry: Entry) -> Outcome:
    """What the agent said of itself waits for the user's word or, some of it, for a second session."""
    waiting = find_in(desk.inbox, entry)
    if waiting is None:
        path = desk.add(INBOX, entry)
        return Outcome("quarantined", item.verdict.reason, item.candidate, item.verdict, path)
    old = desk.inbox[waiting]
    new = _strengthen(old, entry)
    if _lifts(old, entry) and in_the_way(desk, old) is None and in_the_way(desk, entry) is None:
        new = with_evidence(new, entry)
        del desk.inbox[waiting]
        path = desk.went[waiting] = desk.add(old.scope, new)
        return Outcome("promoted", "second-session", item.candidate, item.verdict, path)
    desk.inbox[waiting] = new
    return Outcome("quarantined", item.verdict.reason, item.candidate, item.verdict, waiting)


def with_evidence(entry: Entry, waiting: Entry) -> Entry:
    """The entry with all the words of an inbox item that leaves for it."""
    evidence = tuple(sorted({*waiting.evidence, *entry.evidence}))
    return replace(entry, evidence=evidence, created=min(waiting.created, entry.created))


def _lifts(old: Entry, entry: Entry) -> bool:
    """A second session says it too. Claims that stand in anything read or injected never come this
    far: they are rejected as evidence is checked, in either session (evidence.py). What an agent wrote
    with a tool was never checked so and lifts nothing, and a new text for what the store says waits for
    the user."""
    if "manual" in (old.source, entry.source):
        return False
    before = {(item.agent, item.session) for item in old.evidence}
    again = {(item.agent, item.session) for item in entry.evidence} - before
    types = old.type in LIFTABLE and entry.type in LIFTABLE
    return old.replaces is None and types and bool(before) and bool(again)


def _strengthen(old: Entry, entry: Entry) -> Entry:
    """The old words with the repeats that count, dates and source following."""
    evidence = reinforced(old.evidence, entry.evidence)
    new = replace(
        old,
        evidence=evidence,
        source=stronger_source(old.source, entry.source),
        origin=better(old.origin, entry.origin),
        importance=old.importance or entry.importance,
    )
    if evidence == old.evidence:
        return new
    times = [item.at for item in evidence]
    return replace(new, created=min(old.created, *times), updated=max(old.updated, *times))


def _reword(old: Entry, entry: Entry) -> Entry:
    """The better telling of one fact stands, if it carries every handle of the other (A16); of two that are
    as good the first, for to be the later one makes none better."""
    if rank(entry)[:-1] <= rank(old)[:-1] or lost(text_of(old), text_of(entry)):
        return old
    return replace(old, description=entry.description, body=entry.body, topic=entry.topic or old.topic)
