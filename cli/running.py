"""The session that is running, as it is known before anything is shown. On the hot path (cli/hot.py)."""

from siltstone.cli import hot
from siltstone.recall.session.state import NewerState, SessionState, load
from siltstone.store.errors import Locked, StateError
from siltstone.store.state.light import Light
from siltstone.store.state.sessions import Sessions
from siltstone.store.state.shown import Shown
from siltstone.store.tuples import NamedTuple


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
