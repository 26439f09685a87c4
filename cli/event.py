"""`silt event`: take one event of a running session, as JSON on stdin. A hot command (cli/hot.py)."""

import os
import time

from siltstone.cli import hot
from siltstone.pipeline import hearing
from siltstone.recall.rules import Rules
from siltstone.recall.session.apply import apply, settled
from siltstone.recall.session.event import Event, Misread, parse
from siltstone.recall.session.pressure import intervention
from siltstone.recall.session.state import NewerState, dump, load
from siltstone.recall.session.summary import RULES, by_rule
from siltstone.store.errors import Locked, StateError, StoreError
from siltstone.store.places import state_folder
from siltstone.store.state.light import Light
from siltstone.store.state.sessions import Sessions

MOST = 64 * 2**20
"""Bytes of one event: more is no event."""


def run(argv: list[str]) -> int:
    """The command: no words, the event on standard input. Raises Misuse, StateError, Locked.

    Prints what is to be said to the agent, when the event makes its context critical; else nothing.
    """
    hot.options(argv, ())
    raw = hot.given(MOST + 1)
    if len(raw) > MOST:
        hot.note(f"the event is longer than {MOST:,} bytes; it is left out")
        return 0
    try:
        now = time.time()
        event = parse(raw.decode("utf-8", "replace"), now)
        with hot.State(state_folder(os.environ)) as state:
            said = take(event, state, now)
    except (Misread, NewerState) as error:
        hot.note(f"the event is left out: {error}")
        return 0
    if said:
        hot.say(f"{said}\n")
    return 0


def take(event: Event, state: hot.State, now: float) -> str:
    """Move the session's state on by an event; what is to be said to the agent, "" for nothing.

    Raises StateError, Locked, NewerState.
    """
    light = state.light()
    sessions = Sessions(light)
    with light:
        swept = sessions.count(now)
        if event.kind == "end":
            _end(event, light, now)
            return ""
        before = load(sessions.get(event.agent, event.session))
        if before.pending:
            before = settled(before, sessions.read_until(event.agent, event.session))
        after = apply(before, event, hearing, _rules(event, state.folder))
        sessions.put(event.agent, event.session, now, dump(after))
        if event.kind == "message" and event.role == "assistant":
            _count_cited(light, state.folder, event, now)
    if swept and swept.deleted:
        hot.note(f"swept {swept.scanned} sessions: {swept.deleted} deleted, {swept.bytes:,} bytes freed")
    return intervention(before, after)


def _rules(event: Event, folder: str) -> Rules:
    """The settings in force, for the one kind of event to which they matter."""
    if (event.kind, event.role) != ("message", "user"):
        return Rules()
    from siltstone.cli.hot_settings import rules_of

    return rules_of(folder, os.environ)


def _end(event: Event, light: Light, now: float) -> None:
    """Drop the session's state; its summary stays for the next session of the project (E16)."""
    sum_up(event, light, now)
    Sessions(light).drop(event.agent, event.session)


def sum_up(event: Event, light: Light, now: float) -> None:
    """Keep what a session came to by now, for the next one of its project."""
    state = load(Sessions(light).get(event.agent, event.session))
    if text := by_rule(state):
        from siltstone.store.state.summaries import Ended, Summaries

        Summaries(light).put(Ended(event.agent, event.session, now, state.cwd or event.cwd, RULES, text))


def _count_cited(light: Light, folder: str, event: Event, now: float) -> None:
    """Count the memories that an answer names or quotes, of those its session was shown."""
    from siltstone.store.state.shown import Shown

    paths = Shown(light).paths(event.agent, event.session)
    if not paths or not event.text:
        return
    from siltstone.recall.prepared import Prepared
    from siltstone.recall.usage import cited
    from siltstone.store.state.usage import Usage

    try:
        with Prepared(folder) as prepared:
            found = prepared.fragments(paths)
    except (Locked, StateError, StoreError) as error:
        hot.note(f"what the answer cites is not counted: {error}")
        return
    Usage(light).cited(cited(event.text, found.values()), now)
