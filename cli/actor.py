"""Who acts on the store's files, and as which run."""

from collections import Counter
from collections.abc import Sequence
from secrets import token_hex

from siltstone.cli.context import Context, now
from siltstone.cli.rebuild import rebuild
from siltstone.cli.scopes import Scopes
from siltstone.store.entry import Change, Write
from siltstone.store.files import TERMINAL, Actor, Session
from siltstone.store.history import highest_run
from siltstone.store.names import place
from siltstone.store.recovery import Settled

RUNS = "runs"
"""Name of the state value that counts runs."""
NUMBERED = "runs-numbered-to"
"""Name of the state value that holds the commit up to which run numbers were looked at."""
COPY = "copy"
"""Name of the state value that tells this copy of the store from others: four hex digits."""


def next_run(context: Context) -> str:
    """The next run's name: "0007", or "0007-3fa2" in a store with a remote.

    The number is larger than that of every commit the store can see, pulled ones too. Two copies of a
    store count on by themselves between pulls, so what stands behind it tells whose run it is.
    """
    store, state = context.store, context.state
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


def actor(context: Context, session: str | None = None, scopes: Scopes | None = None) -> Actor:
    """Who acts on the store's files: the user, or the agent of a session."""
    return Actor(
        context.store,
        lambda: context.state.opened,
        now,
        lambda: next_run(context),
        lambda scope: scopes.register(scope) if scopes else [],
        lambda changes: _follow(context, changes),
        TERMINAL if session is None else Session.of(session),
        "user" if session is None else "agent",
    )


def _follow(context: Context, changes: Sequence[Change]) -> Settled:
    """What is derived from the memories, after a commit that changed them: churn, search, indexes."""
    places = (place(change.path) for change in changes if isinstance(change, Write))
    scopes = [where.scope for where in places if where is not None and where.kind == "memory"]
    for scope, count in Counter(filter(None, scopes)).items():
        context.state.compaction.wrote(scope, count)
    return rebuild(context).settled
