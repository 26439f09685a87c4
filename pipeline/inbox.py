"""The inbox: what an agent said of itself waits here until somebody else says it (invariant 6).

Candidates come in and are lifted by a second session in `merging/placing.py`; here is what the user
does (`silt inbox accept | reject`) and what time does.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from siltstone.pipeline.merging.desk import Desk, View
from siltstone.pipeline.merging.lookup import find_same
from siltstone.pipeline.merging.placing import with_evidence
from siltstone.pipeline.merging.survivor import better
from siltstone.store.entry import Change, Delete, Stored
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
    a readonly memory not even that. Raises Misuse when there is no such item.
    """
    desk = Desk(view)
    if path not in desk.inbox:
        raise Misuse(f"{path} is not in the inbox; `silt inbox` lists what is.")
    item = desk.inbox.pop(path)
    same = find_same(desk, item)
    if same is None:
        return Accepted(*_changed(desk, desk.add(item.scope, replace(item, source="manual"))))
    if not desk.readonly(same):
        old = desk.live[same]
        desk.live[same] = replace(with_evidence(old, item), origin=better(old.origin, item.origin))
    return Accepted(*_changed(desk, same))


def reject(item: Stored) -> Delete:
    """Takes an item away. Committed as `forget`, it leaves a tombstone and is not learnt again."""
    return Delete(item.path, item.hash)


def expired(inbox: Sequence[Stored], seen: Mapping[str, datetime], now: datetime) -> list[Delete]:
    """Removes the items that nobody repeated for 60 days.

    `seen` is when each file was last written, by path (its last commit): old transcripts that are
    read for the first time today were seen today. An item that was never committed stays.
    """
    return [Delete(s.path, s.hash) for s in inbox if now - seen.get(s.path, now) >= UNSEEN]


def _changed(desk: Desk, path: str) -> tuple[tuple[Change, ...], str]:
    return tuple(desk.changes()), path
