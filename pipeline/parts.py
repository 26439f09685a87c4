"""What a run works with, and the lease on the scope that it works on."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import NamedTuple

from siltstone.pipeline.extraction.extract import ModelExtractor, Rules
from siltstone.pipeline.progress import Tell, tell_nobody
from siltstone.store.entry import Change
from siltstone.store.search import Search
from siltstone.store.state import Holder, State
from siltstone.store.store import Store

LEASE = timedelta(hours=1)
"""How long a lease lasts without being renewed: longer than the slow calls of one window. The lease of a dead
process ends at once."""


Extractor = Rules | ModelExtractor
"""Window in, candidates out: the embedded rules, or a model."""


class Parts(NamedTuple):
    store: Store
    state: State
    search: Search
    extractor: Extractor
    clock: Callable[[], datetime]
    register: Callable[[str], Sequence[Change]]
    """The change that writes a scope's `project.yaml`; empty when it is written already."""
    run: str
    """Number of the run, "0007"; goes into `Silt-Run`."""
    keywords: tuple[str, ...] = ()
    """Patterns of the user's own that ask to keep something (E19)."""
    tell: Tell = tell_nobody
    """Hears how far the work is."""


def lease(parts: Parts, scope: str) -> bool:
    """Take or renew the lease on a scope. False: another process holds it.

    One process reads or compacts a scope at a time, and nobody waits for it (invariant 13).
    """
    return parts.state.leases.take(f"scope/{scope}", Holder.current(), parts.clock(), LEASE)


@contextmanager
def leased(parts: Parts, scope: str) -> Iterator[bool]:
    """Hold the lease on a scope for the block; yields False when another process holds it."""
    taken = lease(parts, scope)
    try:
        yield taken
    finally:
        if taken:
            parts.state.leases.release(f"scope/{scope}", Holder.current())
