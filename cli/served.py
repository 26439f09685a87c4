"""What one call of `silt inject` comes back with. On the hot path."""

from siltstone.recall.block import Block
from siltstone.recall.ladder import Decision
from siltstone.store.tuples import NamedTuple


class Served(NamedTuple):
    """A block, and why it is this one."""

    block: Block
    decision: Decision | None = None
    """None where nothing is kept of what was shown: without a session, or without a state."""
