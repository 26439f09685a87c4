"""What commands work with: readers, the parts of a run, who acts on files; and rebuilding derived things."""

import os
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from siltstone import prompts
from siltstone.agents import readers as agents
from siltstone.cli.context import Context, now
from siltstone.cli.note import note
from siltstone.cli.settings import Configured
from siltstone.pipeline.bookkeeping import READ_INTO
from siltstone.pipeline.compaction.churn import count_writes
from siltstone.pipeline.conflicts import open_conflicts, overrides
from siltstone.pipeline.extraction.extract import Rules
from siltstone.pipeline.messages import Reader
from siltstone.pipeline.parts import Extractor, Parts
from siltstone.pipeline.progress import Tell, tell_nobody
from siltstone.pipeline.proof.gate import assess
from siltstone.pipeline.reading.backlog import excluded
from siltstone.recall.brief import brief_of
from siltstone.recall.index import Indexed
from siltstone.recall.index import rebuild as rebuild_index
from siltstone.recall.prepared import Brief
from siltstone.recall.prepared_writer import Facts, PreparedWriter
from siltstone.store import commits, purge
from siltstone.store.code.status import CodeStatus
from siltstone.store.conflicts import Section
from siltstone.store.entry import GLOBAL
from siltstone.store.errors import GitError, Misuse
from siltstone.store.files import Actor, Session
from siltstone.store.history import PURGE, decided, next_run
from siltstone.store.layout import ARCHIVE, files
from siltstone.store.projects import Projects
from siltstone.store.repository import head
from siltstone.store.session_archive import FILE as SESSIONS
from siltstone.store.state import WAIT as STATE_WAIT
from siltstone.store.state import set_aside

PIECE = 200
"""Memories that are read, or imported in one commit, between two words about how far it is."""
DECIDED = "decided-to"
"""Name of the state value with the last commit that was searched for the user's decisions."""


def readers(configured: Configured, roots: list[str] | None) -> list[Reader]:
    """Readers of every agent, or of those that `--root AGENT=PATH` options name. A folder that is no agent's
    is reported. Raises Misuse."""
    named: dict[str, Path] = {}
    for option in roots or ():
        agent, mark, path = option.partition("=")
        if not (agent and mark and path):
            raise Misuse(f"--root needs AGENT=PATH, not {option!r}; for example --root claude=~/.claude")
        named[agent] = Path(os.path.expanduser(path))
        if not os.path.lexists(named[agent]):
            raise Misuse(f"--root {option}: there is nothing at {named[agent]}; name a folder that exists.")
    found = agents.readers(named, configured.environ)
    for sentence in agents.unlike(named):
        note(sentence)
    return found


def parts(context: Context, extractor: Extractor | None = None, tell: Tell = tell_nobody) -> Parts:
    """What a run of this command works with."""
    settings = context.configured.settings
    keywords = settings.keyword_patterns
    return Parts(
        context.store,
        context.state,
        context.search_file,
        extractor or Rules(keywords=keywords, saves_alone=not settings.extract_enabled),
        now,
        context.scopes.register,
        next_run(context.store, context.state),
        keywords,
        tell,
    )


def actor(context: Context, session: str | None = None) -> Actor:
    """Who acts on the store's files: the user, or the agent of a session."""
    return Actor(
        context.store,
        lambda: context.state.usage,
        now,
        Session.of(session),
        lambda: next_run(context.store, context.state),
        context.scopes.register,
        lambda: rebuild(context),
        "user" if session is None else "agent",
    )


def meet(context: Context, wanted: Sequence[str], run: str) -> None:
    """Register new projects in one commit; none when the store knows them already."""
    with context.store.locked():
        context.store.settle()
        changes = [change for scope in wanted for change in context.scopes.register(scope)]
        if changes:
            names = ", ".join(scope.rpartition("/")[2] for scope in wanted)
            told = [(commits.RUN, run), (commits.OP, "meet")]
            context.store.apply(changes, f"memory: meet {names}", told)


class Rebuilt(NamedTuple):
    """What had to be rebuilt."""

    files: list[str]
    """Paths of indexes and the like."""
    prepared: int
    """Memories that `silt inject` shows differently, or no longer."""
    searched: int
    """Entries of the search database that had to change."""
    left: Sequence[str] = ()
    """After a purge: one sentence for each database that may still hold what was purged."""


def rebuild(context: Context, anew: bool = False, tell: Tell = tell_nobody) -> Rebuilt:
    """Bring MEMORY.md, projects.md, PROTOCOL.md and what search and showing read up to date.

    Only what changed is read and written. `anew` compares every index with its memories, and recovers the
    work tree first; commands that write memories have done that already. Works without git too (C26): indexes
    are not memories, and are written from the files as they are.
    """
    store = context.store
    purges = store.lacks is None and purge.finish(store)
    with nullcontext() if store.lacks is not None else store.locked():
        if anew and store.lacks is None:
            store.settle()
        at, began = head(str(store.root)), now().timestamp()  # before anything is read
        sections = open_conflicts(store)
        if anew:
            paths = sorted(path for scope in store.scopes() for path in store.taken(scope))
            for done in range(0, len(paths), PIECE):
                tell("reading memories", done, len(paths), "")
                store.read_all(paths[done : done + PIECE])
        tell("writing indexes", 0, 3, "search")
        snapshot = store.snapshot()
        searched = context.search_file.sync(snapshot)
        tell("writing indexes", 1, 3, "what agents are shown")
        with PreparedWriter(context.configured.places.state) as writer:
            before, briefs = writer.prepared()
            indexed = {} if anew else dict(before)
            files = rebuild_index(store.root, snapshot, sections, prompts.protocol(), store.disk, indexed)
            same = () if anew else {scope for scope in indexed if indexed[scope] == before.get(scope)}
            facts = replace(_facts(context, sections, indexed, briefs, same), head=at, read=began)
            prepared = writer.sync(
                snapshot, facts, lambda paths: overrides(paths, context.search_file, snapshot.read)
            )
        tell("writing indexes", 2, 3, "code")
        with CodeStatus(context.configured.places.state, STATE_WAIT) as status:
            status.sync(snapshot, anew)
            status.refresh(context.project_git)
        _tell_sessions(context)
        if store.lacks is None:
            count_writes(store, context.state)
    return Rebuilt(files, prepared, searched, _scrub(context) if purges or anew else ())


def needs_git(context: Context) -> None:
    """Raise GitError before a batch or compaction without git; the index is still rebuilt (C26)."""
    try:
        context.store.check_git()
    except GitError:
        rebuild(context)
        raise


def _facts(
    context: Context,
    sections: Sequence[Section],
    indexed: Mapping[str, Indexed],
    before: Mapping[str, Brief],
    same: Collection[str],
) -> Facts:
    """What `silt inject` shows besides the memories, such as a brief for each scope whose folder is on this
    machine and has something to say. A scope in `same` keeps its brief, because its memories did not
    change."""
    store, known = context.store, Projects(context.store.root).known()
    archived = {scope: len(files(store.root, f"{scope}/{ARCHIVE}")) for scope in (GLOBAL, *known)}
    briefs, today = {}, now()
    for scope, marks in known.items():
        folder = next((mark.value for mark in marks if mark.kind == "path" and os.path.isdir(mark.value)), "")
        known_brief, stays = before.get(scope), scope in same
        if folder and (brief := one_brief(context.configured, folder, today, known_brief, stays)):
            briefs[scope] = brief
    used, root = context.state.usage.days(), str(store.root)
    return Facts(sections, known, archived, store.unreadable, used, briefs, root, indexed=indexed)


def _tell_sessions(context: Context) -> None:
    """Show running sessions new blocks after a decision by the user (D17). Called when the blocks can be
    made.

    Done only here, from the store's commits, so that it works for every command, the watch and pulled
    commits.
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


def _scrub(context: Context) -> list[str]:
    """Finish a purge: no database keeps deleted text in its bytes. Returns a sentence for each that does."""
    with PreparedWriter(context.configured.places.state) as prepared:
        said = [prepared.scrub(), context.search_file.scrub(), context.state.purged.scrub()]
    with CodeStatus(context.configured.places.state, STATE_WAIT) as status:
        said.append(status.scrub())
    said += [context.archive_file.scrub()] if context.archive_file is not None else []
    left = [f"{sentence}: stop that process, then run `silt rebuild`" for sentence in said if sentence]
    if not left:
        context.state.set_value(READ_INTO, context.store.git.head())  # the commits have other ids now
        purge.end(context.store)
    return left + [
        f"{path} was set aside because it was damaged, and may still hold what was purged: delete it"
        for file in (context.state.path, context.configured.places.state / SESSIONS)
        for path in set_aside(file)
    ]


def one_brief(
    configured: Configured, folder: str, at: datetime, known: Brief | None = None, stays: bool = False
) -> Brief | None:
    """The brief of one folder as the settings have it; None also for a folder that must never be read. Where
    the `known` one `stays`, the folder's files are not read again."""
    settings = configured.settings
    if excluded(folder, settings.exclude):
        return None
    if stays and known is not None and known.folder == folder and settings.init_mode != "off":
        return known
    return brief_of(
        folder,
        at.timestamp(),
        settings.init_mode,
        known,
        lambda said: "prompt_injection" in assess("reference", said, "extraction"),
    )
