"""`silt event`: take one event of a running session, as JSON on standard input."""

import os
import time

from siltstone.cli.hooks.common import LazyState, hook_settings, options, read_input, say
from siltstone.cli.output import note
from siltstone.pipeline import detector
from siltstone.recall.citations import cited
from siltstone.recall.prepared import Prepared
from siltstone.recall.session.apply import apply, settled
from siltstone.recall.session.event import Event, Misread, parse
from siltstone.recall.session.pressure import intervention
from siltstone.recall.session.state import NewerState, dump, load
from siltstone.recall.session.summary import RULES, by_rule
from siltstone.recall.settings import RecallSettings
from siltstone.store.errors import Locked, StateError, StoreError
from siltstone.store.places import state_folder
from siltstone.store.state import Ended, State

MAX_BYTES = 64 * 2**20
"""Of one event."""


def run(argv: list[str]) -> int:
    """The command, without options. Raises Misuse, StateError, Locked.

    Prints what the agent should read if the event makes its context critical; else nothing.
    """
    options(argv, ())
    raw = read_input(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        note(f"the event is longer than {MAX_BYTES:,} bytes; it is ignored")
        return 0
    try:
        now = time.time()
        event = parse(raw.decode("utf-8", "replace"), now)
        with LazyState(state_folder(os.environ)) as state:
            text = take(event, state, now)
    except (Misread, NewerState) as error:
        note(f"the event is ignored: {error}")
        return 0
    if text:
        say(f"{text}\n")
    return 0


def take(event: Event, state: LazyState, now: float) -> str:
    """Apply an event to the session's state. Returns what the agent should read about it, "" for nothing.

    Raises StateError, Locked, NewerState.
    """
    db = state.open()
    sessions = db.sessions
    with db.transaction():
        swept = sessions.count(now)
        if event.kind == "end":  # the summary stays for the project's next session (E16)
            sum_up(event, db, now)
            sessions.drop(event.agent, event.session)
            return ""
        before = load(sessions.get(event.agent, event.session))
        if before.pending:
            before = settled(before, db.sources.read_until(event.agent, event.session))
        # Settings matter only to what the user typed.
        typed = (event.kind, event.role) == ("message", "user")
        after = apply(before, event, detector, hook_settings(os.environ) if typed else RecallSettings())
        sessions.put(event.agent, event.session, now, dump(after))
        if event.kind == "message" and event.role == "assistant":
            _count_cited(db, state.folder, event, now)
    if swept and swept.deleted:
        note(f"swept {swept.scanned} sessions: {swept.deleted} deleted, {swept.bytes:,} bytes freed")
    return intervention(before, after)


def sum_up(event: Event, db: State, now: float) -> None:
    """Keep the session's summary for the next session of its project."""
    state = load(db.sessions.get(event.agent, event.session))
    if text := by_rule(state):
        db.summaries.put(Ended(event.agent, event.session, now, state.cwd or event.cwd, RULES, text))


def _count_cited(db: State, folder: str, event: Event, now: float) -> None:
    """Count the memories that an answer names or quotes, of those its session was shown."""
    paths = db.shown.paths(event.agent, event.session)
    if not paths or not event.text:
        return
    try:
        with Prepared(folder) as prepared:
            found = prepared.fragments(paths)
    except (Locked, StateError, StoreError) as error:
        note(f"citations in the answer are not counted: {error}")
        return
    db.usage.cited(cited(event.text, found.values()), now)
