"""`silt event`: take one event of a running session, as JSON on standard input."""

import os
import time
from importlib import import_module

from siltstone.cli.hooks.common import Answer, LazyState, Options, Work, hook_settings, read_input, say
from siltstone.cli.note import note
from siltstone.recall.citations import cited
from siltstone.recall.prepared import Prepared
from siltstone.recall.session.apply import Detector, apply, settled
from siltstone.recall.session.event import Event, Misread, parse
from siltstone.recall.session.pressure import intervention
from siltstone.recall.session.state import NewerState, dump, load
from siltstone.recall.session.summary import RULES, by_rule
from siltstone.recall.settings import RecallSettings
from siltstone.store.errors import Locked, StateError, StoreError
from siltstone.store.places import state_folder
from siltstone.store.state import Ended, Last, State

MAX_BYTES = 64 * 2**20
"""Of one event."""
DETECTORS = {"message": "siltstone.pipeline.detector", "compaction": "siltstone.pipeline.detector"}
"""The `Detector` for an event's kind; a tool's event, the most frequent one, needs no rules for texts."""
COMMANDS = "siltstone.pipeline.proof.commands"
OWED = "hook owed"
"""Kept beside what a session was shown (`Shown`): the text that its next prompt is given."""


def run(argv: list[str]) -> int:
    """The command, without options. Raises Misuse, StateError, Locked.

    Prints what the agent should read if the event makes its context critical; else nothing.
    """
    Options().parse_args(argv)
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
        detector: Detector = import_module(DETECTORS.get(event.kind, COMMANDS))
        # Settings matter only to what the user typed.
        typed = (event.kind, event.role) == ("message", "user")
        after = apply(before, event, detector, hook_settings(os.environ) if typed else RecallSettings())
        sessions.put(event.agent, event.session, now, dump(after))
        if event.kind == "message" and event.role == "assistant":
            _count_cited(db, state.folder, event, now)
    if swept and swept.deleted:
        note(f"swept {swept.scanned} sessions: {swept.deleted} deleted, {swept.bytes:,} bytes freed")
    return intervention(before, after)


def step(work: Work, answer: Answer) -> None:
    """Update the session's state by a hook's events; the answer gets what the agent should read about it.

    The state of a session that was left stays, because it may be resumed; it is swept when it is old. When a
    turn is over nobody reads an answer, so a text waits for the session's next prompt (OWED).
    """
    call, state, now = work.call, work.state, work.now
    texts = [take(event, state, now) for event in call.events]
    db = state.open()
    if call.gone == "deleted":
        take(Event("end", call.agent, call.session, now, call.cwd), state, now)
    elif call.gone:
        with db.transaction():
            sum_up(Event("idle", call.agent, call.session, now, call.cwd), db, now)
    if call.typed and (owed := db.shown.get(call.agent, call.session, OWED)) is not None:
        texts.insert(0, owed.text)
        with db.transaction():
            db.shown.drop(call.agent, call.session, OWED)
    text = "\n".join(filter(None, texts))
    if text and call.batch:
        with db.transaction():
            db.shown.put(call.agent, call.session, OWED, Last(text, now, now, 0, 0, ()))
    else:
        answer.add(text)


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
