"""Gemini CLI's hooks (docs/transcripts.md, "Doors").

Context arrives as `<hook_context>`, escaped. No hook tells of a compaction (PreCompress comes before every
call of the model, whether it compacts or not): the transcript does, which is looked at with each prompt.
None tells whether it is a sub-agent's. SessionEnd may come several times.
"""

import os

from siltstone.agents.gemini.typed import OURS, may_be_a_command, typed
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
from siltstone.pipeline.hearing import own
from siltstone.pipeline.request_words import asking
from siltstone.recall.session.event import Event, compact
from siltstone.store.late import LatePattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

AGENT = "gemini"
EVENTS = (
    Hook("SessionStart", 5_000, "*"),  # one of its sources by its exact name, or all: no pattern
    Hook("BeforeAgent", 5_000),
    Hook("AfterTool", 5_000, "*"),
    Hook("AfterAgent", 5_000),
    Hook("SessionEnd", 5_000),
)
_WITH_CONTEXT = ("SessionStart", "BeforeAgent", "AfterTool")
_SHELL = "run_shell_command"
_MARK = "<hook_context>"
_PUT_IN = LatePattern(rf"(?s){_MARK}.*?</hook_context>\s*")
_EXIT = LatePattern(r"(?m)^Exit Code: (\d{1,9})$")
_TAIL = 2_000
"""Characters at the end of a command's output, where its status stands."""
_RESTATED, _SNAPSHOT, _SNAPSHOT_END = b'{"$set":{"messages":', b"<state_snapshot>", b"</state_snapshot>"
_LOOKED_AT = 4 * 2**20
"""Bytes at the end of a transcript in which its last compaction is looked for."""


def heard(payload: Payload, now: float, environ: "Mapping[str, str]" = ALONE) -> Heard:
    """See `agents/hooks.py`, `Listener`."""
    event, session = name(payload, "hook_event_name"), name(payload, "session_id")
    if not session:
        return NOTHING
    here = Heard(AGENT, session, name(payload, "cwd"), name(payload, "transcript_path"), event)
    told = Event("idle", AGENT, session, now, here.cwd)
    if event == "SessionStart":
        # What is shown here stands before the prompt, and "/silt:status" would be none of its commands.
        source = text(payload, "source")
        return here._replace(show="resumed" if source == "resume" else "", anew=source == "clear")
    if event == "BeforeAgent":
        prompt = text(payload, "prompt")
        prompt = typed(_PUT_IN.sub("", prompt) if _MARK in prompt else prompt)
        if not prompt.strip() or prompt.lstrip().startswith(("/", OURS)):
            return NOTHING
        here = here._replace(show="first", compaction=_compaction(here.transcript))
        if asking(own(prompt)).any and may_be_a_command(prompt, here.cwd, environ):
            return here  # its transcript tells what was typed
        return prompted(here, told, prompt)
    if event == "AfterTool":
        return here._replace(events=(_tool(told, payload),))
    if event == "AfterAgent":
        return answered(here, told, text(payload, "prompt_response"))
    if event == "SessionEnd":
        return here._replace(batch="now", gone="left")
    return NOTHING


def answer(event: str, context: str, output: str | None = None) -> str:
    """See `agents/hooks.py`, `Listener`. Tool output cannot be replaced here."""
    return context_json(event, context) if event in _WITH_CONTEXT else ""


def _compaction(path: str) -> str:
    """What tells the summary that a transcript holds last, "" where it holds none or cannot be read.

    A compaction restates all messages, as a session's resumption does: the summary stays what it was.
    """
    if not os.path.isfile(path):  # a pipe would be waited for
        return ""
    try:
        with open(path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _LOOKED_AT))
            data = file.read(_LOOKED_AT)
    except OSError:
        return ""
    # From summary to summary, for to cut megabytes into lines takes five times as long.
    start = len(data)
    while (at := data.rfind(_SNAPSHOT, 0, start)) >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        if data.startswith(_RESTATED, start):
            from binascii import crc32  # few sessions are compacted

            line = data[at:].partition(b"\n")[0]
            return f"{crc32(line[: line.find(_SNAPSHOT_END)]):08x}"
    return ""


def _tool(told: Event, payload: Payload) -> Event:
    """A failed command is told as a success; its output names its status, that of a success does not."""
    tool, result = name(payload, "tool_name"), inner(payload, "tool_response")
    command = text(inner(payload, "tool_input"), "command") if tool == _SHELL else ""
    output = text(result, "llmContent") or compact(result.get("llmContent") or result.get("error"))
    failed = bool(result.get("error"))
    status = None
    if command and not failed:
        found = _EXIT.findall(output[-_TAIL:])
        status = int(found[-1]) if found else 0
    return told._replace(
        kind="tool",
        name=tool,
        input=compact(payload.get("tool_input")),
        output=output,
        command=command,
        exit=status,
        failed=failed,
    )
