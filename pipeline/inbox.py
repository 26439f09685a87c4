"""The inbox: what an agent said of itself waits here until somebody else says it (invariant 6).

Candidates come in and are lifted by a second session in `merging/placing.py`; here is what the user
does (`silt inbox accept`) and what time does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from siltstone.pipeline.canonical import canonical
from siltstone.pipeline.conflicts import flag
from siltstone.pipeline.merging.contradict import ask_about
from siltstone.pipeline.merging.desk import Desk, View
from siltstone.pipeline.merging.lookup import find_same
from siltstone.pipeline.merging.placing import with_evidence
from siltstone.pipeline.merging.survivor import better
from siltstone.pipeline.merging.unreadable import in_the_way, told_in
from siltstone.pipeline.rivals import rivals
from siltstone.store.entry import GLOBAL, Change, Delete, Entry, Stored, body_mark
from siltstone.store.errors import Misuse

UNSEEN = timedelta(days=60)
"""After which an item that nobody repeated is rejected as "expired"."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """An inbox item that became, or strengthened, a memory."""

    changes: tuple[Change, ...]
    path: str
    replaced: str | None = None
    """The memory whose words it took the place of; an archived path when it contradicts them."""
    beside: str | None = None
    """The memory that it was a new text for, and that stays as well."""
    why: str = ""
    """Why that one stays."""


def accept(path: str, view: View) -> Accepted:
    """The user's word for an item: it becomes a memory of source "manual", with its evidence and origin.

    `view.current` must hold the item's scope. What the store says already only gains the evidence;
    a readonly memory not even that. A new text for a memory takes its place, or supersedes it when the
    two contradict; it stands beside what the user wrote by hand or somebody changed meanwhile, and a
    contradiction to that is a conflict (invariants 9, 11). Raises Misuse when there is no such item, it
    is a new text for a readonly memory, or a file that cannot be read may say the same.
    """
    desk = Desk(view)
    if path not in desk.inbox:
        raise Misuse(f"{path} is not in the inbox; `silt inbox` lists what is.")
    way = told_in(desk, desk.inbox[path]) or in_the_way(desk, desk.inbox[path])
    if way is not None:
        raise Misuse(f"{way} cannot be read and may say the same; mend or delete that file, then accept.")
    item = replace(desk.inbox[path], source="manual", replaces=None)
    target = _target(desk, path)
    if target is None or canonical(desk.live[target].body) == canonical(item.body):
        kept = _let_go(desk, path, item)
        return Accepted(tuple(desk.changes()), kept)
    return _instead(desk, path, item, target)


def _target(desk: Desk, path: str) -> str | None:
    """The memory that an item is a new text for; None for an item of its own, or when that one is gone."""
    item = desk.inbox[path]
    if item.replaces is None:
        return None
    known = (item.scope, item.type, item.name)
    same = (p for p, other in desk.live.items() if (other.scope, other.type, other.name) == known)
    return min(same, default=None)


def _instead(desk: Desk, path: str, item: Entry, target: str) -> Accepted:
    """Lets a new text take the place of a memory's words, as far as they are not the user's own."""
    old, stored = desk.live[target], desk.stored[target]
    if old.readonly:
        raise Misuse(
            f"{target} is readonly, and {path} would change it: take `readonly: true` out of that file by "
            "hand first, or reject the item."
        )
    against = rivals(old.body, item.body)
    changed = desk.inbox.pop(path).replaces != body_mark(old.body)
    if stored.user_written or changed:
        kept = desk.add(item.scope, item)
        desk.sections = flag(desk.sections, desk.live, kept, target) if against else desk.sections
        why = "you wrote that one by hand" if stored.user_written else "that one was changed since"
        return Accepted(tuple(desk.changes()), kept, beside=target, why=why)
    if against and not stored.pinned:
        kept = desk.add(item.scope, item)
        archived = desk.retire(target, kept, item.updated)
        return Accepted(tuple(desk.changes()), kept, replaced=archived)
    new = replace(old, description=item.description, body=item.body, source="manual", origin=item.origin)
    desk.live[target] = replace(with_evidence(new, item), updated=max(old.updated, item.updated))
    return Accepted(tuple(desk.changes()), target, replaced=target)


def release(desk: Desk) -> int:
    """Lets the items go that waited for a file which can be read now, or is gone; how many.

    Only such items are in the inbox with better proof than an agent's own words (invariant 6).
    """
    free = [
        path
        for path, item in sorted(desk.inbox.items())
        if _waits_for_a_file(desk.stored[path])
        and item.scope in (desk.view.scope, GLOBAL)
        and told_in(desk, item) is None
        and in_the_way(desk, item) is None
    ]
    for path in free:
        desk.went[path] = _let_go(desk, path, desk.inbox[path])
    return len(free)


def _let_go(desk: Desk, path: str, item: Entry) -> str:
    """Makes an item a memory, or gives its evidence to the one that says the same; the memory's path."""
    del desk.inbox[path]
    same = find_same(desk, item)
    if same is None:
        kept = desk.add(item.scope, item)
        ask_about(desk, kept)
        return kept
    if not desk.readonly(same):
        old = desk.live[same]
        desk.live[same] = replace(with_evidence(old, item), origin=better(old.origin, item.origin))
    return same


def _waits_for_a_file(item: Stored) -> bool:
    return item.entry.origin != "assistant-inferred" and not item.user_written


def expired(inbox: Sequence[Stored], seen: Mapping[str, datetime], now: datetime) -> list[Delete]:
    """Removes the items that nobody repeated for 60 days.

    `seen` is when each file was last written, by path (its last commit): old transcripts that are
    read for the first time today were seen today. An item that was never committed stays, and so does
    one that waits for a file to be mended: it is proven.
    """
    unproven = [stored for stored in inbox if not _waits_for_a_file(stored)]
    return [Delete(s.path, s.hash) for s in unproven if now - seen.get(s.path, now) >= UNSEEN]
