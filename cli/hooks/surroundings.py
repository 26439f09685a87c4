"""What the hook commands know of a folder and of a session, beside the memories.

The session's own state, how the project's last session ended, and what the project's files say. What of this
cannot be read is a note on standard error, and the memories are shown without it.
"""

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from typing import NamedTuple

from siltstone.cli.hooks.code import code_of
from siltstone.cli.hooks.common import LazyState, Work
from siltstone.cli.note import note
from siltstone.recall import brief as project_brief
from siltstone.recall.layouts import SessionTexts
from siltstone.recall.past_sessions import quotes
from siltstone.recall.prepared import Hit, Prepared, View, scope_of_folder
from siltstone.recall.relevance import ends, relevant
from siltstone.recall.session import summary
from siltstone.recall.session.render import block as state_block
from siltstone.recall.session.state import NewerState, SessionState, load
from siltstone.recall.settings import RecallSettings
from siltstone.store.entry import GLOBAL
from siltstone.store.errors import Locked, StateError
from siltstone.store.places import home_folder
from siltstone.store.search import SearchReader
from siltstone.store.session_archive import Filter, SessionArchive
from siltstone.store.state import FILE as STATE_FILE
from siltstone.store.state import HOOK_WAIT, State

RECENT = 20
"""Ended sessions, the newest first, among which the last one of this project is looked for."""


class Folder(NamedTuple):
    scope: str
    view: View
    contains: Callable[[str], bool]
    """Whether a session in another folder belongs to the same project."""


class Running(NamedTuple):
    """A session and its state, read before the memories: a change in between is noticed by the next call."""

    agent: str
    session: str
    state: SessionState
    forced: int
    """How many times new blocks were asked for, and by what the last time."""
    source: str


def folder_of(prepared: Prepared, cwd: str, environ: Mapping[str, str], caps: Mapping[str, int]) -> Folder:
    """What may be shown in a folder, with `caps` as `Prepared.view` takes them. Raises StateError, Locked."""
    home = home_folder(environ)
    scope = scope_of_folder(cwd, prepared.scope_of, home)

    prepared.code = code_of(prepared.folder, scope, cwd, environ)

    def contains(other: str) -> bool:
        return other == cwd or (scope != GLOBAL and scope_of_folder(other, prepared.scope_of, home) == scope)

    return Folder(scope, prepared.view([GLOBAL] if scope == GLOBAL else [GLOBAL, scope], caps), contains)


def hits_for(
    query: str, prepared: Prepared, view: View, rules: RecallSettings, seen: Collection[str] = ()
) -> Sequence[Hit]:
    """Memories that fit a question, without the paths in `seen`; none, with a note, if the search fails."""
    if not query:
        return ()
    try:
        with SearchReader(prepared.folder) as seeker:
            return relevant(query, seeker, prepared.fragments, view, rules, seen)
    except (Locked, StateError) as error:
        note(f"memories that fit the question were not shown: {error}")
        return ()


def quotes_for(work: Work, prepared: Prepared, shown: Collection[str]) -> dict[str, str]:
    """What was said in the project's earlier sessions that fits the prompt, as `past_sessions.quotes`; none,
    with a note, if the archive cannot be searched."""
    call = work.call
    try:
        archive = SessionArchive.there(work.state.folder, HOOK_WAIT) if work.rules.archive_enabled else None
        if archive is None:
            return {}
        with archive:
            home = home_folder(work.environ)

            def owner(kind: str, value: str) -> str | None:
                return prepared.scope_of(kind, value) or archive.owner(kind, value)

            scopes = {GLOBAL, scope_of_folder(call.cwd, owner, home)}
            wanted = Filter(scopes, but=[(call.agent, call.session)], tools=False)
            return quotes(archive, ends(call.query), wanted, shown, _is_injection)
    except (Locked, StateError) as error:
        note(f"earlier sessions were not quoted: {error}")
        return {}


def _is_injection(text: str) -> bool:
    gate = import_module("siltstone.pipeline.proof.gate")  # few hooks want it
    return "prompt_injection" in gate.assess("reference", text, "extraction")


def running(state: LazyState, agent: str, session: str) -> tuple[State | None, Running | None]:
    """The state database and the session that is running; None, with a note, for what cannot be used.

    The database is made only if a session is named.
    """
    if not ((agent and session) or os.path.exists(os.path.join(state.folder, STATE_FILE))):
        return None, None
    try:
        db = state.open()
    except (Locked, StateError) as error:
        note(f"what is known about sessions was not shown, and the block is a new one: {error}")
        return None, None
    if not (agent and session):
        return db, None
    try:
        forced, source = db.shown.forced()
        known = load(db.sessions.get(agent, session))
    except NewerState as error:  # it counts as empty
        note(f"the state of session {session[:80]} was not shown: {error}")
        known = SessionState()
    except (Locked, StateError) as error:
        note(f"session {session[:80]} is shown a new block: {error}")
        return db, None
    return db, Running(agent, session, known, forced, source)


def session_texts(
    db: State | None, to: Running | None, prepared: Prepared, folder: Folder, now: float
) -> SessionTexts:
    """The texts shown beside memories."""
    texts, brief = SessionTexts(), prepared.brief(folder.scope)
    if to is not None and to.state != SessionState():
        sums = ("progress, summarized by rules",) if to.state.summaries else ()
        shown = {one.line.casefold().strip(" .") for one in (*folder.view.hot, *folder.view.candidates)}
        pending = (one for one in to.state.pending if one.text.casefold().strip(" .") not in shown)
        known = to.state._replace(pending=tuple(pending))  # what is kept already waits for nothing
        texts = SessionTexts(state_block(known), progress=summary.progress(to.state), sources=sums)
    this = (to.agent, to.session) if to is not None else None
    try:
        recent = db.summaries.recent(now, RECENT) if db is not None else []
    except (Locked, StateError) as error:
        note(f"summaries of earlier sessions were not shown: {error}")
        recent = []
    others = (one for one in recent if (one.agent, one.session) != this and folder.contains(one.cwd))
    if last := next(others, None):
        source = f"last session, summarized by {summary.source(last)}"
        texts = texts._replace(last=summary.last(last), sources=(*texts.sources, source))
    if brief is None:
        return texts
    changed = project_brief.changed_files(brief)
    sources = (project_brief.source(brief, changed), *texts.sources)
    return texts._replace(brief=project_brief.shown(brief, changed), sources=sources)
