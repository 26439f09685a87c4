"""What is behind the watermark: the state database, and the store's own commits where it lost something.

The watermark of a transcript is the later of the two (invariant 2), so a lost state database costs model
calls at most.
"""

from siltstone.store.errors import SiltError
from siltstone.store.history import watermarks
from siltstone.store.state import State
from siltstone.store.store import Store

AGREES_TO = "trailers-read-to"
"""Name of the state value that holds the commit up to which trailers and state agree."""

READ_INTO = "read-into"
"""Name of the state value that holds a commit of the store that the state is of."""


def lost_watermarks(store: Store, state: State) -> dict[tuple[str, str], str]:
    """The last message of each (agent, session) that the store's trailers know and the state does not.

    Only commits since the last run that ended well are read, all of them when the state is new.
    """
    try:
        trailers = watermarks(store, state.value(AGREES_TO))
    except SiltError:
        trailers = watermarks(store)  # that commit is gone: a purge rewrote history
    known: dict[tuple[str, str], set[str]] = {}
    for mark in state.sources.all() if trailers else ():
        known.setdefault((mark.agent, mark.session), set()).add(mark.message or "")
    return {key: message for key, message in trailers.items() if message not in known.get(key, set())}


def is_of(store: Store, state: State) -> bool:
    """Whether what the state says was read is in this store, and not in another that stood in its place."""
    known, head = state.value(READ_INTO), store.git.head()
    return known is None or known == head or bool(store.git.commit_id(known))


def bind(store: Store, state: State) -> bool:
    """Note which store the state is of; whether it was of another, and now says that nothing was read."""
    if was_of_another := not is_of(store, state):
        state.sources.forget_all()
        state.set_value(AGREES_TO, None)
    state.set_value(READ_INTO, store.git.head())
    return was_of_another


def read_again(store: Store, state: State) -> None:
    """Ignore the trailers so far: what was taken out of the state is to be read again."""
    state.set_value(AGREES_TO, store.git.head())
