"""The events of a session: one vocabulary for all agents (docs/seeds.md A42, A44, B13).

As JSON: `{"event": "tool", "agent": "claude", "session": "…", "at": 1795165198.0, …}` and

- `message`: `role` (user | assistant), `text`
- `tool`: `name`, `input` (object or text), `output`, `command` (default: the one in a shell's input),
  `exit`, `failed`
- `compaction`: `text`, the summary if known
- `model`: `model`, which answers from here on
- `idle`, `end`: nothing more

Every event may have a `cwd` and figures of the context: `tokens` in use, `limit` of the model, and the part
of it in `reserve` for the answer.
"""

import re
from json import dumps, loads
from typing import Any, Literal, NamedTuple, get_args

Kind = Literal["message", "tool", "compaction", "model", "idle", "end"]

KINDS: tuple[Kind, ...] = get_args(Kind)
SHELLS = frozenset(
    {
        "bash",
        "powershell",
        "shell",
        "shell_command",
        "local_shell",
        "exec_command",
        "container.exec",
        "run_shell_command",
    }
)
"""Agents' names of the tool that runs shell commands, in small letters. The argument `command` of another
tool is no shell command: an editor's is "view"."""
ESCAPES = re.compile(r"\x1b\[[0-9;?]{0,20}[A-Za-z]|\x1b\][^\x07\x1b]{0,200}(?:\x07|\x1b\\)")
"""Colours and titles in what a program sends to a terminal."""
_LATEST = 32_503_680_000.0
"""The year 3000: later times are invalid."""
_MAX_NUMBER = 10**12
_TEXTS = ("agent", "session", "cwd", "role", "text", "name", "output", "command", "model")


class Action(NamedTuple):
    """A call of a tool that edits, writes or runs something."""

    paths: tuple[str, ...] = ()
    before: str = ""
    """The text that an edit replaces."""
    after: str = ""
    """The text that an edit or a write puts in its place."""
    command: str = ""
    """A shell's command line."""
    folder: str = ""
    """Where that runs; "" in the session's folder."""


class Event(NamedTuple):
    """One event. A missing text is "", a missing number None."""

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
    """Its exit status as the agent reported it, never taken from a text (docs/seeds.md A35)."""
    failed: bool = False
    """The tool itself reported an error."""
    model: str = ""
    tokens: int | None = None
    limit: int | None = None
    reserve: int | None = None


class Misread(ValueError):
    """The input is no event; the message says why."""


def parse(text: str, now: float) -> Event:
    """The event in a JSON text. Raises Misread when there is none.

    Only `event`, `agent` and `session` are required. A field of the wrong type counts as missing, and an
    event without a time happens `now`.
    """
    try:
        found = loads(text)
    except (ValueError, RecursionError) as error:
        raise Misread(f"an event is one JSON object; this is not ({error})") from None
    if not isinstance(found, dict):
        raise Misread(f"an event is one JSON object, not {type(found).__name__}")
    told: dict[str, Any] = {key: found[key] for key in _TEXTS if isinstance(found.get(key), str)}
    told |= {key: _number(found.get(key), 0) for key in ("tokens", "limit", "reserve")}
    kind = next((one for one in KINDS if one == found.get("event")), None)
    if kind is None:
        raise Misread(f"there is no event {str(found.get('event', ''))[:40]!r}; there are {', '.join(KINDS)}")
    if not told.get("agent") or not told.get("session"):
        raise Misread("an event must name its agent and its session")
    given = found.get("input")
    told["command"] = told.get("command") or _shell_command(told.get("name", ""), given)
    told["exit"] = _number(found.get("exit"), -_MAX_NUMBER)
    at, failed = found.get("at"), found.get("failed") is True
    if not isinstance(at, (int, float)) or isinstance(at, bool) or not 0 <= at <= _LATEST:
        at = now
    return Event(kind=kind, at=float(at), input=compact(given), failed=failed, **told)


def _shell_command(name: str, given: object) -> str:
    """The command in a shell tool's arguments, for hooks that pass the arguments on unchanged."""
    if not isinstance(given, dict) or name.lower() not in SHELLS:
        return ""
    command = next((given[key] for key in ("command", "cmd") if given.get(key)), "")
    if isinstance(command, list) and all(isinstance(word, str) for word in command):
        # `["bash", "-lc", "npm test"]`
        return command[2] if len(command) == 3 and command[1] in ("-lc", "-c") else " ".join(command)
    return command if isinstance(command, str) else ""


def compact(value: object) -> str:
    """A tool's arguments or result as text: itself, or compact JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    return dumps(value, separators=(",", ":"))


def _number(value: object, least: int) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if least <= value <= _MAX_NUMBER else None
