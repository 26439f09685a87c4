"""Whose hand is at work on the store's files, in which project, as which run.

Light: nothing here loads what reads transcripts, so that a tool that only looks answers at once.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from siltstone.cli.context import Context, now
from siltstone.store.entry import Change, Write
from siltstone.store.files import TERMINAL, Actor, Session
from siltstone.store.history import highest_run
from siltstone.store.names import place
from siltstone.store.projects import Project, Projects
from siltstone.store.recovery import Settled

if TYPE_CHECKING:
    from siltstone.pipeline.reading.backlog import Unread

RUNS = "runs"
"""Name of the state value that counts runs."""
NUMBERED = "runs-numbered-to"
"""Name of the state value that holds the commit up to which run numbers were looked at."""
COPY = "copy"
"""Name of the state value that tells this copy of the store from others: four hex digits."""


class Scopes:
    """Which project each session belongs to, and what registers it in the store."""

    def __init__(self, context: Context) -> None:
        home = context.configured.environ.get("HOME")
        self._projects = Projects.load(context.store.root, Path(home) if home else None)
        self._found: dict[str, Project] = {}

    def of(self, cwd: str, remotes: Sequence[str] = ()) -> str:
        """The scope of a folder."""
        project = self._projects.resolve(cwd, remotes)
        self._found[project.scope] = project
        return project.scope

    def of_session(self, unread: "Unread") -> str:
        return self.of(unread.session.cwd, unread.session.remotes)

    def unknown(self) -> dict[str, str]:
        """Projects that were met and of which the store knows nothing yet: scope → folder."""
        return {
            scope: next((mark.value for mark in project.identities if mark.kind == "path"), "")
            for scope, project in self._found.items()
            if (change := self._projects.change(project)) is not None and change.expected is None
        }

    def register(self, scope: str) -> list[Write]:
        """The change that writes a scope's `project.yaml`; empty when it says everything already."""
        project = self._found.get(scope)
        change = self._projects.change(project) if project else None
        return [change] if change else []


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


def hand(context: Context, session: str | None = None, scopes: Scopes | None = None) -> Actor:
    """Whose hand is at work on the store's files: the user's, or that of the agent of a session."""
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
    from siltstone.cli.work import rebuild  # a fifth of a second, which who only reads does not pay

    return rebuild(context).settled
