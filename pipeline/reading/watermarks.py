"""What is behind the watermark: the state database, and the store's own commits where it lost something.

The watermark of a transcript is the later of the two (invariant 2), so a lost state database costs model
calls at most.
"""

from collections.abc import Sequence
from datetime import datetime

from siltstone.store.errors import SiltError
from siltstone.store.history import watermarks
from siltstone.store.state import State, clean
from siltstone.store.store import Store

AGREES_TO = "trailers-read-to"
"""Name of the state value that holds the commit up to which trailers and state agree."""

READ_INTO = "read-into"
"""Name of the state value that holds a commit of the store that the state is of."""


class Watermarks:
    """By the state database, whose stamps are read once an agent. Without one nothing was ever read: for the
    estimate of a reading anew."""

    def __init__(self, state: State | None) -> None:
        self._sources = state.sources if state else None
        self._stamps: dict[str, dict[str, str]] = {}
        self._retries = {one.window: one.next_try for one in state.failures.all()} if state else {}

    def stamp(self, agent: str, key: str) -> str | None:
        """The source's stamp when it was last read to its end."""
        if agent not in self._stamps:
            self._stamps[agent] = self._sources.stamps(agent) if self._sources else {}
        known = self._stamps[agent]
        return known.get(key) or known.get(clean(key))

    def resume(self, agent: str, key: str) -> str | None:
        mark = self._sources.get(agent, key) if self._sources else None
        return mark.resume if mark else None

    def seen(self, agent: str, keys: Sequence[str]) -> set[str]:
        """Which of these message keys have been dealt with."""
        return set(self._sources.seen(agent, keys)) if self._sources else set()

    def retry_at(self, agent: str, key: str) -> datetime | None:
        """When a source whose window failed may be tried again; None when it did not fail."""
        return self._retries.get(clean(f"{agent}/{key}"))


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
