"""Which bytes a running session is shown: those it knows, or new ones (recall/ladder.py). A hot path."""

from collections.abc import Callable

from siltstone.cli import hot
from siltstone.cli.served import Served
from siltstone.recall.block import Block
from siltstone.recall.ladder import Cached, Moment, decide, line
from siltstone.recall.rules import Rules
from siltstone.recall.session.pressure import percent
from siltstone.recall.session.state import NewerState, SessionState, load
from siltstone.store.errors import Locked, StateError
from siltstone.store.state.light import Light
from siltstone.store.state.sessions import Sessions
from siltstone.store.state.shown import Last, Line, Shown, storable
from siltstone.store.state.usage import Usage

Built = Callable[[float], Block]
"""Epoch seconds → the block as it would be made then."""


def serve(
    folder: str, agent: str, session: str, variant: str, built: Built, rules: Rules, now: float
) -> Served:
    """The block for a session, noted with its reason; `variant` names the way it was asked for.

    A state that cannot be read or written is a remark on standard error: then the block is made anew.
    """
    light = None
    try:
        light = hot.opened(folder)
        return _serve(light, agent, session, variant, built, rules, now)
    except (Locked, StateError) as error:
        hot.note(f"session {session[:80]} is shown a new block: {error}")
        return Served(built(now))
    finally:
        if light is not None:
            light.close()


def _serve(
    light: Light, agent: str, session: str, variant: str, built: Built, rules: Rules, now: float
) -> Served:
    state = _state(light, agent, session)
    shown = Shown(light)
    last = shown.get(agent, session, variant)
    forced, source = shown.forced()
    moment = Moment(now, percent(state.pressure), state.answered, forced, source, state.compactions)
    cached = None if last is None else Cached(last.text, last.at, last.served, last.forced, last.compactions)
    then = None if cached is None else built(cached.at)
    same = cached is not None and then is not None and storable(then.text) == cached.text
    decision = decide(cached, same, moment, rules)
    if decision.reason or last is None or then is None:
        block = built(now)
        paths = tuple(one.path for one in block.receipt.shown)
        last = Last(storable(block.text), now, now, forced, state.compactions, paths)
    else:
        block = then._replace(text=last.text)
        last = last._replace(served=now)
    with light:
        shown.put(agent, session, variant, last)
        if decision.reason:
            Usage(light).shown(last.paths)
        shown.log(Line(now, agent, session, line(decision, len(block.text))))
    return Served(block, decision)


def _state(light: Light, agent: str, session: str) -> SessionState:
    try:
        return load(Sessions(light).get(agent, session))
    except NewerState:  # which is said where its text is made
        return SessionState()
