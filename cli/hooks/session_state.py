"""The state of running sessions, kept by the events that hooks and `silt event` tell."""

from importlib import import_module

from siltstone.cli.hooks.common import Answer, LazyState, Work
from siltstone.cli.note import note
from siltstone.recall.session.apply import Detector, apply, settled
from siltstone.recall.session.event import Event
from siltstone.recall.session.pressure import intervention
from siltstone.recall.session.state import dump, load
from siltstone.recall.session.summary import RULES, by_rule
from siltstone.recall.settings import RecallSettings
from siltstone.store.state import Ended, State

DETECTORS = {"tool": "siltstone.pipeline.proof.commands", "user": "siltstone.pipeline.rules.typed"}
"""The parts of the `Detector` that the most frequent events need: those of tools, and what is typed."""
DETECTOR = "siltstone.pipeline.detector"
OWED = "hook owed"
"""Kept beside what a session was shown (`Shown`): the text that its next prompt is given."""


def take(event: Event, state: LazyState, now: float, rules: RecallSettings) -> str:
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
        asked = event.role if event.kind == "message" else event.kind
        detector: Detector = import_module(DETECTORS.get(asked, DETECTOR))
        after = apply(before, event, detector, rules)
        sessions.put(event.agent, event.session, now, dump(after))
    if swept and swept.deleted:
        note(f"swept {swept.scanned} sessions: {swept.deleted} deleted, {swept.bytes:,} bytes freed")
    return intervention(before, after)


def step(work: Work, answer: Answer) -> None:
    """Update the session's state by a hook's events; the answer gets what the agent should read about it.

    The state of a session that was left stays, because it may be resumed; it is swept when it is old. When a
    turn is over nobody reads an answer, so a text waits for the session's next prompt (OWED).
    """
    call, state, now = work.call, work.state, work.now
    texts = [take(event, state, now, work.rules) for event in call.events]
    db = state.open()
    if call.gone == "deleted":
        take(Event("end", call.agent, call.session, now, call.cwd), state, now, work.rules)
    elif call.gone:
        with db.transaction():
            sum_up(Event("idle", call.agent, call.session, now, call.cwd), db, now)
    if call.typed and (owed := work.last(OWED)) is not None:
        texts.insert(0, owed.text)
        with db.transaction():
            work.drop(OWED)
    text = "\n".join(filter(None, texts))
    if text and call.batch:
        with db.transaction():
            work.keep(OWED, text)
    else:
        answer.add(text)


def sum_up(event: Event, db: State, now: float) -> None:
    """Keep the session's summary for the next session of its project."""
    state = load(db.sessions.get(event.agent, event.session))
    if text := by_rule(state):
        db.summaries.put(Ended(event.agent, event.session, now, state.cwd or event.cwd, RULES, text))
