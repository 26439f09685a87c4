"""What `silt inject` shows beside memories. On the hot path (cli/hot.py).

The state of the running session, what the last one of the project came to, and what the project's own
files say. Whatever of it cannot be read is a remark on standard error: the memories are shown all the same.
"""

import os
from collections.abc import Callable

from siltstone.recall import ended
from siltstone.recall.brief import Brief, stale, text, told
from siltstone.recall.view import Session
from siltstone.store.errors import Locked, StateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from siltstone.store.state.light import Light

LOOKED_AT = 20
"""Ended sessions, the newest first, that are asked whether they belong here."""


def parts_of(
    folder: str, agent: str, session: str, here: Callable[[str], bool], now: float, quoted: Brief | None
) -> Session:
    """The texts beside memories. `here` tells whether a session in a folder belongs to this project."""
    shown = _of_sessions(folder, agent, session, here, now)
    if quoted is None:
        return shown
    changed = stale(quoted)
    return shown._replace(brief=text(quoted, changed), told=(told(quoted, changed), *shown.told))


def _of_sessions(folder: str, agent: str, session: str, here: Callable[[str], bool], now: float) -> Session:
    # Loaded only where there is something to show: half of a hot command's time.
    from siltstone.cli.hot import opened
    from siltstone.store.state.light import NAME
    from siltstone.store.state.summaries import Summaries

    if not os.path.exists(os.path.join(folder, NAME)):
        return Session()
    shown = Session()
    try:
        light = opened(folder)
        try:
            if agent and session:
                shown = _running(light, agent, session)
            recent = Summaries(light).recent(now, LOOKED_AT)
        finally:
            light.close()
    except (Locked, StateError) as error:
        _remark(f"what sessions came to is not shown: {error}")
        return shown
    others = (one for one in recent if not (shown.text and (one.agent, one.session) == (agent, session)))
    before = next((one for one in others if here(one.cwd)), None)
    if before is None:
        return shown
    sentence = f"last session, summed up by {ended.told(before)}"
    return shown._replace(last=ended.last(before), told=(*shown.told, sentence))


def _running(light: "Light", agent: str, session: str) -> Session:
    """What is known of the running session itself; nothing, with a remark, of one that cannot be read."""
    from siltstone.recall.session import summary
    from siltstone.recall.session.render import block
    from siltstone.recall.session.state import NewerState, load
    from siltstone.store.state.sessions import Sessions

    try:
        state = load(Sessions(light).get(agent, session))
    except NewerState as error:
        _remark(f"the state of session {session[:80]} is not shown: {error}")
        return Session()
    sums = ("progress, summed up by rules",) if state.summaries else ()
    return Session(block(state), progress=summary.progress(state), told=sums)


def _remark(sentence: str) -> None:
    from siltstone.cli import hot

    hot.note(sentence)
