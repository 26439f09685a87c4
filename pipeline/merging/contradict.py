"""Against what stands: replaced by the user's own word of change, else a conflict (invariant 11)."""

from siltstone.pipeline.candidate import Judged
from siltstone.pipeline.change import denies, says_change
from siltstone.pipeline.conflicts import agreed, flag, flagged
from siltstone.pipeline.ledger import Outcome
from siltstone.pipeline.merging.desk import Desk
from siltstone.pipeline.merging.lookup import find_opposed, find_same, text_of
from siltstone.pipeline.merging.placing import absorb, place
from siltstone.store.entry import Entry


def against(desk: Desk, item: Judged, entry: Entry, target: str) -> Outcome:
    """A candidate that says otherwise than the target: supersedes it, is older, or conflicts."""
    if may_supersede(desk, entry, target):
        return supersede(desk, item, entry, target)
    if was_overtaken(desk, entry, target):
        return Outcome("absorbed", "older", item.candidate, item.verdict, target)
    return conflict(desk, item, entry, target)


def ask_about(desk: Desk, path: str) -> list[str]:
    """Put an entry before the user beside each one that it plainly contradicts; their paths."""
    found = find_opposed(desk, desk.live[path], path)
    for other in found:
        desk.sections = flag(desk.sections, desk.live, path, other)
    return found


def may_supersede(desk: Desk, entry: Entry, target: str) -> bool:
    """The user said it, with a word of change or a denial of the old value, and said it later.

    A body that is the user's own, or pinned, is not moved on the strength of a transcript.
    """
    old = desk.live[target]
    said = any(says_change(item.quote) or denies(item.quote, text_of(old)) for item in entry.evidence)
    return (
        entry.origin == "user-said"
        and said
        and bool(entry.evidence)
        and entry.updated > old.updated
        and not desk.protected(target)
    )


def was_overtaken(desk: Desk, entry: Entry, target: str) -> bool:
    """The candidate is older than the target, and the target is itself a change the user announced."""
    old = desk.live[target]
    if not entry.evidence or not old.evidence or entry.updated >= old.created:
        return False
    replaced = any(other.superseded_by == target for other in desk.archive.values())
    words = (item.quote for item in old.evidence)
    return replaced or any(says_change(quote) or denies(quote, text_of(entry)) for quote in words)


def supersede(desk: Desk, item: Judged, entry: Entry, target: str) -> Outcome:
    """The new fact stands; the old one moves to archive/ and says by what it was replaced, and when."""
    same = find_same(desk, entry)
    if same is None or same == target:
        same = place(desk, entry)
    else:
        absorb(desk, item, entry, same, "duplicate")
    archived = desk.retire(target, same, entry.updated)
    return Outcome("superseded", item.verdict.reason, item.candidate, item.verdict, same, archived)


def conflict(desk: Desk, item: Judged, entry: Entry, target: str) -> Outcome:
    """Both stay, and the user is asked (C25). A pair that was asked about already is a repeat."""
    same = find_same(desk, entry)
    if same is not None and (same == target or _settled(desk, same, target)):
        return absorb(desk, item, entry, same, "duplicate")
    if same is None:
        same = place(desk, entry)
    else:
        absorb(desk, item, entry, same, "duplicate")
    desk.sections = flag(desk.sections, desk.live, same, target)
    return Outcome("conflicted", item.verdict.reason, item.candidate, item.verdict, same, target)


def _settled(desk: Desk, one: str, other: str) -> bool:
    """The user is asked about this pair already, or has said that both are true."""
    return flagged(desk.sections, one, other) or agreed(desk.live[one], one, desk.live[other], other)
