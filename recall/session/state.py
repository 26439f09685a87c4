"""The state of a session as a value, and its JSON form (docs/seeds.md A29, B10, B18).

The JSON carries a version. Version 1 is `{items}`, as the systems of docs/seeds.md B26 wrote it. Reading
never fails: a value of the wrong shape counts as missing.
"""

from json import dumps, loads
from typing import Any, NamedTuple, TypeVar

VERSION = 2
_MAX_NUMBER = 2**53
CORE_LIMITS = {"goal": 1_000, "progress": 2_000, "context": 1_500}
"""Blocks of core memory with their lengths in characters (docs/seeds.md B1–B3): the one task; done, in
progress, blocked; current files and key patterns."""
SLOTS = {"error": 3, "decision": 5, "todo": 3, "dependency": 3}
"""Kinds of slots, and how many of the newest are kept (docs/seeds.md B11). To add a kind, name it here."""

_Row = TypeVar("_Row", bound=tuple[object, ...])


class File(NamedTuple):
    """A file the session works with."""

    path: str = ""
    action: str = ""
    """The weightiest action on it: edit, write, grep or read."""
    times: int = 0
    event: int = 0
    """Number of the event that touched it last."""


class OpenError(NamedTuple):
    """An open error."""

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


class NewerState(ValueError):
    """The state was written by a newer version: it is left alone."""


def dump(state: SessionState) -> str:
    """The state as JSON, ASCII only."""
    record: dict[str, Any] = {"version": VERSION}
    for key, value in state._asdict().items():
        if isinstance(value, tuple):
            record[key] = value._asdict() if hasattr(value, "_asdict") else [one._asdict() for one in value]
        else:
            record[key] = value
    return dumps(record, separators=(",", ":"))


def load(body: str | None) -> SessionState:
    """The state in a JSON text; a new one when there is none. Raises NewerState."""
    try:
        found = loads(body) if body else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        return SessionState()
    version = found.get("version", 1)
    if isinstance(version, int) and version > VERSION:
        raise NewerState(f"it has version {version}, this siltstone knows {VERSION}")
    return _from_items(found) if "items" in found else _current(found)


def _current(found: dict[str, Any]) -> SessionState:
    numbers_and_texts = _row(SessionState, found)
    return numbers_and_texts._replace(
        files=_rows(File, found.get("files")),
        errors=_rows(OpenError, found.get("errors")),
        decisions=_rows(Note, found.get("decisions")),
        pending=_rows(Note, found.get("pending")),
        goal=_row(Block, found.get("goal")),
        progress=_row(Block, found.get("progress")),
        context=_row(Block, found.get("context")),
        slots=tuple(slot for slot in _rows(Slot, found.get("slots")) if slot.kind in SLOTS),
        pool=_rows(Pooled, found.get("pool")),
        pressure=_row(Pressure, found.get("pressure")),
        asked=_row(Note, found.get("asked")),
        asked_last=_row(Note, found.get("asked_last")),
        summaries=_rows(Summary, found.get("summaries")),
    )


def _from_items(found: dict[str, Any]) -> SessionState:
    """`{items: [{type, content, …}]}` → slots for known kinds, the pool for the rest."""
    slots, pool = [], []
    items = found["items"] if isinstance(found["items"], list) else []
    for item in items[-100:]:
        record = item if isinstance(item, dict) else {"content": item}
        text = record.get("content", record.get("text"))
        if not isinstance(text, str) or not text.strip():
            continue
        kind = record.get("type", record.get("kind"))
        if isinstance(kind, str) and kind in SLOTS:
            slots.append(Slot(kind, text))
        else:
            pool.append(Pooled(text, 1, 1.0))
    return SessionState(slots=tuple(slots), pool=tuple(pool))


def _rows(cls: type[_Row], found: object) -> tuple[_Row, ...]:
    rows = found if isinstance(found, list) else []
    return tuple(_row(cls, row) for row in rows[:200] if isinstance(row, dict))


def _row(cls: type[_Row], found: object) -> _Row:
    """A value from those fields of a record that have the type of the field's default."""
    record = found if isinstance(found, dict) else {}
    make: Any = cls
    row: _Row = make(**{key: _typed(record.get(key), value) for key, value in make._field_defaults.items()})
    return row


def _typed(value: object, default: object) -> object:
    if default is None:  # a number that may be unknown
        return value if _is_number(value) and isinstance(value, int) else None
    if isinstance(default, bool):
        return value is True
    if isinstance(default, str):
        return value if isinstance(value, str) else default
    if isinstance(default, (int, float)) and isinstance(value, (int, float)) and _is_number(value):
        return type(default)(value)
    return default


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= _MAX_NUMBER
