"""`silt purge`: remove memories from history, ledger and session state, and never learn them again.

store/purge.py rewrites history. This module removes what else repeats a purged memory: rejected candidates
with nearly its words or with its quotes, and states of sessions. It marks the messages that the memory came
from, so that it is not learned from them again.
"""

from collections.abc import Callable, Sequence
from datetime import datetime

from siltstone.pipeline.canonical import canonical
from siltstone.pipeline.merging.likeness import near
from siltstone.pipeline.words import letters
from siltstone.store.entry import HEARD, Entry
from siltstone.store.history import PURGE
from siltstone.store.purge import Purged, purge, versions
from siltstone.store.session_archive import SessionArchive
from siltstone.store.state import Rejected, State
from siltstone.store.store import Store

MIN_WORDS = 12
"""Letters of a text that identifies a memory; shorter ones are too common (as in invariant 6)."""
RUN, STEP = 24, 8
"""A text of a session's state that shares 31 characters in a row with a purged text goes too. Such texts are
cut and joined, so they need not hold whole sentences. Only runs of 24 characters are looked up, one at every
eighth character of the purged text: any 31 characters hold one."""


def erase(
    store: Store,
    state: State,
    paths: Sequence[str],
    scope: str | None,
    clock: Callable[[], datetime],
    within: Callable[[str], bool] = lambda folder: False,
    archive: SessionArchive | None = None,
) -> Purged:
    """Purge the files at `paths` (a folder ends with "/"); `scope` when a whole project goes.

    The ledger loses the scope's rejected candidates, or those that repeat the files. States and summaries
    of sessions go that repeat them or that worked in a folder which `within` picks, and so do messages of the
    archive. The state goes first, because after `purge` nobody knows any more what the files said. Raises as
    `store.purge.purge`.
    """
    with store.locked():
        store.settle()
        entries = versions(store, paths)
    repeats = repeats_of(entries, paths)

    def speaks_of_it(row: Rejected) -> bool:
        alike = (near(row.text, text) for entry in entries for text in (entry.body, entry.description))
        return repeats(f"{row.text}\n{row.evidence}") or any(alike)

    if scope is not None:
        state.ledger.forget(scope)
    state.ledger.forget_if(speaks_of_it)
    state.pending.forget_if(speaks_of_it)
    state.purged.forget_if(repeats, within)
    if archive is not None:
        archive.forget_if(repeats, within)
    state.usage.forget(paths)
    state.shown.withdraw(PURGE)
    said = [item for entry in entries for item in entry.evidence]
    hashes = {one.words_hash if one.message.startswith(HEARD) else one.message_hash for one in said}
    state.purged.add(sorted(hashes), clock())
    return purge(store, paths)


def repeats_of(entries: Sequence[Entry], paths: Sequence[str]) -> Callable[[str], bool]:
    """A test whether a text repeats entries: their words or quotes, their names, or those of the files."""
    parts: set[str] = set()
    names = [path.removesuffix(".md").rpartition("/")[2] or path for path in paths]
    for entry in entries:
        lines = (*entry.body.splitlines(), entry.description, *(item.quote for item in entry.evidence))
        parts.update(part for part in map(canonical, lines) if letters(part) >= MIN_WORDS)
        names += [entry.name] if len(entry.name) >= MIN_WORDS else []
    runs = {part[at : at + RUN] for part in parts for at in range(0, len(part) - RUN + 1, STEP)}
    short = [part for part in parts if len(part) < RUN + STEP]

    def repeats(text: str) -> bool:
        plain = canonical(text)
        return (
            any(name in text for name in names)
            or any(part in plain for part in short)
            or any(plain[at : at + RUN] in runs for at in range(len(plain) - RUN + 1))
        )

    return repeats
