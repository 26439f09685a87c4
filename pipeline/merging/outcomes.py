"""What can become of a candidate: a new memory, a repeat that reinforces one, an update, a successor, a
conflict, or an item of the inbox. `merge.py` decides which; each function here does one to the working copy.
"""

import re
from collections.abc import Iterable, Sequence

from siltstone.pipeline.candidate import MAX_DESCRIPTION, Judged
from siltstone.pipeline.conflicts import MAX_OPEN, flag, flagged, known
from siltstone.pipeline.identifiers import lost
from siltstone.pipeline.ledger import UNASKED, Kind, Outcome
from siltstone.pipeline.merging import lookup
from siltstone.pipeline.merging.contradictions import announces, contradict
from siltstone.pipeline.merging.likeness import content
from siltstone.pipeline.merging.survivor import ORIGIN_RANK, better, rank, stronger_source
from siltstone.pipeline.merging.working_copy import WorkingCopy
from siltstone.pipeline.rules.change import denies, says_change
from siltstone.store.entry import HEARD, MAX_COUNT, Anchor, Entry, Evidence, links, reinforcements, stacks
from siltstone.store.layout import INBOX

LIFTABLE = ("project", "reference")
"""Types that a second session may lift out of the inbox (invariant 6)."""
KEPT_WORDS = 0.6
"""Share of the old body's words that a rewrite must keep."""
_CARRIED = ("why:", "related:")
"""Begin lines that a rewrite keeps."""
_SENTENCE_GAP = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])")


def outcome(kind: Kind, item: Judged, path: str | None = None, other: str | None = None) -> Outcome:
    """An outcome for the reason that the verdict has."""
    return Outcome(kind, item.verdict.reason, item.candidate, item.verdict, path, other)


def place(copy: WorkingCopy, entry: Entry) -> str:
    """Add a new entry to its scope. An inbox item that says the same is merged into it."""
    waiting = lookup.find_in(copy.inbox, entry)
    if waiting is None:
        return copy.add(entry.scope, entry)
    path = copy.add(entry.scope, with_evidence(entry, copy.inbox.pop(waiting)))
    copy.went[waiting] = path
    return path


def absorb(copy: WorkingCopy, item: Judged, entry: Entry, path: str, reason: str) -> Outcome:
    """The store says it already: the repeat reinforces the entry (docs/seeds.md A18, A25).

    A repeat with a weaker origin than the entry adds nothing.
    """
    old = copy.live[path]
    # `readonly: true` is never touched, not even its evidence (invariant 9).
    if not old.readonly and ORIGIN_RANK[entry.origin] >= ORIGIN_RANK[old.origin]:
        new = _strengthen(old, entry)
        if reason == "duplicate" and not copy.protected(path):
            new = _with_better_text(new, entry)
        waiting = lookup.find_in(copy.inbox, old) if entry.origin == "user-said" else None
        if waiting is not None:
            new = with_evidence(new, copy.inbox.pop(waiting))
            copy.went[waiting] = path
        copy.live[path] = new
    return Outcome("absorbed", reason, item.candidate, item.verdict, path)


def quarantine(copy: WorkingCopy, item: Judged, entry: Entry) -> Outcome:
    """Put an agent's own claim into the inbox, where it waits for the user or for a second session.

    Claims that occur in read or injected text were rejected before, in either session (proof/quotes.py).
    What an agent wrote with a tool was never checked like that, so it lifts nothing. A new text for an
    existing memory waits for the user.
    """
    waiting = lookup.find_in(copy.inbox, entry)
    if waiting is None:
        return outcome("quarantined", item, copy.add(INBOX, entry))
    old = copy.inbox[waiting]
    new = _strengthen(old, entry)
    before, now = old.sessions, entry.sessions
    unreadable = lookup.find_unreadable(copy, old) or lookup.find_unreadable(copy, entry)
    types = old.type in LIFTABLE and entry.type in LIFTABLE and "manual" not in (old.source, entry.source)
    if types and old.replaces is None and before and now - before and unreadable is None:
        del copy.inbox[waiting]
        path = copy.went[waiting] = copy.add(old.scope, with_evidence(new, entry))
        return Outcome("promoted", "second-session", item.candidate, item.verdict, path)
    # What is proven and only waits for a file to be repaired may be told better meanwhile.
    copy.inbox[waiting] = _with_better_text(new, entry) if item.verdict.outcome == "accept" else new
    return outcome("quarantined", item, waiting)


def _with_better_text(old: Entry, entry: Entry) -> Entry:
    """An entry with the text of another that says the same, where that is better. Of two equally good texts
    the old one stays: being later makes none better (A16)."""
    if rank(entry)[:-1] <= rank(old)[:-1] or lost(old.claim, entry.claim):
        return old
    return old._replace(description=entry.description, body=entry.body, topic=entry.topic or old.topic)


def extends(copy: WorkingCopy, entry: Entry, target: str) -> bool:
    """Whether an entry that makes the target's claim says more than it, and may be written there."""
    old = copy.live[target]
    weaker = ORIGIN_RANK[entry.origin] < ORIGIN_RANK[old.origin]
    return not (copy.protected(target) or weaker) and not content(entry.body) <= content(old.claim)


def revise(copy: WorkingCopy, item: Judged, entry: Entry, target: str) -> Outcome:
    """Rewrite the target if that loses nothing, else append to it (docs/seeds.md C21), without the lines that
    the user's words replace. A plain contradiction is handled as one.

    A body that only the user may change, or that has a better origin, stays, and the candidate becomes a
    memory of its own.
    """
    old = copy.live[target]
    if contradict(old, entry):
        return against(copy, item, entry, target)
    if copy.protected(target) or ORIGIN_RANK[entry.origin] < ORIGIN_RANK[old.origin]:
        return outcome("promoted", item, place(copy, entry))
    if _loses_nothing(old, entry):
        have = {line.partition(":")[0].strip().lower() for line in entry.body.splitlines() if ":" in line}
        carried = (line for line in old.body.splitlines() if line.strip().lower().startswith(_CARRIED))
        fresh = [line for line in carried if line.partition(":")[0].strip().lower() not in have]
        base, description = entry.body, entry.description
    else:
        base = _without_changed(old.body, entry) if may_supersede(copy, entry, target) else old.body
        if not base.strip():
            return supersede(copy, item, entry, target)
        known_words = content(base)
        new_lines = (line for line in entry.body.splitlines() if line.strip())
        fresh = [one for one in new_lines if not content(one) <= known_words or lost(one, base)]
        description = entry.description if base != old.body else _both_described(old, entry)
    body = "\n".join([base.rstrip(), *fresh]) if fresh else base
    if body == old.body:
        return absorb(copy, item, entry, target, "duplicate")
    if len(body) > old.limit:
        return Outcome("rejected", "over-limit", item.candidate, item.verdict)
    copy.live[target] = old._replace(
        body=body,
        description=description,
        topic=entry.topic or old.topic,
        anchors=_anchors_after(old, entry),
        source=stronger_source(old.source, entry.source),
        created=min(old.created, entry.created),
        updated=max(old.updated, entry.updated),
        evidence=tuple(sorted({*old.evidence, *entry.evidence})),
    )
    return outcome("updated", item, target)


def _without_changed(body: str, entry: Entry) -> str:
    """A body without the sentences of which the entry's quotes say that they have changed."""
    lines: list[str] = []
    for line in body.splitlines():
        sentences = _SENTENCE_GAP.split(line)
        kept = [one for one in sentences if not any(announces(said.quote, one) for said in entry.evidence)]
        if kept:
            lines.append(line if len(kept) == len(sentences) else " ".join(kept))
    return "\n".join(lines)


def _both_described(old: Entry, entry: Entry) -> str:
    """The description of a text to which another was appended: the new one if it says what the old one says,
    else both, where one line holds them."""
    words = content(old.description)
    said = not lost(old.description, entry.description) and words <= content(entry.description)
    both = entry.description if said else f"{old.description.rstrip('.')}; {entry.description}"
    return both if entry.updated >= old.updated and len(both) <= MAX_DESCRIPTION else old.description


def against(copy: WorkingCopy, item: Judged, entry: Entry, target: str) -> Outcome:
    """A candidate that contradicts the target supersedes it by the user's word of change, is older, or
    conflicts with it (invariant 11)."""
    if may_supersede(copy, entry, target):
        return supersede(copy, item, entry, target)
    old = copy.live[target]
    if entry.evidence and old.evidence and entry.updated < old.created:
        replaced = any(other.superseded_by == target for other in copy.archive.values())
        if replaced or any(says_change(one.quote) or denies(one.quote, entry.claim) for one in old.evidence):
            return Outcome("absorbed", "older", item.candidate, item.verdict, target)
    return conflict(copy, item, entry, target)


def conflict(copy: WorkingCopy, item: Judged, entry: Entry, target: str) -> Outcome:
    """Keep both, and ask the user, unless they were asked before."""
    same = lookup.find_same(copy, entry)
    if same is not None and (same == target or known(copy.sections, copy.live, same, target)):
        return absorb(copy, item, entry, same, "duplicate")
    path = _placed_or_absorbed(copy, item, entry, same)
    done = outcome("conflicted", item, path, target)
    return done if ask(copy, path, target) else done._replace(kind="promoted", reason=UNASKED)


def may_supersede(copy: WorkingCopy, entry: Entry, target: str) -> bool:
    """Whether the user announced the change of what the target says, in their own words and later than the
    target. A body that only the user may change is never superseded.
    """
    old = copy.live[target]
    announced = any(announces(one, old.claim) for one in lookup.quotes_without_questions(entry))
    announced = announced or lookup.corrects_at_once(entry, old)
    later = entry.origin == "user-said" and entry.updated > old.updated
    return announced and later and not copy.protected(target)


def supersede(copy: WorkingCopy, item: Judged, entry: Entry, target: str) -> Outcome:
    """Keep the new fact; move the old one to archive/ with its successor and the date."""
    same = lookup.find_same(copy, entry)
    path = _placed_or_absorbed(copy, item, entry, None if same == target else same)
    return outcome("superseded", item, path, copy.retire(target, path, entry.updated))


def _placed_or_absorbed(copy: WorkingCopy, item: Judged, entry: Entry, same: str | None) -> str:
    if same is None:
        return place(copy, entry)
    absorb(copy, item, entry, same, "duplicate")
    return same


def ask_about(copy: WorkingCopy, path: str) -> list[tuple[str, bool]]:
    """Open a conflict between an entry and each one that it plainly contradicts: the other's path, and
    whether the user is asked."""
    return [(other, ask(copy, path, other)) for other in lookup.find_opposed(copy, copy.live[path], path)]


def ask(copy: WorkingCopy, path: str, other: str) -> bool:
    """Open a conflict, unless too many are open; whether the user is asked."""
    if len(copy.sections) < MAX_OPEN:
        copy.sections = flag(copy.sections, copy.live, path, other)
    return flagged(copy.sections, path, other)


def with_evidence(entry: Entry, waiting: Entry) -> Entry:
    """The entry with the evidence of an inbox item that is merged into it."""
    evidence = tuple(sorted({*waiting.evidence, *entry.evidence}))
    return entry._replace(evidence=evidence, created=min(waiting.created, entry.created))


def reinforced(evidence: Sequence[Evidence], repeats: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The evidence with those repeats that count (docs/seeds.md A25 and Source), sorted.

    A repeat counts unless its session or UTC day is there already, it comes within an hour of another
    one, or there are six repeats. All quotes of one counting session are kept together, because an
    adopted proposal is two quotes. Existing evidence is never dropped; if there is none, every repeat is
    kept. Once a message is read, its evidence replaces what a hook recorded of it.
    """
    repeats = set(repeats)
    read = {(item.agent, item.session, item.quote): item for item in repeats}
    heard = {item: read.get((item.agent, item.session, item.quote), item) for item in evidence}
    kept = sorted({new if old.message.startswith(HEARD) else old for old, new in heard.items()})
    if not kept:
        return tuple(sorted(repeats))
    sessions: dict[tuple[str, str], list[Evidence]] = {}
    for item in sorted(repeats - set(kept)):
        sessions.setdefault((item.agent, item.session), []).append(item)
    for fresh in sessions.values():
        if all(stacks(new, old) for new in fresh for old in kept) and reinforcements(kept) < MAX_COUNT:
            kept = sorted([*kept, *fresh])
    return tuple(kept)


def _strengthen(old: Entry, entry: Entry) -> Entry:
    """The entry with the repeats that count as evidence, its dates and source brought up to date."""
    evidence = reinforced(old.evidence, entry.evidence)
    times = [item.at for item in evidence] if evidence != old.evidence else []
    return old._replace(
        anchors=_anchors_after(old, entry) if times else old.anchors,
        evidence=evidence,
        source=stronger_source(old.source, entry.source),
        origin=better(old.origin, entry.origin),
        importance=old.importance or entry.importance,
        created=min([old.created, *times]),
        updated=max([old.updated, *times]),
    )


def _anchors_after(old: Entry, entry: Entry) -> tuple[Anchor, ...]:
    """None once the user says it anew: it is bound to the code of that time when it is written."""
    return () if entry.origin == "user-said" and entry.updated > old.updated else old.anchors


def _loses_nothing(old: Entry, entry: Entry) -> bool:
    """Whether the new text may replace the old: newer, keeping identifiers, links and most words."""
    claim = "\n".join(line for line in old.body.splitlines() if not line.strip().lower().startswith(_CARRIED))
    words = content(claim)
    return (
        entry.updated >= old.updated
        and not lost(f"{old.description}\n{claim}", entry.claim)
        and links(claim) <= links(entry.body)
        and len(words & content(entry.body)) >= KEPT_WORDS * len(words)
    )
