"""Claude Code's hooks (docs/transcripts.md, "Doors"; docs/seeds.md A41, A42, A44, E8, E11).

A manual compaction comes as PreCompact, SubagentStop, SessionStart(compact), PostCompact, in this order.
Hooks inside a sub-agent carry `agent_id`: it is not the session's state, and it is given nothing but memories
about its next call.
"""

import re
from collections.abc import Mapping

from siltstone.agents.hooks import AgentHooks, Hook, Payload, inner, text
from siltstone.recall.session.event import Event, compact

HEADLESS = "sdk-cli"
"""The entry point of `claude -p`, in its hooks' environment and its transcripts."""
ENTRY = "CLAUDE_CODE_ENTRYPOINT"
_EXIT = re.compile(r"(?:Error: )?Exit code (\d{1,9})(?:\n|$)")
"""How the result of a command that failed begins."""
_UNCLEAR = ("interrupted", "backgroundTaskId", "returnCodeInterpretation")
"""A command with one of these has no status: it runs in the background, was broken off, or its status was
given a meaning ("no matches")."""
SHELLS = ("Bash", "PowerShell")
"""The second is a tool of its own on Windows, with the results of the first."""
EDITORS = ("Edit", "MultiEdit", "Write", "NotebookEdit")
MACHINE_MADE: Mapping[str, str] = {
    "<command-name>": "command",
    "<command-message>": "command",
    "<command-args>": "command",
    "<local-command-": "command",
    "Caveat: The messages below": "command",
    "<bash-input>": "command",
    "<bash-stdout>": "command",
    "<bash-stderr>": "command",
    "<task-notification>": "notification",
    '{"task_id":"': "notification",  # of a task in the background, queued like a text typed meanwhile
    "<ci-monitor-event>": "notification",  # of the desktop app, which watches a pull request
    "<teammate-message": "teammate",  # of another agent of a team
    "<system-reminder>": "system-reminder",
    "[Request interrupted by user": "interrupt",
    "Stop hook feedback:": "hook",
    "<user-prompt-submit-hook>": "hook",
    "<ide_": "ide",
    "This session is being continued from a previous conversation": "compaction",
}
"""How texts begin that stand as the user's and that nobody typed, and the reason that they are counted under
(docs/transcripts.md)."""
_NOT_TYPED = tuple(start for start, reason in MACHINE_MADE.items() if reason != "ide")
"""Begin a prompt that nobody typed. What an editor adds has a record of its own in a transcript; in a hook's
prompt the typed text may follow it."""


def typed_text(prompt: str, entry: object) -> str:
    """All of a prompt; of `claude -p` the first line, as what is piped into it follows in the next line and
    nothing marks it."""
    return prompt.lstrip().partition("\n")[0].rstrip() if entry == HEADLESS else prompt


def status_of(output: str, failed: bool, result: Payload) -> int | None:
    """The exit status of a command; None where nothing tells it. One that fails names it in its text."""
    if failed:
        found = _EXIT.match(output)
        return int(found[1]) if found else None
    unclear = "stdout" not in result or any(result.get(key) for key in _UNCLEAR)
    return None if unclear else 0


def _prompt(payload: Payload, environ: Mapping[str, str]) -> str:
    typed = typed_text(text(payload, "prompt"), environ.get(ENTRY))
    return "" if typed.startswith("/") or typed.lstrip().startswith((*_NOT_TYPED, "/silt:")) else typed


def _result(event: Event, payload: Payload) -> Event:
    if text(payload, "hook_event_name") == "PostToolUseFailure":
        error = text(payload, "error")
        status = status_of(error, True, {}) if event.command else None
        return event._replace(output=error, exit=status, failed=status is None)
    result = inner(payload, "tool_response")
    if not event.command:
        return event._replace(output=compact(payload.get("tool_response")))
    output = "\n".join(filter(None, (text(result, "stdout"), text(result, "stderr"))))
    return event._replace(output=output, exit=status_of(output, False, result))


HOOKS = AgentHooks(
    hooks=(
        Hook("SessionStart", "start", 5, "startup|resume|clear|compact"),
        Hook("UserPromptSubmit", "prompt", 5),
        Hook("PreToolUse", "acting", 5, "|".join((*EDITORS, *SHELLS))),
        Hook("PostToolUse", "tool", 5, "*"),
        Hook("PostToolUseFailure", "tool failed", 5, "*"),
        Hook("PostCompact", "compacted", 5),
        Hook("Stop", "answered", 5),
        Hook("SessionEnd", "ended", 5),
    ),
    prompt=_prompt,
    result=_result,
    shells=SHELLS,
    editors=EDITORS,
    holds="ask",
)
