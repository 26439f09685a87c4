"""The block that a session is shown at its hooks: as it begins, and while its context is compacted.

On the hot path (cli/hot.py), but apart from what prompts are shown: of this they need nothing.
"""

from siltstone.agents.hooks import Heard
from siltstone.cli import hot
from siltstone.cli.around import Around
from siltstone.cli.hook_showing import RESUMED, START
from siltstone.cli.session_text import known, parts_of
from siltstone.recall.block import NO_SESSION, Block, build
from siltstone.recall.layouts import LAYOUTS
from siltstone.recall.prepared import Prepared
from siltstone.recall.selection import Budget
from siltstone.recall.view import Session, View
from siltstone.store.errors import Locked, StateError
from siltstone.store.state.shown import Last, Line, Shown, storable
from siltstone.store.state.usage import Usage


def block(heard: Heard, prepared: Prepared, where: Around, state: hot.State, now: float) -> str:
    """The block, whatever the session was shown."""
    return _built(where.view, _parts(heard, prepared, where, state, now), now).text


def start(heard: Heard, prepared: Prepared, where: Around, state: hot.State, now: float) -> str:
    """The block, unless the session was shown one with the same memories: that stands in its context.

    Whether they are the same is asked as of then, so that an age alone shows nothing again; and without
    what stands beside memories, for of that the session knows more itself.
    """
    view, parts = where.view, _parts(heard, prepared, where, state, now)
    whole = _built(view, parts, now)
    alone = whole if parts == NO_SESSION else _built(view, NO_SESSION, now)
    try:
        with state.light() as light:
            kept = Shown(light)
            kept.drop_variant(heard.agent, heard.session, RESUMED)
            last = kept.get(heard.agent, heard.session, START)
            if last is not None and storable(_built(view, NO_SESSION, last.at).text) == last.text:
                return ""
            paths = tuple(one.path for one in alone.receipt.shown)
            kept.put(heard.agent, heard.session, START, Last(storable(alone.text), now, now, 0, 0, paths))
            Usage(light).shown(paths)
            told = f"hook {heard.event}: {len(whole.text)} chars"
            kept.log(Line(now, heard.agent, heard.session, told))
    except (Locked, StateError) as error:
        hot.note(f"what is shown at {heard.event} is not noted: {error}")
    return whole.text


def _parts(heard: Heard, prepared: Prepared, where: Around, state: hot.State, now: float) -> Session:
    """The texts beside memories."""
    light, to = known(state, heard.agent, heard.session)
    return parts_of(light, to, where.here, now, prepared.brief(where.scope))


def _built(view: View, parts: Session, at: float) -> Block:
    return build(view, (), parts, Budget(), LAYOUTS["default"], at)
