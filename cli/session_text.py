"""What `silt inject` shows beside memories. On the hot path (cli/hot.py).

The state of the running session, what the last one of the project came to, and what the project's own
files say. Whatever of it cannot be read is a remark on standard error: the memories are shown all the same.
"""

import os

from siltstone.cli import hot
from siltstone.recall.view import Session
from siltstone.store.errors import Locked, StateError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from siltstone.cli.running import Running
    from siltstone.recall.brief import Brief
    from siltstone.store.state.light import Light

LOOKED_AT = 20
"""Ended sessions, the newest first, that are asked whether they belong here."""


def known(state: hot.State, agent: str, session: str) -> tuple["Light | None", "Running | None"]:
    """The state database, and the session that is running, to be read before the memories are.

    None, with a remark, for what cannot be used; the database is made where a session is named only.
    """
    from siltstone.store.state.light import NAME

    if not ((agent and session) or os.path.exists(os.path.join(state.folder, NAME))):
        return None, None
    try:
        light = state.light()
    except (Locked, StateError) as error:
        hot.note(f"what is known of sessions is not shown, and the block is a new one: {error}")
        return None, None
    return light, _running(light, agent, session) if agent and session else None


def _running(light: "Light", agent: str, session: str) -> "Running | None":
    # Loaded only where a session is asked for: half of a hot command's time.
    from siltstone.cli.running import running

    return running(light, agent, session)


def parts_of(
    light: "Light | None",
    to: "Running | None",
    here: "Callable[[str], bool]",
    now: float,
    quoted: "Brief | None",
) -> Session:
    """The texts beside memories. `here` tells whether a session in a folder belongs to this project."""
    shown = _of_running(to) if to is not None else Session()
    if light is not None:
        shown = _with_the_last(shown, light, to, here, now)
    if quoted is None:
        return shown
    from siltstone.recall.brief import stale, text, told

    changed = stale(quoted)
    return shown._replace(brief=text(quoted, changed), told=(told(quoted, changed), *shown.told))


def _of_running(to: "Running") -> Session:
    """What is known of the running session itself."""
    from siltstone.recall.session.state import SessionState

    if to.state == SessionState():
        return Session()
    from siltstone.recall.session import summary
    from siltstone.recall.session.render import block

    sums = ("progress, summed up by rules",) if to.state.summaries else ()
    return Session(block(to.state), progress=summary.progress(to.state), told=sums)


def _with_the_last(
    shown: Session, light: "Light", to: "Running | None", here: "Callable[[str], bool]", now: float
) -> Session:
    """The same, and what the last session of the project came to."""
    from siltstone.store.state.summaries import Summaries

    try:
        recent = Summaries(light).recent(now, LOOKED_AT)
    except (Locked, StateError) as error:
        hot.note(f"what sessions came to is not shown: {error}")
        return shown
    mine = (to.agent, to.session) if to is not None else None
    others = (one for one in recent if (one.agent, one.session) != mine)
    before = next((one for one in others if here(one.cwd)), None)
    if before is None:
        return shown
    from siltstone.recall import ended

    sentence = f"last session, summed up by {ended.told(before)}"
    return shown._replace(last=ended.last(before), told=(*shown.told, sentence))
