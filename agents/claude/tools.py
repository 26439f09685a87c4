"""Tool calls of Claude Code: a `tool_use` block and, later, a record with its `tool_result`."""

import re
from dataclasses import dataclass

from siltstone.agents.records import Record, compact, items, obj, string
from siltstone.pipeline.messages import ToolCall

_EXIT = re.compile(r"(?:Error: )?Exit code (\d{1,9})(?:\n|$)")


@dataclass(slots=True)
class Call:
    """A call whose result may still come."""

    name: str
    input: object
    start: int
    """Where its line begins: reading goes on from there until the result has come."""
    prompts: int
    """How many prompts had been typed when it was made."""
    answered: bool = False
    """It has a stand-in for a result ("interrupted"); the real one may follow from another process."""


def tool_call(call: Call, block: Record, beside: object) -> ToolCall:
    """The call with its result block; `beside` is the record's `toolUseResult`."""
    output = _text(block.get("content"))
    error = block.get("is_error") is True
    command = string(obj(call.input).get("command")) or None if call.name == "Bash" else None
    status = _exit(output, error, obj(beside)) if command else None
    return ToolCall(
        name=call.name,
        input=compact(call.input),
        output=output,
        command=command,
        exit=status,
        failed=error and status is None,
    )


def stands_in(record: Record) -> bool:
    """Whether a later process wrote this result in place of the one that never came."""
    return record.get("toolDenialKind") == "interrupted"


def _exit(output: str, error: bool, beside: Record) -> int | None:
    """The status of a shell command.

    Failing commands say it in their text; a success says nothing, and neither does a command that
    was sent to the background, was interrupted, or whose status was given a meaning ("no matches").
    """
    if error:
        found = _EXIT.match(output)
        return int(found[1]) if found else None
    unclear = ("interrupted", "backgroundTaskId", "returnCodeInterpretation")
    if "stdout" not in beside or any(beside.get(key) for key in unclear):
        return None
    return 0


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    blocks = [obj(block) for block in items(content)]
    return "\n".join(string(block.get("text")) for block in blocks if block.get("type") == "text")
