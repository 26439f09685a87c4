"""What an agent may do with the state of its own session (docs/seeds.md B4, B14): one function each.

Commands and an MCP server wrap them. Each says what it did and why, in one sentence (E22); what would
not fit or holds nothing is refused with Misuse, and then nothing has changed. Texts are freed of secrets
before they are kept, and escaped when they are shown.
"""

from collections.abc import Callable
from typing import NamedTuple

from siltstone.recall.escape import line
from siltstone.recall.session import core, working
from siltstone.recall.session.apply import settled
from siltstone.recall.session.finding import LONGEST
from siltstone.recall.session.state import SLOTS, SessionState, dump, load
from siltstone.store.errors import Misuse
from siltstone.store.plain import cleaned
from siltstone.store.state.light import Light
from siltstone.store.state.sessions import Sessions

POOL = "other"
"""The kind of what belongs into no slot: it goes into the pool, and fades."""
KINDS = (*SLOTS, POOL)


class Done(NamedTuple):
    """The state after a change, and what was done."""

    state: SessionState
    said: str
    redacted: bool = False
    """Something in the text looked like a secret and was left out."""


class Core(NamedTuple):
    """One block of core memory, as it is read."""

    name: str
    content: str
    chars: int
    limit: int
    updated: float
    """Epoch seconds; 0 for a block nobody wrote."""


Change = Callable[[SessionState], Done]


def core_update(state: SessionState, name: str, text: str, now: float, *, append: bool = False) -> Done:
    """Replace a block of core memory, or put `text` on a new line at its end; "" empties it.

    Raises Misuse for a block there is none of, and for a text that would pass its limit.
    """
    before = core.block(state, name)
    clean = _clean(text)
    made = (core.append if append else core.replace)(state, name, clean, now)
    after = core.block(made, name)
    how = "unchanged" if after.content == before.content else "appended to" if append else "replaced"
    how = how if after.content or how == "unchanged" else "emptied"
    said = f"{name} {how}: {len(after.content):,} of {core.LIMITS[name]:,} characters"
    return Done(made, said, clean != text)


def core_read(state: SessionState) -> tuple[Core, ...]:
    """Every block of core memory, also those that are empty."""
    blocks = ((name, core.block(state, name)) for name in core.LIMITS)
    return tuple(Core(name, one.content, len(one.content), core.LIMITS[name], one.at) for name, one in blocks)


def working_add(state: SessionState, kind: str, text: str) -> Done:
    """Put something into working memory: a slot of its kind, or the pool for `other`.

    Raises Misuse for a kind there is none of, and for a text that is empty or too long for a line.
    """
    if kind not in KINDS:
        raise Misuse(f"working memory knows no {kind[:40]!r}; there are {', '.join(KINDS)}.")
    clean = " ".join(_clean(text).split())
    if not clean:
        raise Misuse("there is nothing to add; give a text of a few words.")
    if len(clean) > LONGEST:
        raise Misuse(f"a thing here has at most {LONGEST} characters, not {len(clean)}; shorten it.")
    redacted = _clean(text) != text
    if kind == POOL:
        pool = working.mention(state.pool, [clean], state.events)
        return Done(state._replace(pool=pool), "mentioned in the pool, which fades", redacted)
    slots = working.slot(state.slots, kind, [clean], state.events)
    gone = [one.text for one in state.slots if one.kind == kind and one not in slots and one.text != clean]
    there = any(one.kind == kind and one.text == clean for one in state.slots)
    said = f"was there already, and is the newest {kind} now" if there else f"added as the newest {kind}"
    said += f"; its {SLOTS[kind]} places were full, so {gone[0][:80]!r} went" if gone else ""
    return Done(state._replace(slots=slots), said, redacted)


def working_clear(state: SessionState, kind: str | None = None) -> Done:
    """Empty the slots of a kind, or all of working memory. Raises Misuse for a kind there is none of."""
    made = working.clear(state, kind)
    count = len(state.slots) + len(state.pool) - len(made.slots) - len(made.pool)
    things = "thing" if count == 1 else "things"
    return Done(made, f"cleared: {count} {things} of {f'the kind {kind}' if kind else 'any kind'}")


def working_remove(state: SessionState, text: str) -> Done:
    """Take one thing out of slots and pool, told in its own words or as it is shown.

    Raises Misuse where nothing says that.
    """
    said = " ".join(text.split())
    held = [*(one.text for one in state.slots), *(one.text for one in state.pool)]
    shown = next((one for one in held if line(one, LONGEST) == said), said)
    return Done(working.remove(state, said if said in held else shown), "removed")


def state_of(light: Light, agent: str, session: str) -> SessionState | None:
    """A session's state; None when nothing is known of it. Raises NewerState, StateError, Locked."""
    body = Sessions(light).get(agent, session)
    return None if body is None else load(body)


def unknown(agent: str, session: str) -> Misuse:
    """What is said of a session without a state."""
    return Misuse(
        f"nothing is known of a session {f'{agent}/{session}'[:80]!r}; `silt session` lists those that are, "
        "and its first event begins one."
    )


def change(light: Light, agent: str, session: str, now: float, make: Change) -> Done:
    """Change a session's state: all of it, or nothing.

    Raises Misuse for a session that no event has begun, for what is written down under a wrong name nobody
    is shown; also what `make` raises, NewerState, StateError and Locked.
    """
    sessions = Sessions(light)
    with light:
        body = sessions.get(agent, session)
        if body is None:
            raise unknown(agent, session)
        done = make(load(body))
        sessions.put(agent, session, now, dump(done.state._replace(updated=max(done.state.updated, now))))
    return done


def restore(light: Light, agent: str, session: str, made: SessionState) -> SessionState:
    """Put a state that was made from the transcript in place of what is kept; what is kept now.

    Core memory stays, for no transcript tells it. Raises NewerState, StateError and Locked.
    """
    sessions = Sessions(light)
    with light:
        kept = load(sessions.get(agent, session))
        state = settled(made, sessions.read_until(agent, session))
        state = state._replace(goal=kept.goal, progress=kept.progress, context=kept.context)
        sessions.put(agent, session, state.updated, dump(state))
    return state


def _clean(text: str) -> str:
    clean = cleaned(text)
    if text.strip() and not clean.strip():
        raise Misuse("the text could not be proven free of secrets, so it is not kept; shorten it.")
    return clean
