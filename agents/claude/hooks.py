"""Claude Code's hooks (docs/transcripts.md, "Doors"; docs/seeds.md A41, A42, A44, E8, E11).

A manual compaction is told as PreCompact, SubagentStop, SessionStart(compact), PostCompact, in this order.
Hooks inside a sub-agent carry `agent_id`: nothing is shown there, and nothing of it is the session's state.
"""

from siltstone.agents.claude.typed import ENTRY, typed
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
from siltstone.store.late import LatePattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT = "claude"
EVENTS = (
    Hook("SessionStart", 5, "startup|resume|clear|compact"),
    Hook("UserPromptSubmit", 5),
    Hook("PostToolUse", 5, "*"),
    Hook("PostToolUseFailure", 5, "*"),
    Hook("PostCompact", 5),
    Hook("Stop", 5),
    Hook("SessionEnd", 5),
)
_WITH_CONTEXT = ("SessionStart", "UserPromptSubmit", "PostToolUse")
_MACHINE_MADE = ("<task-notification>", "<command-", "<local-command-", "<bash-", "<system-reminder>")
"""How prompts begin that nobody typed."""
_OURS = ("/silt:", "/siltstone:")
"""How our own commands begin: they ask nothing of the agent, and are no session's goal."""
_EXIT = LatePattern(r"(?:Error: )?Exit code (\d{1,9})(?:\n|$)")


def heard(payload: Payload, now: float, environ: "Mapping[str, str]" = ALONE) -> Heard:
    """See `agents/hooks.py`, `Listener`."""
    event, session = name(payload, "hook_event_name"), name(payload, "session_id")
    if not session or payload.get("agent_id"):
        return NOTHING
    here = Heard(AGENT, session, name(payload, "cwd"), name(payload, "transcript_path"), event)
    told = Event("idle", AGENT, session, now, here.cwd)
    if event == "SessionStart":
        anew = text(payload, "source") in ("compact", "clear")
        return here._replace(show="start", anew=anew)
    if event == "UserPromptSubmit":
        return _prompted(here, told, typed(text(payload, "prompt"), environ.get(ENTRY)))
    if event in ("PostToolUse", "PostToolUseFailure"):
        return here._replace(events=(_tool(told, payload),))
    if event == "PostCompact":
        return here._replace(
            events=(told._replace(kind="compaction", text=text(payload, "compact_summary")),)
        )
    if event == "Stop":
        return answered(here, told, text(payload, "last_assistant_message"))
    if event == "SessionEnd":
        return here._replace(batch="now", gone="left")
    return NOTHING


def answer(event: str, context: str, output: str | None = None) -> str:
    """See `agents/hooks.py`, `Listener`. Tool output cannot be replaced here."""
    return context_json(event, context) if event in _WITH_CONTEXT else ""


def _prompted(here: Heard, told: Event, prompt: str) -> Heard:
    if not prompt.strip() or prompt.lstrip().startswith((*_MACHINE_MADE, *_OURS)) or prompt.startswith("/"):
        return NOTHING  # nobody typed it, or it is one of the agent's commands
    return prompted(here._replace(show="prompt"), told, prompt)


def _tool(told: Event, payload: Payload) -> Event:
    tool, given = name(payload, "tool_name"), inner(payload, "tool_input")
    command = text(given, "command") if tool == "Bash" else ""
    event = told._replace(kind="tool", name=tool, input=compact(payload.get("tool_input")), command=command)
    if text(payload, "hook_event_name") == "PostToolUseFailure":
        error = text(payload, "error")
        found = _EXIT.match(error) if command else None
        return event._replace(output=error, exit=int(found[1]) if found else None, failed=found is None)
    result = inner(payload, "tool_response")
    if not command:
        return event._replace(output=compact(payload.get("tool_response")))
    output = "\n".join(filter(None, (text(result, "stdout"), text(result, "stderr"))))
    # A command that was sent to the background or broken off has no status yet.
    unclear = any(result.get(key) for key in ("interrupted", "backgroundTaskId", "returnCodeInterpretation"))
    return event._replace(output=output, exit=None if unclear or "stdout" not in result else 0)
