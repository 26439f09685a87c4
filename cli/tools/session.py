"""Tools for the state of the running session: core memory (B4) and working memory (B14)."""

from contextlib import suppress
from typing import Annotated, Literal

from pydantic import Field

from siltstone.cli.context import now
from siltstone.cli.session import opened_state
from siltstone.cli.tools.table import Arguments, Call, Tool
from siltstone.recall.session import tools
from siltstone.recall.session.finding import LONGEST
from siltstone.recall.session.render import working
from siltstone.recall.session.state import NewerState, load
from siltstone.store.errors import Misuse
from siltstone.store.files import Session
from siltstone.store.state.light import Light
from siltstone.store.state.sessions import Sessions

BlockName = Annotated[
    Literal["goal", "progress", "context"],
    Field(description="goal: the one task; progress: done, in progress, blocked; context: files, patterns."),
]
Kind = Literal["error", "decision", "todo", "dependency", "other"]
Which = Annotated[
    str,
    Field(max_length=200, description="AGENT/ID, where not the one that runs here."),
]


class OfSession(Arguments):
    session: Which = ""


class Update(OfSession):
    block: BlockName
    content: Annotated[str, Field(max_length=100_000, description="What it is to say.")]
    append: Annotated[bool, Field(description="On a new line at its end.")] = False


def core_update(call: Call, asked: Update) -> str:
    at = now().timestamp()
    return _change(
        call,
        asked,
        lambda state: tools.core_update(state, asked.block, asked.content, at, append=asked.append),
    )


def core_read(call: Call, asked: OfSession) -> str:
    with opened_state() as light:
        session = _session(light, call, asked)
        state = tools.state_of(light, session.agent, session.id)
    if state is None:
        raise tools.unknown(session.agent, session.id)
    lines = [f"session {session}"]
    for one in tools.core_read(state):
        lines += [f"{one.name} ({one.chars}/{one.limit}):", *([one.content] if one.content else [])]
    return "\n".join([*lines, *filter(None, [working(state)])])


class Add(OfSession):
    kind: Annotated[Kind, Field(description="other: into the pool, which fades.")]
    content: Annotated[str, Field(max_length=100_000, description=f"A line of at most {LONGEST} characters.")]


def working_add(call: Call, asked: Add) -> str:
    return _change(call, asked, lambda state: tools.working_add(state, asked.kind, asked.content))


def working_clear(call: Call, asked: OfSession) -> str:
    return _change(call, asked, tools.working_clear)


class ClearSlot(OfSession):
    slot: Literal["error", "decision", "todo", "dependency"]


def working_clear_slot(call: Call, asked: ClearSlot) -> str:
    return _change(call, asked, lambda state: tools.working_clear(state, asked.slot))


class Remove(OfSession):
    content: Annotated[str, Field(max_length=100_000, description="The thing, in the words it is shown in.")]


def working_remove(call: Call, asked: Remove) -> str:
    return _change(call, asked, lambda state: tools.working_remove(state, asked.content))


def _change(call: Call, asked: OfSession, make: tools.Change) -> str:
    with opened_state() as light:
        session = _session(light, call, asked)
        done = tools.change(light, session.agent, session.id, now().timestamp(), make)
    redacted = "; something in it looked like a secret and was left out" if done.redacted else ""
    return f"{done.said}{redacted} (session {session})"


def _session(light: Light, call: Call, asked: OfSession) -> Session:
    """The session that is meant: the one that is named, else the caller's own while it runs, else the one
    of the same agent and folder that was heard of last. Raises Misuse where none was."""
    if asked.session:
        return Session.of(asked.session)
    ours = call.caller.session
    sessions = Sessions(light)
    if call.caller.known or sessions.get(ours.agent, ours.id) is not None:
        return ours
    for agent, name, _ in sessions.known():
        with suppress(NewerState):
            if agent == ours.agent and load(sessions.get(agent, name)).cwd == call.caller.cwd:
                return Session(agent, name)
    raise Misuse(
        f"no session of {ours.agent} is known to run in {call.caller.cwd or 'this folder'}: an agent's hooks "
        "tell of one, and without them nobody is shown what is noted here."
    )


SESSION = (
    Tool(
        "core_memory_update",
        "Write a block of this session's core memory, which stays in sight through compaction.",
        Update,
        core_update,
    ),
    Tool("core_memory_read", "Read this session's core and working memory.", OfSession, core_read, True),
    Tool("working_memory_add", "Note something for this session: the newest few stay.", Add, working_add),
    Tool("working_memory_clear", "Empty working memory.", OfSession, working_clear, destroys=True),
    Tool(
        "working_memory_clear_slot", "Empty one kind of slot.", ClearSlot, working_clear_slot, destroys=True
    ),
    Tool(
        "working_memory_remove",
        "Take one thing out of working memory.",
        Remove,
        working_remove,
        destroys=True,
    ),
)
