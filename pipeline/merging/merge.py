"""Merge judged candidates into the store: the file changes, and one outcome for each candidate.

A pure function of the candidates and of the store as read under the lock. Candidates are merged in the
order of their evidence, so the order in which the model listed them does not matter (invariant 4: each has
exactly one outcome).
"""

from collections.abc import Sequence
from typing import NamedTuple

from siltstone.pipeline.candidate import MAX_DESCRIPTION, Judged
from siltstone.pipeline.canonical import canonical
from siltstone.pipeline.inbox import release
from siltstone.pipeline.ledger import UNASKED, UNREADABLE, Outcome
from siltstone.pipeline.merging import lookup, outcomes
from siltstone.pipeline.merging.working_copy import View, WorkingCopy
from siltstone.store.entry import GLOBAL, Change, Entry
from siltstone.store.names import slug

WRITES = ("promoted", "updated", "superseded", "conflicted")
"""Outcomes that add or change a text."""


class Merged(NamedTuple):
    changes: tuple[Change, ...]
    outcomes: tuple[Outcome, ...]
    """One for each candidate, in the order they were dealt with."""
    released: int
    """Inbox items that waited for an unreadable file and became memories."""
    before: View
    """The store as it was."""
    commit: str | None = None
    """None when nothing was written."""


def merge(judged: Sequence[Judged], view: View) -> Merged:
    """Decide about every candidate, and give the changes of all of them together."""
    copy = WorkingCopy(view)
    released = release(copy)
    found: list[Outcome] = []
    for one in [_decide(copy, item) for item in sorted(judged, key=by_evidence)]:
        path = one.path
        while path in copy.went:  # a later candidate may have moved the entry
            path = copy.went[path]
        found.append(one._replace(path=path))
    return Merged(tuple(copy.changes()), tuple(found), released, view)


def by_evidence(item: Judged) -> tuple[object, ...]:
    """A total order over everything that a decision depends on, by the time of the evidence."""
    candidate, evidence = item.candidate, sorted(item.verdict.evidence)
    said = evidence[0].at if evidence else 0
    words = candidate.type, canonical(candidate.body)
    return bool(evidence), said, candidate.action == "create", words, repr(item)


def _decide(copy: WorkingCopy, item: Judged) -> Outcome:
    candidate, verdict = item.candidate, item.verdict
    if verdict.outcome == "reject":
        return Outcome("rejected", verdict.reason, candidate, verdict)
    if candidate.target is not None and candidate.target not in copy.view.shown:
        return Outcome("rejected", "unknown-target", candidate, verdict)
    entry = draft(item, copy.view)
    target = copy.view.shown.get(candidate.target or 0)
    target = target if target in copy.live else None
    if candidate.action == "confirm":
        same = target or (lookup.find_same(copy, entry) if entry.body else None)
        if same is None:
            return Outcome("rejected", "unknown-target", candidate, verdict)
        return outcomes.absorb(copy, item, entry, same, "confirm")
    if not entry.body:
        return Outcome("rejected", "empty", candidate, verdict)
    if len(entry.body) > entry.limit:
        return Outcome("rejected", "over-limit", candidate, verdict)
    same = lookup.find_same(copy, entry)
    says_more = (
        candidate.action == "update" and same == target is not None and outcomes.extends(copy, entry, target)
    )
    repeats = same == target or target is None or candidate.action in ("create", "update")
    if same is not None and repeats and not says_more:
        return outcomes.absorb(copy, item, entry, same, "duplicate")
    if lookup.buried(copy.view, entry):
        return Outcome("rejected", "tombstone", candidate, verdict)
    if verdict.outcome == "quarantine":
        return _with_conflicts(copy, outcomes.quarantine(copy, item, entry))
    return _place(copy, item, entry, target)


def _place(copy: WorkingCopy, item: Judged, entry: Entry, target: str | None) -> Outcome:
    """Place an accepted candidate that the store does not say yet."""
    older = lookup.find_older(copy, entry)
    if older is not None:
        return Outcome("absorbed", "older", item.candidate, item.verdict, older)
    # A target in another scope does not count: a project fact that differs from a global one is an
    # override, not a conflict (invariant 11).
    target = target if target is not None and copy.live[target].scope == entry.scope else None
    if target is not None and item.candidate.action == "update":
        return _with_conflicts(copy, outcomes.revise(copy, item, entry, target))
    unreadable = lookup.find_unreadable(copy, entry)
    if unreadable is not None:
        return outcomes.quarantine(copy, item, entry)._replace(reason=UNREADABLE, other=unreadable)
    if target is not None and item.candidate.action in ("supersede", "contradict"):
        return _with_conflicts(copy, outcomes.against(copy, item, entry, target))
    replaced = lookup.find_replaced(copy, entry)
    if replaced is not None and outcomes.may_supersede(copy, entry, replaced):
        plainly = lookup.states_change(entry, copy.live[replaced])
        then = outcomes.supersede if plainly else outcomes.conflict
        return _with_conflicts(copy, then(copy, item, entry, replaced))
    opposed = lookup.find_opposed(copy, entry)
    if not opposed:
        return outcomes.outcome("promoted", item, outcomes.place(copy, entry))
    return _with_conflicts(copy, outcomes.against(copy, item, entry, opposed[0]))


def _with_conflicts(copy: WorkingCopy, done: Outcome) -> Outcome:
    """Open a conflict between the new text and every entry that it plainly contradicts."""
    if done.kind not in WRITES or done.path is None:
        return done
    opposed = outcomes.ask_about(copy, done.path)
    if not opposed or done.kind != "promoted":
        return done
    other = next((path for path, asked in opposed if asked), None)
    if other is None:
        return done._replace(reason=UNASKED, other=opposed[0][0])
    return done._replace(kind="conflicted", other=other)


def draft(item: Judged, view: View) -> Entry:
    """An entry with the candidate's words and the evidence's dates.

    `created` and `updated` are when it was said, so that reading the same sessions on another day
    gives the same store; only what has no evidence takes the clock's time.
    """
    candidate, verdict = item.candidate, item.verdict
    evidence = tuple(sorted(set(verdict.evidence)))
    description = " ".join((candidate.description or candidate.body).split())
    return Entry(
        scope=GLOBAL if candidate.scope == "global" else view.scope,
        name=slug(candidate.name or description),
        type=candidate.type,
        description=description[:MAX_DESCRIPTION].rstrip(),
        body=candidate.body.strip() or description,
        source=candidate.source,
        origin=verdict.origin,
        created=evidence[0].at if evidence else view.now,
        updated=evidence[-1].at if evidence else view.now,
        evidence=evidence,
        topic=candidate.topic,
        importance=candidate.importance,
    )
