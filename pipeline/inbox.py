"""The inbox: what an agent said of itself waits here until somebody else says it (invariant 6).

Candidates come in and are lifted by a second session in `merging/placing.py`; here is what the user
does (`silt inbox accept`) and what time does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from siltstone.pipeline.merging.desk import Desk, View
from siltstone.pipeline.merging.lookup import find_same
from siltstone.pipeline.merging.placing import with_evidence
from siltstone.pipeline.merging.survivor import better
from siltstone.pipeline.merging.unreadable import in_the_way, told_in
from siltstone.store.entry import GLOBAL, Change, Delete, Entry, Stored
from siltstone.store.errors import Misuse

UNSEEN = timedelta(days=60)
"""After which an item that nobody repeated is rejected as "expired"."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """An inbox item that became, or strengthened, a memory."""

    changes: tuple[Change, ...]
    path: str


def accept(path: str, view: View) -> Accepted:
    """The user's word for an item: it becomes a memory of source "manual", with its evidence and origin.

    `view.current` must hold the item's scope. What the store says already only gains the evidence;
    a readonly memory not even that. Raises Misuse when there is no such item, or a file that cannot be
    read may say the same.
    """
    desk = Desk(view)
    if path not in desk.inbox:
        raise Misuse(f"{path} is not in the inbox; `silt inbox` lists what is.")
    way = told_in(desk, desk.inbox[path]) or in_the_way(desk, desk.inbox[path])
    if way is not None:
        raise Misuse(f"{way} cannot be read and may say the same; mend or delete that file, then accept.")
    kept = _let_go(desk, path, replace(desk.inbox[path], source="manual"))
    return Accepted(tuple(desk.changes()), kept)


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
        return desk.add(item.scope, item)
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
