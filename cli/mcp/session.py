"""Tools for the state of the running session: core memory (B4) and working memory (B14)."""

from contextlib import suppress
from typing import Annotated, Literal

from pydantic import Field

from siltstone.cli.context import now
from siltstone.cli.mcp.call import Call, tool
from siltstone.cli.note import REDACTED
from siltstone.recall.session import tools
from siltstone.recall.session.render import working
from siltstone.recall.session.state import CORE_LIMITS, NewerState, core, load
from siltstone.recall.session.working_memory import LONGEST
from siltstone.store.errors import Misuse
from siltstone.store.files import Session
from siltstone.store.state import State

Which = Annotated[str, Field(max_length=200, description="AGENT/ID, if not the session that runs here.")]
BlockName = Annotated[
    Literal["goal", "progress", "context"],
    Field(description="goal: the one task; progress: done, in progress, blocked; context: files, patterns."),
]


@tool()
def core_memory_update(
    call: Call,
    block: BlockName,
    content: Annotated[str, Field(max_length=100_000, description="The new text.")],
    append: Annotated[bool, Field(description="On a new line at its end.")] = False,
    session: Which = "",
) -> str:
    """Write a block of this session's core memory, which stays in sight through compaction."""
    at = now().timestamp()
    return _change(call, session, lambda state: tools.core_update(state, block, content, at, append=append))


@tool(reads=True)
def core_memory_read(call: Call, session: Which = "") -> str:
    """Read this session's core and working memory."""
    db = call.context.state
    meant = _session(db, call, session)
    state = tools.state_of(db, meant.agent, meant.id)
    lines = [f"session {meant}"]
    for name, block in core(state).items():
        lines.append(f"{name} ({len(block.content)}/{CORE_LIMITS[name]}):")
        lines += [block.content] if block.content else []
    return "\n".join([*lines, *filter(None, [working(state)])])


@tool()
def working_memory_add(
    call: Call,
    kind: Annotated[
        Literal["error", "decision", "todo", "dependency", "other"],
        Field(description="other: into the pool, which fades."),
    ],
    content: Annotated[
        str, Field(max_length=100_000, description=f"A line of at most {LONGEST} characters.")
    ],
    session: Which = "",
) -> str:
    """Note something for this session: the newest few stay."""
    return _change(call, session, lambda state: tools.working_add(state, kind, content))


@tool(destroys=True)
def working_memory_clear(call: Call, session: Which = "") -> str:
    """Empty working memory."""
    return _change(call, session, tools.working_clear)


@tool(destroys=True)
def working_memory_clear_slot(
    call: Call, slot: Literal["error", "decision", "todo", "dependency"], session: Which = ""
) -> str:
    """Empty one kind of slot."""
    return _change(call, session, lambda state: tools.working_clear(state, slot))


@tool(destroys=True)
def working_memory_remove(
    call: Call,
    content: Annotated[str, Field(max_length=100_000, description="The item, in the words that are shown.")],
    session: Which = "",
) -> str:
    """Take one thing out of working memory."""
    return _change(call, session, lambda state: tools.working_remove(state, content))


SESSION = (
    *(core_memory_update, core_memory_read, working_memory_add),
    *(working_memory_clear, working_memory_clear_slot, working_memory_remove),
)


def _change(call: Call, session: str, make: tools.Change) -> str:
    db = call.context.state
    meant = _session(db, call, session)
    done = tools.change(db, meant.agent, meant.id, now().timestamp(), make)
    redacted = f"; {REDACTED}" if done.redacted else ""
    return f"{done.report}{redacted} (session {meant})"


def _session(db: State, call: Call, named: str) -> Session:
    """The session that is meant: the one that is named, else the caller's own while it runs, else the one
    of the same agent and folder that was heard of last. Raises Misuse where none was."""
    if named:
        return Session.of(named)
    ours = call.caller.session
    sessions = db.sessions
    if call.caller.known or sessions.get(ours.agent, ours.id) is not None:
        return ours
    for agent, name, _ in sessions.known():
        with suppress(NewerState):
            if agent == ours.agent and load(sessions.get(agent, name)).cwd == call.caller.cwd:
                return Session(agent, name)
    raise Misuse(
        f"no {ours.agent} session is known to run in {call.caller.cwd or 'this folder'}: an agent's hooks "
        f"report one, and without them nobody would see what is noted here."
    )
