"""One vocabulary of what happens in a session (docs/seeds.md A42, A44, B13).

As JSON: `{"event": "tool", "agent": "claude", "session": "…", "at": 1795165198.0, …}` and

- `message`: `role` (user | assistant), `text`
- `tool`: `name`, `input` (object or text), `output`, `command` (else that in a shell's input), `exit`,
  `failed`
- `compaction`: `text`, the summary where it is known
- `model`: `model`, the one that answers from here on
- `idle`, `end`: nothing more

Every event may tell `cwd`, and the context: `tokens` in use, `limit` of the model, `reserve` of it kept for
the answer.
"""

from siltstone.store.light_json import dumps, loads
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from typing import Literal

    Kind = Literal["message", "tool", "compaction", "model", "idle", "end"]
else:
    Kind = str

KINDS: "tuple[Kind, ...]" = ("message", "tool", "compaction", "model", "idle", "end")
SHELLS = frozenset(
    {"bash", "shell", "shell_command", "local_shell", "exec_command", "container.exec", "run_shell_command"}
)
"""What agents call the tool that runs a shell command, in small letters. A `command` among the arguments of
another tool is none: an editor's says "view"."""
_LATEST = 32_503_680_000.0
"""The year 3000: times beyond it are none."""
_MOST = 10**12


class Event(NamedTuple):
    """One thing that happened. A text nobody told is "", a number nobody told None."""

    kind: Kind
    agent: str
    session: str
    at: float
    """Seconds since 1970."""
    cwd: str = ""
    role: str = ""
    text: str = ""
    name: str = ""
    """The agent's own name of the tool."""
    input: str = ""
    """Compact JSON of the tool's arguments, or the text they are."""
    output: str = ""
    command: str = ""
    """The shell command, when the tool ran one."""
    exit: int | None = None
    """Its exit status, as the agent told it: never read out of a text (docs/seeds.md A35)."""
    failed: bool = False
    """The tool itself reported an error."""
    model: str = ""
    tokens: int | None = None
    limit: int | None = None
    reserve: int | None = None


class Misread(ValueError):
    """What was handed over is no event: the message says what is wrong."""


def parse(text: str, now: float) -> Event:
    """The event in a JSON text. Raises Misread for a text that holds none.

    Only `event`, `agent` and `session` are needed; a field of another type counts as not told. An event
    without a time happens `now`.
    """
    try:
        found = loads(text)
    except (ValueError, RecursionError) as error:
        raise Misread(f"an event is one JSON object; this is none ({error})") from None
    if not isinstance(found, dict):
        raise Misread(f"an event is one JSON object, not {type(found).__name__}")
    said, agent, session = (_text(found.get(key)) for key in ("event", "agent", "session"))
    kind = next((one for one in KINDS if one == said), None)
    if kind is None:
        raise Misread(f"there is no event {said[:40]!r}; there are {', '.join(KINDS)}")
    if not agent or not session:
        raise Misread("an event names its agent and its session")
    name, given = _text(found.get("name")), found.get("input")
    return Event(
        kind=kind,
        agent=agent,
        session=session,
        at=_time(found.get("at"), now),
        input=compact(given),
        exit=_number(found.get("exit"), -_MOST),
        failed=found.get("failed") is True,
        cwd=_text(found.get("cwd")),
        role=_text(found.get("role")),
        text=_text(found.get("text")),
        name=name,
        output=_text(found.get("output")),
        command=_text(found.get("command")) or _shell_command(name, given),
        model=_text(found.get("model")),
        tokens=_number(found.get("tokens"), 0),
        limit=_number(found.get("limit"), 0),
        reserve=_number(found.get("reserve"), 0),
    )


def _shell_command(name: str, given: object) -> str:
    """The command in a shell tool's arguments, for a hook that hands them on as they are."""
    if not isinstance(given, dict) or name.lower() not in SHELLS:
        return ""
    told = next((given[key] for key in ("command", "cmd") if given.get(key)), "")
    if isinstance(told, list) and all(isinstance(word, str) for word in told):
        # `["bash", "-lc", "npm test"]`
        return told[2] if len(told) == 3 and told[1] in ("-lc", "-c") else " ".join(told)
    return _text(told)


def dump(event: Event) -> str:
    """The JSON that `parse` reads back as the same event."""
    fields = event._asdict()
    del fields["kind"]
    told = {key: value for key, value in fields.items() if value not in ("", None) and value is not False}
    return dumps({"event": event.kind, **told})


def compact(value: object) -> str:
    """A tool's arguments or result as text: itself, or compact JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    return dumps(value, tight=True)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object, least: int) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if least <= value <= _MOST else None


def _time(value: object, now: float) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return now
    return float(value) if 0 <= value <= _LATEST else now
