"""Codex CLI's hooks (docs/transcripts.md, "Doors"). They run once the user has approved them.

Hooks inside a sub-agent carry `agent_id` and the session id of the root: it is given nothing but memories
about its next call. A shell command's result is its output alone, without a status; errors are learned from
the transcript later.
"""

import re
from collections.abc import Mapping

from siltstone.agents.hooks import AgentHooks, Hook, Payload, text
from siltstone.recall.session.event import compact

_PIPED = re.compile(r"(?m)^<stdin>$")
_BESIDE = re.compile(r"\s*# (?:Files mentioned by the user|Context from my IDE setup):\n")
"""Begins what the editor and the app put before the typed text."""
_REQUEST = "\n## My request for Codex:\n"
"""Ends it. Files that are shown there may hold the same line: the last one counts."""


def typed_text(prompt: str) -> str:
    """What stands behind the files that the editor shows, and before `<stdin>`, where `codex exec` puts what
    was piped into it. All after it counts as piped, for it may hold the mark itself."""
    if _BESIDE.match(prompt):
        prompt = prompt.rpartition(_REQUEST)[2]
    found = _PIPED.search(prompt) if "<stdin>" in prompt else None
    return prompt[: found.start()].rstrip() if found else prompt


def _prompt(payload: Payload, environ: Mapping[str, str]) -> str:
    """Our own skill asks nothing of the agent."""
    typed = typed_text(text(payload, "prompt"))
    return "" if typed.split()[:1] == ["$silt"] else typed


HOOKS = AgentHooks(
    hooks=(
        Hook("SessionStart", "start", 5),
        Hook("UserPromptSubmit", "prompt", 5),
        Hook("PreToolUse", "acting", 5),
        Hook("PostToolUse", "tool", 5),
        Hook("PostCompact", "compacted", 5),
        Hook("Stop", "answered", 5),
        Hook("SessionEnd", "ended", 3),
    ),
    prompt=_prompt,
    result=lambda event, payload: event._replace(output=compact(payload.get("tool_response"))),
    shells=("Bash",),
    editors=("apply_patch",),
)
