"""Who acts on the store's files: the user at a terminal, or the agent of a session."""

from collections import Counter
from collections.abc import Sequence

from siltstone.cli.context import Context, now
from siltstone.cli.rebuild import rebuild
from siltstone.cli.scopes import Scopes
from siltstone.store.entry import Change, Write
from siltstone.store.files import TERMINAL, Actor, Session
from siltstone.store.names import place
from siltstone.store.recovery import Settled
from siltstone.store.run_number import next_run


def actor(context: Context, session: str | None = None, scopes: Scopes | None = None) -> Actor:
    """Who acts on the store's files: the user, or the agent of a session."""
    return Actor(
        context.store,
        lambda: context.state.opened,
        now,
        lambda: next_run(context.store, context.state),
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
