"""Which bytes a running session is shown: those it knows, or new ones (recall/ladder.py). A hot path."""

from collections.abc import Callable

from siltstone.cli import hot
from siltstone.cli.served import Served
from siltstone.recall import receipt_kept
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
from siltstone.store.tuples import NamedTuple

Built = Callable[[float], Block]
"""Epoch seconds → the block as it would be made then."""


class Running(NamedTuple):
    """A session and what is known of it.

    To be read before the memories: what is decided in between is noticed then by the next call.
    """

    agent: str
    session: str
    state: SessionState
    forced: int
    """How often anything had asked for new blocks, and what did so last."""
    source: str


def running(light: Light, agent: str, session: str) -> Running | None:
    """A session as it is now; None, with a remark, where the database cannot be read.

    One whose state cannot be read is, with a remark, as if nothing had happened in it.
    """
    try:
        forced, source = Shown(light).forced()
        state = load(Sessions(light).get(agent, session))
    except (Locked, StateError) as error:
        hot.note(f"session {session[:80]} is shown a new block: {error}")
        return None
    except NewerState as error:
        hot.note(f"the state of session {session[:80]} is not shown: {error}")
        state = SessionState()
    return Running(agent, session, state, forced, source)


def serve(light: Light, to: Running, variant: str, built: Built, rules: Rules, now: float) -> Served:
    """The block for a session, noted with its reason; `variant` names the way it was asked for.

    A state that cannot be read or written is a remark on standard error: then the block is made anew.
    """
    try:
        return _serve(light, to, variant, built, rules, now)
    except (Locked, StateError) as error:
        hot.note(f"session {to.session[:80]} is shown a new block: {error}")
        return Served(built(now))


def _serve(light: Light, to: Running, variant: str, built: Built, rules: Rules, now: float) -> Served:
    shown, state = Shown(light), to.state
    last = shown.get(to.agent, to.session, variant)
    told = receipt_kept.load(last.receipt) if last is not None else None
    if last is not None and last.text and told is None:
        last = None  # damaged: a block is never shown with another one's receipt
    moment = Moment(now, percent(state.pressure), state.answered, to.forced, to.source, state.compactions)
    cached = None if last is None else Cached(last.text, last.at, last.served, last.forced, last.compactions)
    same = cached is not None and storable(built(cached.at).text) == cached.text
    decision = decide(cached, same, moment, rules)
    kept = None if decision.reason or cached is None or told is None else Block(cached.text, told)
    block = kept or built(now)
    with light:
        if kept is None:
            paths = tuple(one.path for one in block.receipt.shown)
            told_of = receipt_kept.dump(block.receipt)
            made = Last(storable(block.text), now, now, to.forced, state.compactions, paths, told_of)
            shown.put(to.agent, to.session, variant, made)
            Usage(light).shown(paths)
        else:
            shown.again(to.agent, to.session, variant, now)
        shown.log(Line(now, to.agent, to.session, line(decision, len(block.text))))
    return Served(block, decision)
