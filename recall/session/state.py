"""The state of a session as a value, and its JSON form (docs/seeds.md A29, B10, B18).

The JSON carries a version. Version 1 is what the systems we learn from left behind: `{items}` (docs/seeds.md
B26). Whatever stands in it, reading never fails: what has not the right shape counts as not there.
"""

from siltstone.store.light_json import dumps, loads
from siltstone.store.tuples import NamedTuple

VERSION = 2
_MOST = 2**53
SLOTS = {"error": 3, "decision": 5, "todo": 3, "dependency": 3}
"""Kinds of slots and how many of each are kept, the newest (docs/seeds.md B11). To add one, name it here."""


TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from typing import Any, TypeVar

    _Row = TypeVar("_Row", bound=tuple[object, ...])


class File(NamedTuple):
    """A file the session works with."""

    path: str = ""
    action: str = ""
    """The weightiest thing done with it: edit, write, grep or read."""
    times: int = 0
    event: int = 0
    """Number of the event that touched it last."""


class Trouble(NamedTuple):
    """An open error."""

    fingerprint: str = ""
    category: str = ""
    summary: str = ""
    command: str = ""
    """Fingerprint of the command that failed, so that its success clears what it opened."""
    seen: int = 0
    maybe_fixed: bool = False
    event: int = 0


class Said(NamedTuple):
    """A decision or a memory that waits for `silt run`; `type` is "" for a decision."""

    text: str = ""
    at: float = 0.0
    type: str = ""


class Block(NamedTuple):
    """One block of core memory."""

    content: str = ""
    at: float = 0.0


class Summary(NamedTuple):
    """What a session came to, as a machine summed it up (docs/seeds.md E16): no memory and no evidence."""

    text: str = ""
    at: float = 0.0
    turn: int = 0
    """Messages typed by then."""
    why: str = ""
    """What it was made for: so many turns, a compaction, the end."""


class Slot(NamedTuple):
    """One thing in a slot."""

    kind: str = ""
    text: str = ""
    event: int = 0


class Pooled(NamedTuple):
    """One thing in the pool, with its score as of the event that mentioned it last."""

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
    """The model has just changed: the next level is taken without a word (docs/seeds.md "Source" of B)."""
    interventions: int = 0
    """How often the agent was asked to shrink its context (`interventionsSent`, docs/seeds.md B18)."""


class SessionState(NamedTuple):
    """Everything known about one session."""

    turn: int = 0
    """Messages typed so far."""
    events: int = 0
    updated: float = 0.0
    answered: float = 0.0
    """When the agent last did anything: said, called a tool, compacted, fell idle."""
    cwd: str = ""
    compactions: int = 0
    compacted: float = 0.0
    """When the agent last compacted its context."""
    files: tuple[File, ...] = ()
    errors: tuple[Trouble, ...] = ()
    decisions: tuple[Said, ...] = ()
    pending: tuple[Said, ...] = ()
    goal: Block = Block()
    progress: Block = Block()
    context: Block = Block()
    slots: tuple[Slot, ...] = ()
    pool: tuple[Pooled, ...] = ()
    pressure: Pressure = Pressure()
    asked: Said = Said()
    """The first typed request."""
    asked_last: Said = Said()
    """The last one, as far as it is plain (`store/plain.py`)."""
    summaries: tuple[Summary, ...] = ()
    condensed: str = ""
    """What is left of older summaries, a line each."""


class NewerState(ValueError):
    """The state was written by a newer version: it is left alone."""


def dump(state: SessionState) -> str:
    """The state as JSON, ASCII only."""
    told: dict[str, Any] = {"version": VERSION}
    for key, value in state._asdict().items():
        if isinstance(value, tuple):
            told[key] = value._asdict() if hasattr(value, "_asdict") else [one._asdict() for one in value]
        else:
            told[key] = value
    return dumps(told, tight=True)


def load(body: str | None) -> SessionState:
    """The state in a JSON text; a fresh one where there is none. Raises NewerState."""
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


def _current(found: "dict[str, Any]") -> SessionState:
    plain = _made(SessionState, found)
    return plain._replace(
        files=_rows(File, found.get("files")),
        errors=_rows(Trouble, found.get("errors")),
        decisions=_rows(Said, found.get("decisions")),
        pending=_rows(Said, found.get("pending")),
        goal=_made(Block, found.get("goal")),
        progress=_made(Block, found.get("progress")),
        context=_made(Block, found.get("context")),
        slots=tuple(slot for slot in _rows(Slot, found.get("slots")) if slot.kind in SLOTS),
        pool=_rows(Pooled, found.get("pool")),
        pressure=_made(Pressure, found.get("pressure")),
        asked=_made(Said, found.get("asked")),
        asked_last=_made(Said, found.get("asked_last")),
        summaries=_rows(Summary, found.get("summaries")),
    )


def _from_items(found: "dict[str, Any]") -> SessionState:
    """`{items: [{type, content, …}]}` → slots for the kinds there are, the pool for the rest."""
    slots, pool = [], []
    items = found["items"] if isinstance(found["items"], list) else []
    for item in items[-100:]:
        told = item if isinstance(item, dict) else {"content": item}
        text = told.get("content", told.get("text"))
        if not isinstance(text, str) or not text.strip():
            continue
        kind = told.get("type", told.get("kind"))
        if isinstance(kind, str) and kind in SLOTS:
            slots.append(Slot(kind, text))
        else:
            pool.append(Pooled(text, 1, 1.0))
    return SessionState(slots=tuple(slots), pool=tuple(pool))


def _rows(cls: "type[_Row]", found: object) -> "tuple[_Row, ...]":
    rows = found if isinstance(found, list) else []
    return tuple(_made(cls, row) for row in rows[:200] if isinstance(row, dict))


def _made(cls: "type[_Row]", found: object) -> "_Row":
    """The value with those fields of a record that have the type of the field's default."""
    record = found if isinstance(found, dict) else {}
    row: Any = cls
    made: _Row = row(**{key: _same(record.get(key), value) for key, value in row._field_defaults.items()})
    return made


def _same(value: object, default: object) -> object:
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
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= _MOST
