"""The simple outcomes: a candidate becomes an entry, reinforces one, or waits in the inbox."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from siltstone.pipeline.candidate import Judged
from siltstone.pipeline.identifiers import lost
from siltstone.pipeline.ledger import Absorbed, Outcome
from siltstone.pipeline.merging.lookup import find_in, find_unreadable_namesake
from siltstone.pipeline.merging.survivor import ORIGIN_RANK, better, rank, stronger_source
from siltstone.pipeline.merging.working_copy import WorkingCopy
from siltstone.store.entry import HEARD, MAX_COUNT, Entry, Evidence, reinforcements, stacks
from siltstone.store.layout import INBOX

LIFTABLE = ("project", "reference")
"""Types that a second session may lift out of the inbox (invariant 6)."""


def promote(copy: WorkingCopy, item: Judged, entry: Entry) -> Outcome:
    """A new memory."""
    return Outcome("promoted", item.verdict.reason, item.candidate, item.verdict, place(copy, entry))


def place(copy: WorkingCopy, entry: Entry) -> str:
    """Add a new entry to its scope. An inbox item that says the same is merged into it."""
    waiting = find_in(copy.inbox, entry)
    if waiting is None:
        return copy.add(entry.scope, entry)
    path = copy.add(entry.scope, with_evidence(entry, copy.inbox.pop(waiting)))
    copy.went[waiting] = path
    return path


def absorb(copy: WorkingCopy, item: Judged, entry: Entry, path: str, reason: Absorbed) -> Outcome:
    """The store says it already: the repeat reinforces the entry (docs/seeds.md A18, A25).

    A repeat with a weaker origin than the entry adds nothing.
    """
    old = copy.live[path]
    if not copy.readonly(path) and ORIGIN_RANK[entry.origin] >= ORIGIN_RANK[old.origin]:
        new = _strengthen(old, entry)
        # Of two equally good texts the old one stays: being later makes none better (A16).
        better_text = rank(entry)[:-1] > rank(new)[:-1] and not lost(new.claim, entry.claim)
        if reason == "duplicate" and better_text and not copy.protected(path):
            topic = entry.topic or new.topic
            new = replace(new, description=entry.description, body=entry.body, topic=topic)
        waiting = find_in(copy.inbox, old) if entry.origin == "user-said" else None
        if waiting is not None:
            new = with_evidence(new, copy.inbox.pop(waiting))
            copy.went[waiting] = path
        copy.live[path] = new
    return Outcome("absorbed", reason, item.candidate, item.verdict, path)


def quarantine(copy: WorkingCopy, item: Judged, entry: Entry) -> Outcome:
    """Put an agent's own claim into the inbox, where it waits for the user or for a second session."""
    waiting = find_in(copy.inbox, entry)
    if waiting is None:
        path = copy.add(INBOX, entry)
        return Outcome("quarantined", item.verdict.reason, item.candidate, item.verdict, path)
    old = copy.inbox[waiting]
    new = _strengthen(old, entry)
    unreadable = find_unreadable_namesake(copy, old) or find_unreadable_namesake(copy, entry)
    if _lifts(old, entry) and unreadable is None:
        new = with_evidence(new, entry)
        del copy.inbox[waiting]
        path = copy.went[waiting] = copy.add(old.scope, new)
        return Outcome("promoted", "second-session", item.candidate, item.verdict, path)
    copy.inbox[waiting] = new
    return Outcome("quarantined", item.verdict.reason, item.candidate, item.verdict, waiting)


def with_evidence(entry: Entry, waiting: Entry) -> Entry:
    """The entry with the evidence of an inbox item that is merged into it."""
    evidence = tuple(sorted({*waiting.evidence, *entry.evidence}))
    return replace(entry, evidence=evidence, created=min(waiting.created, entry.created))


def _lifts(old: Entry, entry: Entry) -> bool:
    """Whether a second session that says the same makes an inbox item a memory.

    Claims that occur in read or injected text were rejected before, in either session (proof/evidence.py).
    What an agent wrote with a tool was never checked like that, so it lifts nothing. A new text for an
    existing memory waits for the user.
    """
    if "manual" in (old.source, entry.source):
        return False
    before = {(item.agent, item.session) for item in old.evidence}
    again = {(item.agent, item.session) for item in entry.evidence} - before
    types = old.type in LIFTABLE and entry.type in LIFTABLE
    return old.replaces is None and types and bool(before) and bool(again)


def _strengthen(old: Entry, entry: Entry) -> Entry:
    """The entry with the repeats that count as evidence, its dates and source brought up to date."""
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


def reinforced(evidence: Sequence[Evidence], repeats: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The evidence with those repeats that count (docs/seeds.md A25 and Source), sorted.

    A repeat counts unless its session or UTC day is there already, it comes within an hour of another
    one, or there are six repeats. All quotes of one counting session are kept together, because an
    adopted proposal is two quotes. Existing evidence is never dropped; if there is none, every repeat is
    kept. Once a message is read, its evidence replaces what a hook recorded of it.
    """
    repeats = tuple(repeats)
    read = {(item.agent, item.session, item.quote): item for item in repeats}
    kept = sorted(
        {
            read.get((item.agent, item.session, item.quote), item) if item.message.startswith(HEARD) else item
            for item in evidence
        }
    )
    if not kept:
        return tuple(sorted(set(repeats)))
    sessions: dict[tuple[str, str], list[Evidence]] = {}
    for item in sorted(set(repeats) - set(kept)):
        sessions.setdefault((item.agent, item.session), []).append(item)
    for fresh in sessions.values():
        if all(stacks(new, old) for new in fresh for old in kept) and reinforcements(kept) < MAX_COUNT:
            kept = sorted([*kept, *fresh])
    return tuple(kept)
