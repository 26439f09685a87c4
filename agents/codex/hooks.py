"""Codex CLI's hooks (docs/transcripts.md, "Doors"). Untrusted hooks do not run: the user approves them once.

Hooks inside a sub-agent carry `agent_id` and the session id of the root: nothing is done there. A shell
command's result is its output alone, without a status: of errors the transcript tells later.
"""

from siltstone.agents.codex.typed import typed
from siltstone.agents.hooks import (
    ALONE,
    NOTHING,
    Heard,
    Hook,
    Payload,
    answered,
    context_json,
    inner,
    name,
    prompted,
    text,
)
from siltstone.recall.session.event import Event, compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT = "codex"
EVENTS = (
    Hook("SessionStart", 5),
    Hook("UserPromptSubmit", 5),
    Hook("PostToolUse", 5),
    Hook("PostCompact", 5),
    Hook("Stop", 5),
    Hook("SessionEnd", 3),
)
_WITH_CONTEXT = ("SessionStart", "UserPromptSubmit", "PostToolUse")


def heard(payload: Payload, now: float, environ: "Mapping[str, str]" = ALONE) -> Heard:
    """See `agents/hooks.py`, `Listener`."""
    event, session = name(payload, "hook_event_name"), name(payload, "session_id")
    if not session or payload.get("agent_id"):
        return NOTHING
    here = Heard(AGENT, session, name(payload, "cwd"), name(payload, "transcript_path"), event)
    told = Event("idle", AGENT, session, now, here.cwd, model=name(payload, "model"))
    if event == "SessionStart":
        anew = text(payload, "source") in ("compact", "clear")
        return here._replace(show="start", anew=anew)
    if event == "UserPromptSubmit":
        prompt = typed(text(payload, "prompt"))
        if prompt.split()[:1] in ([], ["$silt"]):  # our own skill asks nothing of the agent
            return NOTHING
        return prompted(here._replace(show="prompt"), told, prompt)
    if event == "PostToolUse":
        return here._replace(events=(_tool(told, payload),))
    if event == "PostCompact":
        return here._replace(events=(told._replace(kind="compaction"),))
    if event == "Stop":
        return answered(here, told, text(payload, "last_assistant_message"))
    if event == "SessionEnd":
        return here._replace(batch="now", gone="left")
    return NOTHING


def answer(event: str, context: str, output: str | None = None) -> str:
    """See `agents/hooks.py`, `Listener`. Tool output cannot be replaced here."""
    return context_json(event, context) if event in _WITH_CONTEXT else ""


def _tool(told: Event, payload: Payload) -> Event:
    tool = name(payload, "tool_name")
    command = text(inner(payload, "tool_input"), "command") if tool == "Bash" else ""
    given, result = compact(payload.get("tool_input")), compact(payload.get("tool_response"))
    return told._replace(kind="tool", name=tool, input=given, output=result, command=command)
