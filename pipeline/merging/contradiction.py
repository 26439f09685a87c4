"""A candidate contradicts an entry: the user's word of change replaces it, else a conflict (invariant 11)."""

from siltstone.pipeline.candidate import Judged
from siltstone.pipeline.conflicts import flag, known
from siltstone.pipeline.ledger import Outcome
from siltstone.pipeline.merging.lookup import find_opposed, find_same
from siltstone.pipeline.merging.placing import absorb, place
from siltstone.pipeline.merging.working_copy import WorkingCopy
from siltstone.pipeline.rules.change import denies, says_change
from siltstone.store.entry import Entry


def against(copy: WorkingCopy, item: Judged, entry: Entry, target: str) -> Outcome:
    """A candidate that contradicts the target supersedes it, is older, or conflicts with it."""
    if may_supersede(copy, entry, target):
        return supersede(copy, item, entry, target)
    if was_overtaken(copy, entry, target):
        return Outcome("absorbed", "older", item.candidate, item.verdict, target)
    return conflict(copy, item, entry, target)


def ask_about(copy: WorkingCopy, path: str) -> list[str]:
    """Open a conflict between an entry and each one that it plainly contradicts; their paths."""
    found = find_opposed(copy, copy.live[path], path)
    for other in found:
        copy.sections = flag(copy.sections, copy.live, path, other)
    return found


def may_supersede(copy: WorkingCopy, entry: Entry, target: str) -> bool:
    """Whether the user announced the change: in their own words, with a word of change or a denial of the
    old value, and later than the target. A body that only the user may change is never superseded.
    """
    old = copy.live[target]
    announced = any(says_change(item.quote) or denies(item.quote, old.claim) for item in entry.evidence)
    return (
        entry.origin == "user-said"
        and announced
        and entry.updated > old.updated
        and not copy.protected(target)
    )


def was_overtaken(copy: WorkingCopy, entry: Entry, target: str) -> bool:
    """Whether the candidate is older than the target, and the target is a change that the user announced."""
    old = copy.live[target]
    if not entry.evidence or not old.evidence or entry.updated >= old.created:
        return False
    replaced = any(other.superseded_by == target for other in copy.archive.values())
    quotes = (item.quote for item in old.evidence)
    return replaced or any(says_change(quote) or denies(quote, entry.claim) for quote in quotes)


def supersede(copy: WorkingCopy, item: Judged, entry: Entry, target: str) -> Outcome:
    """Keep the new fact; move the old one to archive/ with its successor and the date."""
    same = find_same(copy, entry)
    if same is None or same == target:
        same = place(copy, entry)
    else:
        absorb(copy, item, entry, same, "duplicate")
    archived = copy.retire(target, same, entry.updated)
    return Outcome("superseded", item.verdict.reason, item.candidate, item.verdict, same, archived)


def conflict(copy: WorkingCopy, item: Judged, entry: Entry, target: str) -> Outcome:
    """Keep both and ask the user (C25). A pair that the user was asked about before is a repeat."""
    same = find_same(copy, entry)
    if same is not None and (same == target or known(copy.sections, copy.live, same, target)):
        return absorb(copy, item, entry, same, "duplicate")
    if same is None:
        same = place(copy, entry)
    else:
        absorb(copy, item, entry, same, "duplicate")
    copy.sections = flag(copy.sections, copy.live, same, target)
    return Outcome("conflicted", item.verdict.reason, item.candidate, item.verdict, same, target)
