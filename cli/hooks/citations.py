"""Counting the memories that an agent's answers name or quote."""

from collections.abc import Iterable

from siltstone.cli.hooks.common import Answer, LazyState, Work
from siltstone.recall.prepared import Prepared
from siltstone.recall.relevance import cited
from siltstone.recall.session.event import Event


def step(work: Work, answer: Answer) -> None:
    """Count what the answer of a hook's call uses."""
    count(work.call.events, work.state, work.now)


def count(events: Iterable[Event], state: LazyState, now: float) -> None:
    """Count what the answers among events use, of the memories that their sessions were shown.

    Raises StateError, StoreError, Locked.
    """
    for event in events:
        if (event.kind, event.role) != ("message", "assistant") or not event.text:
            continue
        db = state.open()
        if paths := db.shown.paths(event.agent, event.session):
            with Prepared(state.folder) as prepared:
                shown = prepared.fragments(paths)
            with db.transaction():
                db.usage.cited(cited(event.text, shown.values()), now)
