"""Judged candidates meet the store: what is written, and what became of each (docs/architecture.md).

A pure function of the candidates and of the store as read under the lock. Candidates are taken in the
order of their evidence, so the result does not depend on the order in which the model listed them.
Every candidate has exactly one outcome (invariant 4).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from siltstone.pipeline.candidate import Judged
from siltstone.pipeline.canonical import canonical
from siltstone.pipeline.inbox import release
from siltstone.pipeline.ledger import UNREADABLE, Outcome
from siltstone.pipeline.merging.contradict import against, ask_about, may_supersede, supersede
from siltstone.pipeline.merging.desk import Desk, View
from siltstone.pipeline.merging.draft import draft
from siltstone.pipeline.merging.lookup import buried, find_older, find_opposed, find_replaced, find_same
from siltstone.pipeline.merging.placing import absorb, promote, quarantine
from siltstone.pipeline.merging.revise import revise
from siltstone.pipeline.merging.unreadable import in_the_way, told_in
from siltstone.store.conflicts import Section
from siltstone.store.entry import Change, Entry

_STANDS = ("promoted", "updated", "superseded", "conflicted")
"""Outcomes that leave a text which did not stand before."""

__all__ = ["Merged", "View", "merge"]


@dataclass(frozen=True, slots=True)
class Merged:
    """What a window does to the store."""

    changes: tuple[Change, ...]
    outcomes: tuple[Outcome, ...]
    """One for each candidate, in the order they were dealt with."""
    conflicts: tuple[Section, ...]
    """Conflicts opened by this merge; they stand in `changes` too."""
    released: int = 0
    """Inbox items that waited for a file, which can be read now, and are memories by this merge."""


def merge(judged: Sequence[Judged], view: View) -> Merged:
    """Decides for every candidate, and gives the changes of all of them together."""
    desk = Desk(view)
    known = {section.id for section in desk.sections}
    released = release(desk)
    outcomes = tuple(_decide(desk, item) for item in sorted(judged, key=_order))
    outcomes = tuple(replace(outcome, path=_now(desk, outcome.path)) for outcome in outcomes)
    opened = tuple(section for section in desk.sections if section.id not in known)
    return Merged(tuple(desk.changes()), outcomes, opened, released)


def _now(desk: Desk, path: str | None) -> str | None:
    """Where a path's fact stands at the end: a later candidate may have moved it on."""
    while path in desk.went:
        path = desk.went[path]
    return path


def _order(item: Judged) -> tuple[object, ...]:
    """A total order over everything a decision looks at, by when it was said."""
    candidate, verdict = item.candidate, item.verdict
    told = tuple(sorted(verdict.evidence))
    return (
        bool(told),
        told[0].at if told else 0,
        candidate.action == "create",
        candidate.type,
        canonical(candidate.body),
        candidate.body,
        candidate.description,
        candidate.name,
        candidate.target or 0,
        told,
        candidate.scope,
        candidate.action,
        candidate.source,
        candidate.topic or "",
        verdict.outcome,
        verdict.origin,
        verdict.reason,
    )


def _decide(desk: Desk, item: Judged) -> Outcome:
    candidate, verdict = item.candidate, item.verdict
    if verdict.outcome == "reject":
        return Outcome("rejected", verdict.reason, candidate, verdict)
    if candidate.target is not None and candidate.target not in desk.view.shown:
        return Outcome("rejected", "unknown-target", candidate, verdict)
    entry = draft(item, desk.view)
    target = desk.view.shown.get(candidate.target or 0)
    target = target if target in desk.live else None
    if candidate.action == "confirm":
        same = target or (find_same(desk, entry) if entry.body else None)
        if same is None:
            return Outcome("rejected", "unknown-target", candidate, verdict)
        return absorb(desk, item, entry, same, "confirm")
    if not entry.body:
        return Outcome("rejected", "empty", candidate, verdict)
    if len(entry.body) > entry.limit:
        return Outcome("rejected", "over-limit", candidate, verdict)
    same = find_same(desk, entry)
    if same is not None and (same == target or target is None or candidate.action in ("create", "update")):
        return absorb(desk, item, entry, same, "duplicate")
    if buried(desk.view, entry):
        return Outcome("rejected", "tombstone", candidate, verdict)
    told = told_in(desk, entry)
    if told is not None:
        return Outcome("absorbed", "duplicate", candidate, verdict, told)
    if verdict.outcome == "quarantine":
        return _questioned(desk, quarantine(desk, item, entry))
    return _place(desk, item, entry, target)


def _place(desk: Desk, item: Judged, entry: Entry, target: str | None) -> Outcome:
    """An accepted candidate that nothing in the store says yet."""
    older = find_older(desk, entry)
    if older is not None:
        return Outcome("absorbed", "older", item.candidate, item.verdict, older.by)
    # With a target of another scope: a project fact that differs from a global one is an override, not
    # a conflict (invariant 11).
    target = target if target is not None and desk.live[target].scope == entry.scope else None
    if target is not None and item.candidate.action == "update":
        return _questioned(desk, revise(desk, item, entry, target))
    way = in_the_way(desk, entry)
    if way is not None:
        return replace(quarantine(desk, item, entry), reason=UNREADABLE, other=way)
    if target is not None and item.candidate.action in ("supersede", "contradict"):
        return _questioned(desk, against(desk, item, entry, target))
    replaced = find_replaced(desk, entry)
    if replaced is not None and may_supersede(desk, entry, replaced):
        return _questioned(desk, supersede(desk, item, entry, replaced))
    opposed = find_opposed(desk, entry)
    if not opposed:
        return promote(desk, item, entry)
    return _questioned(desk, against(desk, item, entry, opposed[0]))


def _questioned(desk: Desk, outcome: Outcome) -> Outcome:
    """What stands now is put before the user beside all that it plainly contradicts."""
    if outcome.kind not in _STANDS or outcome.path is None:
        return outcome
    opposed = ask_about(desk, outcome.path)
    if opposed and outcome.kind == "promoted":
        return replace(outcome, kind="conflicted", other=opposed[0])
    return outcome
