"""Churn: how many memories of each scope were written since it was last compacted, but by an undo."""

from collections import Counter

from siltstone.store import commits
from siltstone.store.errors import GitError
from siltstone.store.names import in_force, scope_of_path
from siltstone.store.state import State
from siltstone.store.store import Store

COUNTED_TO = "churn-counted-to"
"""Name of the state value that holds the commit up to which writes were counted."""


def count_writes(store: Store, state: State) -> None:
    """Bring the churn of every scope up to HEAD: the memories that commits wrote since it was last counted.

    Read from the commits, so that a kill between a commit and its bookkeeping loses none.
    """
    head, since = store.git.head(), state.value(COUNTED_TO)
    if head is None or head == since:
        return
    try:
        fresh = list(commits.read(store.git, f"{since}..{head}" if since else head))
    except GitError:  # that commit is gone: a purge rewrote history
        fresh = []
    changes = [one for commit in fresh if commit.op not in ("compact", "undo") for one in commit.touched]
    written = Counter(scope_of_path(one.path) for one in changes if one.new and in_force(one.path))
    with state.transaction():
        if state.value(COUNTED_TO) == since:  # nobody else has counted meanwhile
            for scope, memories in written.items():
                state.compaction.wrote(scope, memories)
            state.set_value(COUNTED_TO, head)
