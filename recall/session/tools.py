"""What an agent may do with the state of its own session (docs/seeds.md B4, B14): a function each.

Commands and the MCP server wrap them. Each reports in one sentence what it did (E22). What does not fit or
is empty is refused with Misuse, and then nothing has changed. Texts are redacted before they are kept, and
escaped when they are shown.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from siltstone.recall.escape import line
from siltstone.recall.session import working_memory
from siltstone.recall.session.apply import settled
from siltstone.recall.session.state import CORE_LIMITS, SLOTS, Block, SessionState, core, dump, load
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


Change = Callable[[SessionState], Done]


def core_update(state: SessionState, name: str, text: str, now: float, *, append: bool = False) -> Done:
    """Replace a block of core memory, or put `text` on a new line at its end; "" empties it.

    Raises Misuse for an unknown block, and for a text that would pass the block's limit: nothing is cut
    without the agent's knowledge.
    """
    if name not in CORE_LIMITS:
        raise Misuse(f"there is no block {name[:40]!r} in core memory; there are {', '.join(CORE_LIMITS)}.")
    before, most = core(state)[name].content, CORE_LIMITS[name]
    clean = _redacted(text)
    content = f"{before}\n{clean}" if append and before else clean
    content = cleaned(content.strip())  # again: a secret may be split between two lines
    if len(content) > most:
        raise Misuse(
            f"the block {name} has room for {most:,} characters, this would make it {len(content):,}; "
            f"shorten it, or replace the block."
        )
    if content == before:
        how = "unchanged"
    elif not content:
        how = "emptied"
    else:
        how = "appended to" if append else "replaced"
    blocks: dict[str, Any] = {name: Block(content, now)}
    report = f"{name} {how}: {len(content):,} of {most:,} characters"
    return Done(state._replace(**blocks), report, redacted=clean != text)


def working_add(state: SessionState, kind: str, text: str) -> Done:
    """Put an item into working memory: a slot of its kind, or the pool for `other`.

    Raises Misuse for an unknown kind, and for a text that is empty or too long for a line.
    """
    if kind not in KINDS:
        raise Misuse(f"working memory has no kind {kind[:40]!r}; there are {', '.join(KINDS)}.")
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
    report = f"was already there, and is now the newest {kind}" if known else f"added as the newest {kind}"
    if dropped:
        report += f"; its {SLOTS[kind]} places were full, so {dropped[0][:80]!r} went"
    return Done(state._replace(slots=slots), report, clean != text)


def working_clear(state: SessionState, kind: str | None = None) -> Done:
    """Empty the slots of a kind, or all of working memory. Raises Misuse for an unknown kind."""
    if kind is not None and kind not in SLOTS:
        raise Misuse(f"there are no slots {kind[:40]!r}; there are {', '.join(SLOTS)}.")
    slots = tuple(one for one in state.slots if kind not in (None, one.kind))
    pool = state.pool if kind else ()
    count = len(state.slots) + len(state.pool) - len(slots) - len(pool)
    items = "item" if count == 1 else "items"
    report = f"cleared: {count} {items} of {f'the kind {kind}' if kind else 'any kind'}"
    return Done(state._replace(slots=slots, pool=pool), report)


def working_remove(state: SessionState, text: str) -> Done:
    """Remove one item from slots and pool, given in its own words or as it is shown.

    Raises Misuse when there is no such item.
    """
    text = " ".join(text.split())
    items = [*(one.text for one in state.slots), *(one.text for one in state.pool)]
    if text not in items:
        text = next((one for one in items if line(one, LONGEST) == text), text)
    if text not in items:
        raise Misuse(f"working memory has no item {text[:80]!r}; copy the words as they are shown.")
    slots = tuple(one for one in state.slots if one.text != text)
    return Done(state._replace(slots=slots, pool=tuple(p for p in state.pool if p.text != text)), "removed")


def state_of(db: State, agent: str, session: str) -> SessionState:
    """A session's state. Raises Misuse for an unknown session; NewerState, StateError, Locked."""
    body = db.sessions.get(agent, session)
    if body is None:
        raise Misuse(
            f"nothing is known about a session {f'{agent}/{session}'[:80]!r}; `silt session` lists known "
            f"ones, and a session's first event starts one."
        )
    return load(body)


def change(db: State, agent: str, session: str, now: float, make: Change) -> Done:
    """Change a session's state: all of it or nothing.

    Raises Misuse for a session that no event has begun, since nobody is shown what is kept under a wrong
    name; also what `make` raises, NewerState, StateError and Locked.
    """
    with db.transaction():
        done = make(state_of(db, agent, session))
        state = done.state._replace(updated=max(done.state.updated, now))
        db.sessions.put(agent, session, now, dump(state))
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


def _redacted(text: str) -> str:
    clean = cleaned(text)
    if text.strip() and not clean.strip():
        raise Misuse("the text could not be checked for secrets, so it is not kept; shorten it.")
    return clean
