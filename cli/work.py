"""What the commands that change the store share: readers, extractor, projects, run number, rebuilding."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Annotated

import typer

from siltstone import agents, prompts
from siltstone.cli.briefs import briefs
from siltstone.cli.context import Context, now, roots
from siltstone.cli.settings import Configured
from siltstone.pipeline.backlog import Unread
from siltstone.pipeline.extractors import Rules
from siltstone.pipeline.learn import Extractor, Parts
from siltstone.pipeline.messages import Reader
from siltstone.pipeline.overrides import overrides
from siltstone.recall.index import rebuild as rebuild_index
from siltstone.recall.preparing import Facts, Preparation
from siltstone.store import commits
from siltstone.store.conflicts import PATH, Section, parse
from siltstone.store.decided import PURGE, decided
from siltstone.store.entry import Change, Stored, Write
from siltstone.store.errors import GitError
from siltstone.store.files import TERMINAL, Hand, Session
from siltstone.store.history import highest_run
from siltstone.store.layout import ARCHIVE, files
from siltstone.store.names import place
from siltstone.store.projects import Project, Projects
from siltstone.store.state.database import aside

RUNS = "runs"
"""Name of the state value that counts runs."""
NUMBERED = "runs-numbered-to"
"""Name of the state value that holds the commit up to which run numbers were looked at."""
DECIDED = "decided-to"
"""Name of the state value that holds the commit up to which it was looked at what the user decided."""
COPY = "copy"
"""Name of the state value that tells this copy of the store from others: four hex digits."""
MAX_SUBJECT = 200
"""Characters of a commit's first line."""


SessionOption = Annotated[
    str | None,
    typer.Option("--session", metavar="AGENT/ID", help="An agent's session calls; else you do."),
]


def readers(configured: Configured, root: list[str] | None) -> list[Reader]:
    """Readers of every agent, or of those that `--root` names."""
    return agents.readers(roots(root), configured.environ)


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

    def of_session(self, unread: Unread) -> str:
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


def parts(context: Context, scopes: Scopes | None = None, extractor: Extractor | None = None) -> Parts:
    """What a run of this command works with."""
    return Parts(
        context.store,
        context.state,
        context.search,
        extractor or Rules(),
        now,
        (scopes or Scopes(context)).register,
        next_run(context),
    )


def meet(context: Context, scopes: Scopes, wanted: Sequence[str], run: str) -> None:
    """Register projects that were met, in one commit; none when the store knows all about them."""
    with context.store.locked():
        context.store.settle()
        changes = [change for scope in wanted for change in scopes.register(scope)]
        if changes:
            names = ", ".join(scope.rpartition("/")[2] for scope in wanted)
            told = [(commits.RUN, run), (commits.OP, "meet")]
            context.store.apply(changes, f"memory: meet {names}"[:MAX_SUBJECT], told)


def hand(context: Context, session: str | None = None, scopes: Scopes | None = None) -> Hand:
    """Whose hand is at work on the store's files: the user's, or that of the agent of a session."""
    return Hand(
        context.store,
        lambda: context.state.opened,
        now,
        lambda: next_run(context),
        lambda scope: scopes.register(scope) if scopes else [],
        lambda changes: _follow(context, changes),
        TERMINAL if session is None else Session.of(session),
        "user" if session is None else "agent",
    )


def _follow(context: Context, changes: Sequence[Change]) -> None:
    """What is derived from the memories, after a commit that changed them: churn, search, indexes."""
    places = (place(change.path) for change in changes if isinstance(change, Write))
    scopes = [where.scope for where in places if where is not None and where.kind == "memory"]
    for scope, count in Counter(filter(None, scopes)).items():
        context.state.compaction.wrote(scope, count)
    context.search.sync(context.store.entries())
    rebuild(context)


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What had to be made anew."""

    files: list[str]
    """Paths of indexes and the like."""
    prepared: int
    """Memories that `silt inject` was given anew, or is not to show any more."""


def rebuild(context: Context) -> Rebuilt:
    """Bring MEMORY.md, projects.md, PROTOCOL.md and what is prepared for showing up to date.

    Without git too (C26): they are no memories, and are written anew from what stands.
    """
    store = context.store
    if store.lacks is not None:
        return _rebuilt(context)
    with store.locked():
        store.settle()
        return _rebuilt(context)


def _rebuilt(context: Context) -> Rebuilt:
    store = context.store
    sections = parse(store.text(PATH) or "")
    entries = store.entries()
    prepared = prepare(context, entries, sections)
    files = rebuild_index(store.root, entries, sections, prompts.render("protocol"), store.disk)
    return Rebuilt(files, prepared)


def needs_git(context: Context) -> None:
    """Raise GitError before a batch or compaction without git; the index is rebuilt all the same (C26)."""
    try:
        context.store.check_git()
    except GitError:
        rebuild(context)
        raise


def prepare(context: Context, entries: Sequence[Stored], sections: Sequence[Section]) -> int:
    """Make ready what `silt inject` shows: the hot path reads nothing else. How many memories changed."""
    store = context.store
    archived = {scope: len(files(store.root, f"{scope}/{ARCHIVE}")) for scope in store.scopes()}
    known = Projects.load(store.root).known()
    with Preparation(context.configured.places.state) as preparation:
        quoted = briefs(context.configured, known, preparation.brief, now())
        facts = Facts(sections, known, archived, store.unreadable, context.state.usage.days(), quoted)
        changed = preparation.sync(entries, facts, overrides)
    _tell_sessions(context)
    return changed


def _tell_sessions(context: Context) -> None:
    """Running sessions are shown new blocks after what the user decided (D17); called when these can be made.

    Here alone, by the commits of the store: so it holds for every command, the watch and what was pulled.
    """
    store, shown = context.store, context.state.shown
    head = store.git.head() if store.lacks is None else None
    if head is None:
        return
    waits = () if context.configured.settings.refresh_on_promote_demote else ("promote", "demote")
    since = context.state.value(DECIDED)
    found = [one for one in decided(store.git, since or head, head) if one not in waits]
    if PURGE in found:
        shown.withdraw(PURGE)
    elif found:
        shown.force(found[0])
    context.state.set_value(DECIDED, head)


def scrub(context: Context) -> list[str]:
    """Leave nothing deleted in the bytes of the databases; a sentence for each that keeps some."""
    with Preparation(context.configured.places.state) as prepared:
        said = [prepared.scrub(), context.search.scrub(), context.state.traces.scrub()]
    left = [f"{sentence}: end that process, then run `silt rebuild`" for sentence in said if sentence]
    return left + [
        f"{path} was set aside when it was damaged, and may still hold what was purged: delete it"
        for path in aside(context.state.path)
    ]
