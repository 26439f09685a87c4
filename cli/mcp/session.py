"""Tools for the state of the running session: core memory (B4) and working memory (B14)."""

from contextlib import suppress

from siltstone.cli.context import now, opened_state
from siltstone.cli.mcp.arguments import Add, ClearSlot, OfSession, Remove, Update
from siltstone.cli.mcp.calls import Call
from siltstone.recall.session import tools
from siltstone.recall.session.render import working
from siltstone.recall.session.state import NewerState, load
from siltstone.store.errors import Misuse
from siltstone.store.files import Session
from siltstone.store.state import State


def core_update(call: Call, asked: Update) -> str:
    at = now().timestamp()
    return _change(
        call,
        asked,
        lambda state: tools.core_update(state, asked.block, asked.content, at, append=asked.append),
    )


def core_read(call: Call, asked: OfSession) -> str:
    with opened_state(reads=True) as db:
        session = _session(db, call, asked)
        state = tools.state_of(db, session.agent, session.id)
    if state is None:
        raise tools.unknown(session.agent, session.id)
    lines = [f"session {session}"]
    for one in tools.core_read(state):
        lines += [f"{one.name} ({one.chars}/{one.limit}):", *([one.content] if one.content else [])]
    return "\n".join([*lines, *filter(None, [working(state)])])


def working_add(call: Call, asked: Add) -> str:
    return _change(call, asked, lambda state: tools.working_add(state, asked.kind, asked.content))


def working_clear(call: Call, asked: OfSession) -> str:
    return _change(call, asked, tools.working_clear)


def working_clear_slot(call: Call, asked: ClearSlot) -> str:
    return _change(call, asked, lambda state: tools.working_clear(state, asked.slot))


def working_remove(call: Call, asked: Remove) -> str:
    return _change(call, asked, lambda state: tools.working_remove(state, asked.content))


def _change(call: Call, asked: OfSession, make: tools.Change) -> str:
    with opened_state() as db:
        session = _session(db, call, asked)
        done = tools.change(db, session.agent, session.id, now().timestamp(), make)
    redacted = "; something in it looked like a secret and was left out" if done.redacted else ""
    return f"{done.report}{redacted} (session {session})"


def _session(db: State, call: Call, asked: OfSession) -> Session:
    """The session that is meant: the one that is named, else the caller's own while it runs, else the one
    of the same agent and folder that was heard of last. Raises Misuse where none was."""
    if asked.session:
        return Session.of(asked.session)
    ours = call.caller.session
    sessions = db.sessions
    if call.caller.known or sessions.get(ours.agent, ours.id) is not None:
        return ours
    for agent, name, _ in sessions.known():
        with suppress(NewerState):
            if agent == ours.agent and load(sessions.get(agent, name)).cwd == call.caller.cwd:
                return Session(agent, name)
    raise Misuse(
        f"no session of {ours.agent} is known to run in {call.caller.cwd or 'this folder'}: an agent's hooks "
        "report one, and without them nobody is shown what is noted here."
    )
