"""What an agent may do with the state of its own session (docs/seeds.md B4, B14): a function each.

Commands and the MCP server wrap them. Each reports in one sentence what it did (E22). What does not fit or
is empty is refused with Misuse, and then nothing has changed. Texts are redacted before they are kept, and
escaped when they are shown.
"""

from collections.abc import Callable
from typing import NamedTuple

from siltstone.recall.escape import line
from siltstone.recall.session import working_memory
from siltstone.recall.session.apply import settled
from siltstone.recall.session.state import CORE_LIMITS, SLOTS, Block, SessionState, dump, load
from siltstone.recall.session.working_memory import LONGEST
from siltstone.store.errors import Misuse
from siltstone.store.redaction import cleaned
from siltstone.store.state import State

POOL = "other"
"""The kind of an item that fits no slot: it goes into the pool, and fades."""
KINDS = (*SLOTS, POOL)


class Done(NamedTuple):
    """The state after a change, and a report."""

    state: SessionState
    report: str
    redacted: bool = False
    """Something in the text looked like a secret and was left out."""


class CoreBlock(NamedTuple):
    """One block of core memory, as it is read."""

    name: str
    content: str
    chars: int
    limit: int
    updated: float
    """Epoch seconds; 0 for a block that was never written."""


Change = Callable[[SessionState], Done]


def core_update(state: SessionState, name: str, text: str, now: float, *, append: bool = False) -> Done:
    """Replace a block of core memory, or put `text` on a new line at its end; "" empties it.

    Raises Misuse for an unknown block, and for a text that would pass the block's limit: nothing is cut
    without the agent's knowledge.
    """
    before = _core_block(state, name).content
    clean = _redacted(text)
    content = f"{before}\n{clean}" if append and before else clean
    content = cleaned(content.strip())  # again: a secret may be split between two lines
    if len(content) > CORE_LIMITS[name]:
        raise Misuse(
            f"the block {name} holds {CORE_LIMITS[name]:,} characters, this would make it {len(content):,}; "
            "say it shorter, or replace the block."
        )
    block = Block(content, now)
    if name == "goal":
        made = state._replace(goal=block)
    elif name == "progress":
        made = state._replace(progress=block)
    else:
        made = state._replace(context=block)
    if content == before:
        how = "unchanged"
    elif not content:
        how = "emptied"
    else:
        how = "appended to" if append else "replaced"
    return Done(
        made, f"{name} {how}: {len(content):,} of {CORE_LIMITS[name]:,} characters", redacted=clean != text
    )


def core_read(state: SessionState) -> tuple[CoreBlock, ...]:
    """Every block of core memory, also empty ones."""
    blocks = ((name, _core_block(state, name), limit) for name, limit in CORE_LIMITS.items())
    return tuple(CoreBlock(name, one.content, len(one.content), limit, one.at) for name, one, limit in blocks)


def working_add(state: SessionState, kind: str, text: str) -> Done:
    """Put an item into working memory: a slot of its kind, or the pool for `other`.

    Raises Misuse for an unknown kind, and for a text that is empty or too long for a line.
    """
    if kind not in KINDS:
        raise Misuse(f"working memory knows no {kind[:40]!r}; there are {', '.join(KINDS)}.")
    clean = _redacted(text)
    item = " ".join(clean.split())
    if not item:
        raise Misuse("there is nothing to add; give a text of a few words.")
    if len(item) > LONGEST:
        raise Misuse(f"an item here has at most {LONGEST} characters, not {len(item)}; shorten it.")
    if kind == POOL:
        pool = working_memory.mention(state.pool, [item], state.events)
        return Done(state._replace(pool=pool), "mentioned in the pool, which fades", clean != text)
    slots = working_memory.slot(state.slots, kind, [item], state.events)
    dropped = [one.text for one in state.slots if one.kind == kind and one not in slots and one.text != item]
    known = any(one.kind == kind and one.text == item for one in state.slots)
    report = f"was there already, and is the newest {kind} now" if known else f"added as the newest {kind}"
    if dropped:
        report += f"; its {SLOTS[kind]} places were full, so {dropped[0][:80]!r} went"
    return Done(state._replace(slots=slots), report, clean != text)


def working_clear(state: SessionState, kind: str | None = None) -> Done:
    """Empty the slots of a kind, or all of working memory. Raises Misuse for an unknown kind."""
    made = working_memory.clear(state, kind)
    count = len(state.slots) + len(state.pool) - len(made.slots) - len(made.pool)
    items = "item" if count == 1 else "items"
    return Done(made, f"cleared: {count} {items} of {f'the kind {kind}' if kind else 'any kind'}")


def working_remove(state: SessionState, text: str) -> Done:
    """Remove one item from slots and pool, given in its own words or as it is shown.

    Raises Misuse when there is no such item.
    """
    text = " ".join(text.split())
    items = [*(one.text for one in state.slots), *(one.text for one in state.pool)]
    if text not in items:
        text = next((one for one in items if line(one, LONGEST) == text), text)
    return Done(working_memory.remove(state, text), "removed")


def state_of(db: State, agent: str, session: str) -> SessionState | None:
    """A session's state; None for an unknown session. Raises NewerState, StateError, Locked."""
    body = db.sessions.get(agent, session)
    return None if body is None else load(body)


def unknown(agent: str, session: str) -> Misuse:
    """The error about a session without a state."""
    return Misuse(
        f"nothing is known of a session {f'{agent}/{session}'[:80]!r}; `silt session` lists those that are, "
        "and its first event begins one."
    )


def change(db: State, agent: str, session: str, now: float, make: Change) -> Done:
    """Change a session's state: all of it or nothing.

    Raises Misuse for a session that no event has begun, since nobody is shown what is kept under a wrong
    name; also what `make` raises, NewerState, StateError and Locked.
    """
    sessions = db.sessions
    with db.transaction():
        body = sessions.get(agent, session)
        if body is None:
            raise unknown(agent, session)
        done = make(load(body))
        sessions.put(agent, session, now, dump(done.state._replace(updated=max(done.state.updated, now))))
    return done


def restore(db: State, agent: str, session: str, made: SessionState) -> SessionState:
    """Replace the kept state with one made from the transcript; returns what is kept now.

    Core memory stays, since no transcript holds it. Raises NewerState, StateError and Locked.
    """
    sessions = db.sessions
    with db.transaction():
        kept = load(sessions.get(agent, session))
        state = settled(made, db.sources.read_until(agent, session))
        state = state._replace(goal=kept.goal, progress=kept.progress, context=kept.context)
        sessions.put(agent, session, state.updated, dump(state))
    return state


def _core_block(state: SessionState, name: str) -> Block:
    if name not in CORE_LIMITS:
        raise Misuse(f"there is no block {name[:40]!r} in core memory; there are {', '.join(CORE_LIMITS)}.")
    found: Block = getattr(state, name)
    return found


def _redacted(text: str) -> str:
    clean = cleaned(text)
    if text.strip() and not clean.strip():
        raise Misuse("the text could not be proven free of secrets, so it is not kept; shorten it.")
    return clean
