"""What an agent's hook tells and how it is answered: one vocabulary for the doors of all agents.

Each agent with doors has `agents/<agent>/hooks.py` (`Listener`): the table of the hooks it is registered for,
what a payload means (`Heard`), and how the agent wants its answer. `cli/hook.py` does what was heard.
Called at every prompt and tool: nothing here or there may import more than the light half of the standard
library (a test holds it). A payload is a stranger's: whatever is missing or of another type counts as not
told, and nothing here raises.
"""

import sys

from siltstone.recall.session.event import Event
from siltstone.store.light_json import dumps
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from collections.abc import Mapping
    from typing import Any, Literal, Protocol

    Payload = Mapping[str, object]
    Show = Literal["", "start", "resumed", "first", "prompt", "system", "compacting"]
    Batch = Literal["", "idle", "now"]
    Gone = Literal["", "left", "deleted"]
else:
    Show = Batch = Gone = str
    Payload = Protocol = object

AGENTS = ("claude", "codex", "gemini", "opencode")
"""Those with doors."""
OWN = "SILT_OWN"
"""Set in the environment of every call that Siltstone makes through an agent, and of its batches: there its
hooks do nothing."""
LONGEST = 4_000
"""Characters of an id, path or name: a longer one is none."""

ALONE: "Mapping[str, str]" = {}
"""The environment of a payload that stands alone."""


class Hook(NamedTuple):
    """A hook that an agent is registered for: a row of `EVENTS`, from which settings are rendered."""

    name: str
    """As the agent's settings call it."""
    timeout: int
    """In the agent's own unit: seconds for Claude Code and Codex, milliseconds for Gemini CLI; for
    OpenCode's plugin milliseconds too, which it waits itself."""
    matcher: str | None = None
    """What the agent's settings name as `matcher`; None where the hook takes none."""


class Heard(NamedTuple):
    """What one call of a hook means. A text nobody told is "".

    `session` is "" when nothing is to be done at all: an unknown hook, a sub-agent, a broken payload.
    """

    agent: str = ""
    session: str = ""
    cwd: str = ""
    transcript: str = ""
    """Path of the session's transcript, as the agent tells it."""
    event: str = ""
    """The agent's name of the hook; `Listener.answer` is told it again."""
    show: Show = ""
    """What the agent is to be shown: the block of a session's start ("start", unless it was shown the same
    already), what fits a prompt ("prompt"), both where the session was shown no block yet ("first") or was
    resumed since (of which "resumed" tells: nothing now, and with the next "first" what a start would be
    shown), the block as part of a system prompt, whose bytes stay ("system"), or the block for the agent's
    own compaction ("compacting")."""
    anew: bool = False
    """Its context was emptied (compaction, clear): what it was shown before is forgotten first."""
    compaction: str = ""
    """What tells its last compaction from those before, where no hook tells of them: as `anew`, once."""
    undone: bool = False
    """Messages were taken back, and with them what was shown beside them."""
    query: str = ""
    """What was typed, for "prompt"; for "system" what was typed first."""
    events: tuple[Event, ...] = ()
    """What it tells the session's state."""
    typed: str = ""
    """What a person typed just now: it may ask to keep something at once."""
    message: str = ""
    """The id that its transcript gives that message, where the hook tells it."""
    batch: Batch = ""
    """Unread transcripts are to be read: when the session has been quiet ("idle"), or soon ("now")."""
    gone: Gone = ""
    """The session was left (it may be resumed), or deleted."""
    tool: str = ""
    """Name of the tool whose output may be pruned under pressure; the output stands in `events`."""


NOTHING = Heard()


class Listener(Protocol):
    """A module `agents/<agent>/hooks.py`."""

    EVENTS: tuple[Hook, ...]

    def heard(self, payload: Payload, now: float, environ: "Mapping[str, str]" = ALONE) -> Heard:
        """What a payload means; NOTHING for one that means nothing. `now` is in epoch seconds; `environ` is
        what the agent called its hook with.

        Never raises: the payload may be any JSON object.
        """

    def answer(self, event: str, context: str, output: str | None = None) -> str:
        """What the agent wants on standard output: "" for nothing.

        `context` is for the model to read, `output` stands in for a tool's output (None: it stays).
        """


def hooks_of(agent: str) -> Listener:
    """The hooks of an agent of AGENTS."""
    name = f"siltstone.agents.{agent}.hooks"
    __import__(name)  # `importlib` takes longer to load than the module
    module: Any = sys.modules[name]
    found: Listener = module
    return found


def prompted(here: Heard, idle: Event, prompt: str) -> Heard:
    """A person typed it: memories are looked up by it, the session's state is told, it may ask to keep
    something. `idle` is that event of the session."""
    said = idle._replace(kind="message", role="user", text=prompt)
    return here._replace(query=prompt, events=(said,), typed=prompt)


def answered(here: Heard, idle: Event, said: str) -> Heard:
    """The turn is over: what the agent said at last, if anything, and a batch once it stays quiet.
    `idle` as for `prompted`."""
    last = (idle._replace(kind="message", role="assistant", text=said),) if said else ()
    return here._replace(events=(*last, idle), batch="idle")


def text(payload: Payload, key: str) -> str:
    """The text a payload tells under a key, of any length."""
    found = payload.get(key)
    return found if isinstance(found, str) else ""


def name(payload: Payload, key: str) -> str:
    """An id, a path or a name: at most LONGEST characters, with nothing that no disk and no database
    takes."""
    found = text(payload, key)
    if len(found) > LONGEST or "\0" in found:
        return ""
    return found if found.isascii() else found.encode("utf-8", "replace").decode("utf-8")


def inner(payload: Payload, key: str) -> Payload:
    """The object a payload tells under a key; an empty one where it tells none."""
    found = payload.get(key)
    return found if isinstance(found, dict) else {}


def whole(payload: Payload, key: str) -> int | None:
    """A whole number, as an exit status or a count of tokens may be; None for none."""
    found = payload.get(key)
    if not isinstance(found, int) or isinstance(found, bool):
        return None
    return found if abs(found) <= 10**12 else None


def context_json(event: str, context: str) -> str:
    """The answer that Claude Code, Codex and Gemini CLI have in common."""
    if not context:
        return ""
    told = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}}
    return dumps(told) + "\n"
