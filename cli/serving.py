"""Which bytes a running session is shown: those it knows, or new ones (recall/ladder.py). A hot path."""

from siltstone.cli import hot
from siltstone.cli.running import Running
from siltstone.cli.served import Served
from siltstone.recall import receipt_kept
from siltstone.recall.block import Block
from siltstone.recall.ladder import Cached, Moment, decide, line
from siltstone.recall.rules import Rules
from siltstone.recall.session.pressure import percent
from siltstone.store.errors import Locked, StateError
from siltstone.store.state.light import Light
from siltstone.store.state.shown import Last, Line, Shown, storable
from siltstone.store.state.usage import Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Built = Callable[[float], Block]
    """Epoch seconds → the block as it would be made then."""


def serve(light: Light, to: Running, variant: str, built: "Built", rules: Rules, now: float) -> Served:
    """The block for a session, noted with its reason; `variant` names the way it was asked for.

    A state that cannot be read or written is a remark on standard error: then the block is made anew.
    """
    try:
        return _serve(light, to, variant, built, rules, now)
    except (Locked, StateError) as error:
        hot.note(f"session {to.session[:80]} is shown a new block: {error}")
        return Served(built(now))


def _serve(light: Light, to: Running, variant: str, built: "Built", rules: Rules, now: float) -> Served:
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
