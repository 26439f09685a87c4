"""The name of a run: "0007", or "0007-3fa2" in a store with a remote (trailer `Silt-Run`)."""

from secrets import token_hex

from siltstone.store.history import highest_run
from siltstone.store.state import State
from siltstone.store.store import Store

RUNS = "runs"
"""Name of the state value that counts runs."""
NUMBERED = "runs-numbered-to"
"""Name of the state value that holds the commit up to which run numbers were looked at."""
COPY = "copy"
"""Name of the state value that tells this copy of the store from others: four hex digits."""


def next_run(store: Store, state: State) -> str:
    """The next run's name.

    The number is larger than that of every commit the store can see, pulled ones too. Two copies of a
    store count on by themselves between pulls, so the four digits tell whose run it is.
    """
    if store.lacks is not None:
        return f"{state.next_number(RUNS):04d}"
    head = store.git.head()
    after = highest_run(store, state.value(NUMBERED))
    name = f"{state.next_number(RUNS, after):04d}"
    state.set_value(NUMBERED, head)
    if not store.git.has_remote():
        return name
    copy = state.value(COPY) or token_hex(2)
    state.set_value(COPY, copy)
    return f"{name}-{copy}"
