"""`silt purge`: out of history, out of the ledger, and not learned again from the same messages.

Rewriting history is store/purge.py. Here is what else still tells of a purged memory: the candidates
that were rejected in nearly its words, or with its quotes, the states of sessions that repeat it, and the
transcripts it came from.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from siltstone.pipeline.canonical import canonical
from siltstone.pipeline.likeness import near
from siltstone.pipeline.words import letters
from siltstone.store.decided import PURGE
from siltstone.store.entry import Entry
from siltstone.store.purge import Purged, purge, versions
from siltstone.store.state import Rejected, State
from siltstone.store.store import Store

MIN_WORDS = 12
"""Letters from which words are somebody's, and not anybody's (invariant 6 draws the same line)."""
RUN, STEP = 24, 8
"""A text of a session's state that shares 31 characters in a row with what is purged goes with it: such
texts are cut and joined, so that whole sentences of it need not stand in them. Looked up are runs of 24,
one every eighth character of what is purged: any 31 hold one, and a large project has few enough."""


def erase(
    store: Store,
    state: State,
    paths: Sequence[str],
    scope: str | None,
    clock: Callable[[], datetime],
    within: Callable[[str], bool] = lambda folder: False,
) -> Purged:
    """Purge the files at `paths`, a folder with "/" at its end; `scope` when all of a project goes.

    The ledger loses the scope's rejected candidates, or those that speak of the files; states and
    summaries of sessions go that tell of them, or worked in a folder that `within` picks. The state goes
    first: what fails after it is purged again, and `purge` by then no longer knows what it said.
    Raises as `store.purge.purge`.
    """
    with store.locked():
        store.settle()
        told = versions(store, paths)
    if scope is not None:
        state.ledger.forget(scope)
    state.ledger.forget_if(lambda row: speaks_of(row, told))
    state.pending.forget_if(lambda row: speaks_of(row, told))
    state.traces.forget_if(telling(told, paths), within)
    state.opened.forget(paths)
    state.shown.withdraw(PURGE)
    state.purged.add((said for entry in told for said in entry.evidence), clock())
    return purge(store, paths)


def telling(told: Sequence[Entry], paths: Sequence[str]) -> Callable[[str], bool]:
    """Whether a text tells of entries: in their words, or by the name of one of the files."""
    parts = {part for entry in told for part in _parts(entry) if letters(part) >= MIN_WORDS}
    runs = {part[at : at + RUN] for part in parts for at in range(0, len(part) - RUN + 1, STEP)}
    short = [part for part in parts if len(part) < RUN + STEP]
    names = [path.removesuffix(".md").rpartition("/")[2] or path for path in paths]

    def tells(text: str) -> bool:
        said = canonical(text)
        return (
            any(name in text for name in names)
            or any(part in said for part in short)
            or any(said[at : at + RUN] in runs for at in range(len(said) - RUN + 1))
        )

    return tells


def _parts(entry: Entry) -> Iterator[str]:
    """What an entry says, piece by piece, as it is compared."""
    said = (*entry.body.splitlines(), entry.description, *(item.quote for item in entry.evidence))
    return (canonical(part) for part in said)


def speaks_of(row: Rejected, told: Sequence[Entry]) -> bool:
    """Whether a rejected candidate repeats what one of these entries says, or a quote that proves it, or
    names its file."""
    said = canonical(f"{row.text}\n{row.evidence}")
    for entry in told:
        parts = (entry.body, entry.description, *(item.quote for item in entry.evidence))
        if any(len(part) >= MIN_WORDS and part in said for part in map(canonical, parts)):
            return True
        if len(entry.name) >= MIN_WORDS and entry.name in row.text:
            return True
        if near(row.text, entry.body) or near(row.text, entry.description):
            return True
    return False
