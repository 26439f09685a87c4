"""Who works on a scope: one process reads or compacts it at a time, nobody waits for it (invariant 13)."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from siltstone.pipeline.learn import Parts
from siltstone.store.state import Holder

LASTS = timedelta(minutes=15)
"""How long a scope stays ours without a word; a dead holder's lease falls at once."""


def take(parts: Parts, scope: str) -> bool:
    """Take a scope, or keep it for longer. False: a living process works on it."""
    return parts.state.leases.take(_name(scope), Holder.current(), parts.clock(), LASTS)


@contextmanager
def working_on(parts: Parts, scope: str) -> Iterator[bool]:
    """Have a scope for the block; yields False when another process has it."""
    taken = take(parts, scope)
    try:
        yield taken
    finally:
        if taken:
            parts.state.leases.release(_name(scope), Holder.current())


def _name(scope: str) -> str:
    return f"scope/{scope}"
