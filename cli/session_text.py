"""What `silt inject` shows of the running session itself. On the hot path (cli/hot.py)."""

import os

from siltstone.recall.brief import Brief, stale, text, told
from siltstone.recall.view import Session
from siltstone.store.errors import Locked, StateError


def parts_of(folder: str, agent: str, session: str, quoted: Brief | None) -> Session:
    """What is shown beside memories: the running session, and what the project's own files say."""
    shown = Session(text_of(folder, agent, session))
    if quoted is None:
        return shown
    changed = stale(quoted)
    return shown._replace(brief=text(quoted, changed), told=(told(quoted, changed),))


def text_of(folder: str, agent: str, session: str) -> str:
    """The state of a session as text; "" when nothing is known of it.

    A state that cannot be read is a remark on standard error: the memories are shown all the same.
    """
    if not (agent and session):
        return ""
    # Loaded only where a session is asked for: half of a hot command's time.
    from siltstone.cli import hot
    from siltstone.recall.session.render import block
    from siltstone.recall.session.state import NewerState, load
    from siltstone.store.state.light import NAME, Light
    from siltstone.store.state.sessions import Sessions

    if not os.path.exists(os.path.join(folder, NAME)):
        return ""
    try:
        light = Light(folder)
        try:
            return block(load(Sessions(light).get(agent, session)))
        finally:
            light.close()
    except (Locked, StateError, NewerState) as error:
        hot.note(f"the state of session {session[:80]} is not shown: {error}")
        return ""
