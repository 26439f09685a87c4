"""Tool calls of Gemini CLI: they stand with their results in the record of the answer."""

import re

from siltstone.agents.gemini.said import without_hooks
from siltstone.agents.records import Record, compact, items, obj, string
from siltstone.pipeline.messages import ToolCall

_DONE = ("success", "error", "cancelled")
_SHELL = "run_shell_command"
_EXIT_WORDS = "Exit Code: "
_EXIT = re.compile(r"^Exit Code: (\d{1,9})$", re.MULTILINE)
_TAIL = 2000
_WRAPPED = ("<untrusted_context>", "</untrusted_context>")
_GROUP = re.compile(r"\nProcess Group PGID: \d{1,12}\s*\Z")


def complete(call: Record) -> bool:
    """Whether the call has come to its end: a running one is waited for."""
    return call.get("status") in _DONE


def tool_call(call: Record) -> ToolCall:
    """The call with its result. A failed command has status "success": its output tells."""
    name, status = string(call.get("name")), call.get("status")
    raw, error = _output(call)
    output = without_hooks(raw).strip("\n")
    command = string(obj(call.get("args")).get("command")) or None if name == _SHELL else None
    code = _exit(output) if command and status == "success" and not error else None
    return ToolCall(
        name=name,
        input=compact(call.get("args")),
        output=_unwrapped(output),
        command=command,
        exit=code,
        failed=status != "success" or error,
    )


def _output(call: Record) -> tuple[str, bool]:
    """What the model saw, and whether it was an error."""
    texts, error = [], False
    for part in map(obj, items(call.get("result"))):
        response = obj(obj(part.get("functionResponse")).get("response"))
        error = error or "error" in response
        texts.append(
            string(response.get("output")) or string(response.get("error")) or string(part.get("text"))
        )
    text = "\n".join(text for text in texts if text)
    return text or string(call.get("resultDisplay")), error


def _exit(output: str) -> int:
    """The last line of its kind: what the command printed stands before it. None means success."""
    tail = output[-_TAIL:]
    found = _EXIT.findall(tail) if _EXIT_WORDS in tail else ()
    return int(found[-1]) if found else 0


def _unwrapped(output: str) -> str:
    opening, closing = _WRAPPED
    if not (output.startswith(opening) and output.endswith(closing)):
        return output
    inner = output[len(opening) : -len(closing)].strip("\n")
    group = _GROUP.search(inner, max(0, len(inner) - _TAIL))
    return (inner[: group.start()] if group else inner).removeprefix("Output: ")
