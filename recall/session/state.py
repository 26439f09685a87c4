"""The state of a session as a value, and its JSON form with a version (docs/seeds.md A29, B10, B18)."""

from json import JSONDecodeError, dumps, loads
from typing import Any, NamedTuple, get_args, get_origin

from siltstone.store.errors import StateError

VERSION = 2
CORE_LIMITS = {"goal": 1_000, "progress": 2_000, "context": 1_500}
"""Blocks of core memory with their lengths in characters (docs/seeds.md B1–B3): the one task; done, in
progress, blocked; current files and key patterns."""
SLOTS = {"error": 3, "decision": 5, "todo": 3, "dependency": 3}
"""Kinds of slots, and how many of the newest are kept (docs/seeds.md B11). To add a kind, name it here."""


class File(NamedTuple):
    """A file the session works with."""

    path: str = ""
    action: str = ""
    """The weightiest action on it: edit, write, grep or read."""
    times: int = 0
    event: int = 0
    """Number of the event that touched it last."""


class OpenError(NamedTuple):
    fingerprint: str = ""
    category: str = ""
    summary: str = ""
    command: str = ""
    """Fingerprint of the command that failed: its success clears the error."""
    seen: int = 0
    maybe_fixed: bool = False
    event: int = 0


class Note(NamedTuple):
    """A decision, a request, or a memory that waits for `silt run`; `type` is "" except for a memory."""

    text: str = ""
    at: float = 0.0
    type: str = ""


class Block(NamedTuple):
    """One block of core memory."""

    content: str = ""
    at: float = 0.0


class Summary(NamedTuple):
    """A machine-made summary of the session (docs/seeds.md E16): no memory and no evidence."""

    text: str = ""
    at: float = 0.0
    turn: int = 0
    """Number of typed messages by then."""
    why: str = ""
    """The occasion: a number of turns, a compaction, the end."""


class Slot(NamedTuple):
    """One item in a slot of working memory."""

    kind: str = ""
    text: str = ""
    event: int = 0


class Pooled(NamedTuple):
    """One item in the pool of working memory, with its score at its last mention."""

    text: str = ""
    mentions: int = 0
    score: float = 0.0
    event: int = 0


class Pressure(NamedTuple):
    """How full the agent's context is."""

    chars: int = 0
    """Visible characters since the last compaction."""
    tokens: int | None = None
    limit: int | None = None
    reserve: int | None = None
    level: str = "safe"
    model: str = ""
    hushed: bool = False
    """The model has just changed, so the next level is entered silently (docs/seeds.md "Source" of B)."""
    interventions: int = 0
    """How often the agent was asked to shrink its context (`interventionsSent`, docs/seeds.md B18)."""


class SessionState(NamedTuple):
    """Everything known about one session."""

    turn: int = 0
    """Number of typed messages."""
    events: int = 0
    updated: float = 0.0
    answered: float = 0.0
    """When the agent last did anything: answered, called a tool, compacted, became idle."""
    cwd: str = ""
    compactions: int = 0
    compacted: float = 0.0
    """When the agent last compacted its context."""
    files: tuple[File, ...] = ()
    errors: tuple[OpenError, ...] = ()
    decisions: tuple[Note, ...] = ()
    pending: tuple[Note, ...] = ()
    goal: Block = Block()
    progress: Block = Block()
    context: Block = Block()
    slots: tuple[Slot, ...] = ()
    pool: tuple[Pooled, ...] = ()
    pressure: Pressure = Pressure()
    asked: Note = Note()
    """The first typed request."""
    asked_last: Note = Note()
    """The last one."""
    summaries: tuple[Summary, ...] = ()
    condensed: str = ""
    """What is left of older summaries, a line each."""


class NewerState(StateError):
    """The state was written by a newer version: it is left alone."""


def core(state: SessionState) -> dict[str, Block]:
    """The blocks of core memory by name, also empty ones."""
    return {"goal": state.goal, "progress": state.progress, "context": state.context}


def dump(state: SessionState) -> str:
    """The state as JSON, ASCII only."""
    return dumps({"version": VERSION} | _plain(state), separators=(",", ":"))


def _plain(value: Any) -> Any:
    """A value with the fields of all its parts by name."""
    if hasattr(value, "_asdict"):
        return {key: _plain(one) for key, one in value._asdict().items()}
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def load(body: str | None) -> SessionState:
    """The state in a JSON text of ours; a new one when there is none. Raises NewerState.

    Fields that it does not have are as in a new one, and those that are no more are passed over.
    """
    try:
        found = loads(body) if body else {}
        if found.get("version", VERSION) > VERSION:
            raise NewerState(
                f"the session's state has version {found['version']}, this siltstone knows {VERSION}: "
                "update siltstone"
            )
        state: SessionState = _made(SessionState, found)
    except (AttributeError, TypeError, RecursionError, JSONDecodeError):
        return SessionState()  # nothing of ours
    return state


def _made(kind: Any, value: Any) -> Any:
    """The value of a type that `_plain` took apart."""
    if get_origin(kind) is tuple:
        return tuple(_made(get_args(kind)[0], one) for one in value)
    if not hasattr(kind, "_fields"):
        return value
    types = kind.__annotations__
    return kind(**{key: _made(types[key], value[key]) for key in types.keys() & value.keys()})
