"""What an agent's hook means and how it is answered: one vocabulary for all agents.

`HOOKS` in `agents/<agent>/hooks.py` (`AgentHooks`) is the table of the agent's hooks and what is particular
to it: what of a prompt was typed, how a tool ended. `read_payload` does the rest; `cli/hooks/` acts on the
result.
Hooks run at every prompt and tool call, so nothing here imports a heavy package.

A payload may hold anything: whatever is missing or of another type counts as absent, and nothing here raises.
"""

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from json import dumps
from typing import Any, Literal, NamedTuple, cast

from siltstone.recall.session.event import Action, Event, compact

Payload = Mapping[str, object]
Means = Literal[
    "start",
    "prompt",
    "acting",
    "tool",
    "tool failed",
    "compacted",
    "answered",
    "ended",
    "system",
    "compacting",
    "deleted",
    "disposed",
]
Show = Literal["", "start", "resumed", "first", "prompt", "system", "compacting"]
Batch = Literal["", "idle", "now"]
Gone = Literal["", "left", "deleted"]
Holds = Literal["", "ask", "refuse"]

AGENTS = ("claude", "codex", "gemini", "opencode")
"""Those with hooks."""
OWN = "SILT_OWN"
"""Set in the environment of every call that Siltstone makes through an agent, and of its batches: there its
hooks do nothing."""
LONGEST = 4_000
"""Characters of an id, path or name; a longer one counts as absent."""
PATHS = ("file_path", "filePath", "notebook_path")
BEFORE, AFTER = ("old_string", "oldString"), ("new_string", "newString", "content", "new_source")
FOLDERS = ("workdir", "dir_path")
PATCHES = ("command", "patchText", "patch", "input")
"""Where the tools of the agents that change files are told which, and what."""
_PATCHED = re.compile(r"(?m)^\*\*\* (?:Add File|Update File|Delete File|Move to): (.{1,4000})$")


class Hook(NamedTuple):
    """A hook that `silt install` registers."""

    name: str
    """As the agent's settings call it."""
    means: Means
    timeout: int
    """In the agent's own unit: seconds for Claude Code and Codex, milliseconds for the others."""
    matcher: str | None = None
    """The `matcher` in the agent's settings; None where the hook takes none."""


class HookCall(NamedTuple):
    """What one call of a hook means. A text that is absent is "".

    `session` is "" when nothing is to be done: an unknown hook, a sub-agent, a broken payload.
    """

    agent: str = ""
    session: str = ""
    cwd: str = ""
    event: str = ""
    """The agent's name of the hook."""
    show: Show = ""
    """What the agent is shown: "start", the block of a session's start, unless it was shown the same already;
    "prompt", what fits a prompt; "first", both where the session was shown no block yet or was resumed since;
    "resumed", nothing now, and with the next "first" what a start would show; "system", the block as part of
    a system prompt, whose bytes stay; "compacting", the block for the agent's own compaction."""
    anew: bool = False
    """Its context was emptied (compaction, clear): what it was shown before is forgotten first."""
    compaction: str = ""
    """Identifies its last compaction, where no hook reports one: a new value counts as `anew`, once."""
    undone: bool = False
    """Messages were taken back, and with them what was shown beside them."""
    query: str = ""
    """What was typed, for "prompt"; for "system", what was typed first."""
    events: tuple[Event, ...] = ()
    typed: str = ""
    """What a person typed just now. It may ask to keep something at once."""
    message: str = ""
    """The id of that message in the transcript, where the hook has it."""
    batch: Batch = ""
    """Unread transcripts are to be read: when the session has been quiet ("idle"), or soon ("now")."""
    gone: Gone = ""
    """The session was left (it may be resumed), or deleted."""
    action: Action | None = None
    """What the agent is about to do, or did where its hook before that takes no context."""
    advises: bool = True
    """What this hook answers reaches the model; else it can only hold the call."""
    holds: Holds = ""
    """How an action that an enforced memory speaks of is held: the user is asked, or the call is refused."""
    tool: str = ""
    """Name of the tool whose output may be cut under pressure; the output is in `events`."""


NOTHING = HookCall()


class AgentHooks(NamedTuple):
    """`HOOKS` of a module `agents/<agent>/hooks.py`."""

    hooks: tuple[Hook, ...]
    prompt: Callable[[Payload, Mapping[str, str]], str]
    """What a person typed of a prompt; "" for none, or for one of the agent's or our own commands."""
    result: Callable[[Event, Payload], Event]
    """The event of a tool's call with what came of it."""
    shells: tuple[str, ...]
    """The tools that run a shell command."""
    editors: tuple[str, ...] = ()
    """The tools that change files."""
    holds: Holds = "refuse"
    """What the hook before an action can do beside giving context."""
    advises_after: bool = False
    """Context is taken by the hook after an action, not by the one before it."""
    session_key: str = "session_id"
    """Where payloads hold what all have: the session …"""
    subagent_key: str = "agent_id"
    tool_key: str = "tool_name"
    input_key: str = "tool_input"
    answer_key: str = "last_assistant_message"
    summary_key: str = "compact_summary"
    particular: Callable[[HookCall, Means, Payload, Mapping[str, str]], HookCall] | None = None
    """The call with what only this agent's payloads say."""
    own_answer: Callable[[str, str, str | None, str, str], str] | None = None
    """`answer` of an agent that has a form of its own."""

    def answer(
        self, event: str, context: str, output: str | None = None, held: str = "", told: str = ""
    ) -> str:
        """What the agent expects on standard output: "" for nothing.

        `context` is for the model to read; `output` replaces a tool's output (None: it stays), which only
        OpenCode can do; `held` is why the call is not to be made as it is; `told` is a line for the person.
        """
        if self.own_answer:
            return self.own_answer(event, context, output, held, told)
        means = next((hook.means for hook in self.hooks if hook.name == event), "")
        takes = means in ("start", "prompt", "acting", "tool")
        if held and self.holds == "refuse":
            return dumps({"decision": "block", "reason": held}) + "\n"
        answer = {"additionalContext": context} if context and takes else {}
        if held:
            answer |= {"permissionDecision": "ask", "permissionDecisionReason": held}
        shown: dict[str, Any] = {"systemMessage": told} if told and means in ("start", "prompt") else {}
        if answer:
            shown |= {"hookSpecificOutput": {"hookEventName": event, **answer}}
        return dumps(shown) + "\n" if shown else ""


def hooks_of(agent: str) -> AgentHooks:
    """The hooks of an agent of AGENTS."""
    return cast(AgentHooks, import_module(f"siltstone.agents.{agent}.hooks").HOOKS)


def read_payload(agent: str, payload: Payload, now: float, environ: Mapping[str, str]) -> HookCall:
    """What a payload means; NOTHING for one that means nothing. Never raises.

    `now` is in epoch seconds; `environ` is the environment that the agent called its hook with.
    """
    hooks = hooks_of(agent)
    called, session = name(payload, "hook_event_name"), name(payload, hooks.session_key)
    means = next((hook.means for hook in hooks.hooks if hook.name == called), None)
    if means == "disposed":
        session = session or "-"  # an agent that ends may name none: transcripts are read all the same
    elif means is None or not session:
        return NOTHING
    elif agent_id := name(payload, hooks.subagent_key) or payload.get(hooks.subagent_key):
        if means != "acting":
            return NOTHING
        session = f"{session} {agent_id}"  # it has a context of its own
    call = HookCall(agent, session, name(payload, "cwd"), called)
    figures: dict[str, Any] = {key: whole(payload, key) for key in ("tokens", "limit", "reserve")}
    event = Event("idle", agent, session, now, call.cwd, model=name(payload, "model"), **figures)
    call = _understood(hooks, call, event, means, payload, environ)
    return hooks.particular(call, means, payload, environ) if hooks.particular and call.session else call


def _understood(
    hooks: AgentHooks,
    call: HookCall,
    event: Event,
    means: Means,
    payload: Payload,
    environ: Mapping[str, str],
) -> HookCall:
    """The call with what its hook means for every agent; `event` has what all its events have."""
    match means:
        case "start":
            return call._replace(show="start", anew=text(payload, "source") in ("compact", "clear"))
        case "system":
            return call._replace(show="system", query=hooks.prompt(payload, environ))
        case "compacting":
            return call._replace(show="compacting")
        case "prompt":
            typed = hooks.prompt(payload, environ)
            if not typed.strip():
                return NOTHING
            message = event._replace(kind="message", role="user", text=typed)
            return call._replace(show="prompt", query=typed, events=(message,), typed=typed)
        case "acting":
            advises = not hooks.advises_after
            return call._replace(action=_action(hooks, payload), advises=advises, holds=hooks.holds)
        case "tool" | "tool failed":
            tool, given = name(payload, hooks.tool_key), payload.get(hooks.input_key)
            command = text(inner(payload, hooks.input_key), "command") if tool in hooks.shells else ""
            made = event._replace(kind="tool", name=tool, input=compact(given), command=command)
            action = _action(hooks, payload) if hooks.advises_after else None
            return call._replace(events=(hooks.result(made, payload),), action=action)
        case "compacted":
            made = event._replace(kind="compaction", text=text(payload, hooks.summary_key))
            return call._replace(events=(made,))
        case "answered":
            answer = text(payload, hooks.answer_key)
            said = (event._replace(kind="message", role="assistant", text=answer),) if answer else ()
            return call._replace(events=(*said, event), batch="idle")
        case "ended":
            return call._replace(batch="now", gone="left")
        case "deleted":
            return call._replace(batch="now", gone="deleted")
        case "disposed":
            return call._replace(batch="now")


def _action(hooks: AgentHooks, payload: Payload) -> Action | None:
    """What a tool is called for; None for one that changes and runs nothing."""
    tool, given = name(payload, hooks.tool_key), inner(payload, hooks.input_key)
    if tool in hooks.shells:
        command = text(given, "command")
        folder = next(filter(None, (name(given, key) for key in FOLDERS)), "")
        return Action(tuple(_PATCHED.findall(command)), command=command, folder=folder)  # `apply_patch <<EOF`
    if tool not in hooks.editors:
        return None
    if patch := next(filter(None, (text(given, key) for key in PATCHES)), ""):
        lines = patch.splitlines()
        before, after = ("\n".join(one[1:] for one in lines if one[:1] == sign) for sign in "-+")
        return Action(tuple(_PATCHED.findall(patch)), before, after)
    edits = given.get("edits")
    pieces = [given, *(one for one in (edits if isinstance(edits, list) else ()) if isinstance(one, dict))]
    before, after = ("\n".join(text(one, key) for one in pieces for key in keys) for keys in (BEFORE, AFTER))
    return Action(tuple(filter(None, (name(given, key) for key in PATHS))), before, after)


def text(payload: Payload, key: str) -> str:
    found = payload.get(key)
    return found if isinstance(found, str) else ""


def name(payload: Payload, key: str) -> str:
    """An id, a path or a name: at most LONGEST characters, and nothing that a disk or database refuses."""
    found = text(payload, key)
    if len(found) > LONGEST or "\0" in found:
        return ""
    return found if found.isascii() else found.encode("utf-8", "replace").decode("utf-8")


def inner(payload: Payload, key: str) -> Payload:
    found = payload.get(key)
    return found if isinstance(found, dict) else {}


def whole(payload: Payload, key: str) -> int | None:
    """A whole number, as an exit status or a count of tokens may be; None for none."""
    found = payload.get(key)
    if not isinstance(found, int) or isinstance(found, bool):
        return None
    return found if abs(found) <= 10**12 else None
