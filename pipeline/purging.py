"""`silt purge`: out of history, out of the ledger, and not learned again from the same messages.

Rewriting history is store/purge.py. Here is what else still tells of a purged memory: the candidates
that were rejected in nearly its words, or with its quotes, and the transcripts it came from.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from siltstone.pipeline.canonical import canonical
from siltstone.pipeline.likeness import near
from siltstone.store.decided import PURGE
from siltstone.store.entry import Entry
from siltstone.store.purge import Purged, purge, versions
from siltstone.store.state import Rejected, State
from siltstone.store.store import Store

MIN_WORDS = 12
"""Letters from which words are somebody's, and not anybody's (invariant 6 draws the same line)."""


def erase(
    store: Store, state: State, paths: Sequence[str], scope: str | None, clock: Callable[[], datetime]
) -> Purged:
    """Purge the files at `paths`, a folder with "/" at its end; `scope` when all of a project goes.

    The ledger loses the scope's rejected candidates, or those that speak of the files. The state goes
    first: what fails after it is purged again, and `purge` by then no longer knows what it said.
    Raises as `store.purge.purge`.
    """
    with store.locked():
        store.settle()
        told = versions(store, paths)
    if scope is not None:
        state.ledger.forget(scope)
    state.ledger.forget_if(lambda row: speaks_of(row, told))
    state.opened.forget(paths)
    state.shown.withdraw(PURGE)
    state.purged.add((said for entry in told for said in entry.evidence), clock())
    return purge(store, paths)


def speaks_of(row: Rejected, told: Sequence[Entry]) -> bool:
    """Whether a rejected candidate repeats what one of these entries says, or a quote that proves it."""
    said = canonical(f"{row.text}\n{row.evidence}")
    for entry in told:
        parts = (entry.body, entry.description, *(item.quote for item in entry.evidence))
        if any(len(part) >= MIN_WORDS and part in said for part in map(canonical, parts)):
            return True
        if near(row.text, entry.body) or near(row.text, entry.description):
            return True
    return False
