"""Tool calls of Codex: from completed items, or from a call and its output where there is no item.

Items carry command and exit status (0.169). Before, and for tools without items, the pair of
response items is all there is, and the exit status stands in the output's text.
"""

import re
import shlex

from siltstone.agents.jsonl import loads
from siltstone.agents.values import Record, compact, integer, items, obj, string
from siltstone.pipeline.messages import ToolCall

CALLS = {"function_call", "custom_tool_call", "local_shell_call"}
OUTPUTS = {"function_call_output", "custom_tool_call_output"}

_SHELL = "exec_command"
_COMMAND_KEYS = {
    "exec_command": "cmd",
    "shell": "command",
    "shell_command": "command",
    "container.exec": "cmd",
}
_EXIT = re.compile(r"(?:Process exited with code|Exit code:) (-?\d{1,10})$", re.MULTILINE)
_HEADER = 400
"""Characters: the exit status stands in a few lines before the output itself."""
_BODY = "Output:\n"
_UNSUPPORTED = ("unsupported call", "unsupported custom tool call")


def from_item(item: Record) -> ToolCall | None:
    """The call in a completed item; None for items that are no calls."""
    kind = item.get("type")
    if kind == "CommandExecution":
        return _execution(item)
    if kind == "FileChange":
        return ToolCall(
            name="apply_patch",
            input=compact(item.get("changes")),
            output=string(item.get("stdout")) or string(item.get("stderr")),
            failed=item.get("status") != "completed",
        )
    if kind == "McpToolCall":
        return ToolCall(
            name=f"mcp__{string(item.get('server'))}__{string(item.get('tool'))}",
            input=compact(item.get("arguments")),
            output=_mcp_output(item),
            failed=item.get("status") != "completed",
        )
    if kind == "WebSearch":
        return ToolCall(name="web_search", input=compact({"query": string(item.get("query"))}), output="")
    return None


def from_pair(call: Record, output: object) -> ToolCall:
    """The call of a response item and its output; output None = it never came (killed)."""
    name = string(call.get("name")) or ("local_shell" if call.get("type") == "local_shell_call" else "tool")
    if space := string(call.get("namespace")):
        name = f"{space}__{name}" if space.startswith("mcp__") else name
    given = _arguments(call)
    text, exit_, failed = _result(output)
    return ToolCall(
        name=name,
        input=compact(given),
        output=text,
        command=_command(obj(given).get(_COMMAND_KEYS.get(name, "command"))) if _is_shell(name) else None,
        exit=exit_,
        failed=failed,
    )


def _execution(item: Record) -> ToolCall:
    command, exit_ = _command(item.get("command")) or "", integer(item.get("exit_code"))
    return ToolCall(
        name="user_shell" if item.get("source") == "user_shell" else _SHELL,
        input=compact({"cmd": command}),
        output=string(item.get("aggregated_output")),
        command=command,
        exit=exit_,
        failed=exit_ is None and item.get("status") != "completed",
    )


def _is_shell(name: str) -> bool:
    return name in _COMMAND_KEYS or name == "local_shell"


def _command(value: object) -> str | None:
    """`["/bin/bash", "-lc", "make test"]` → `make test`."""
    if isinstance(value, str):
        return value
    words = items(value)
    if len(words) == 3 and words[1] in ("-lc", "-c") and isinstance(words[2], str):
        return words[2]
    return shlex.join(map(string, words)) if words else None


def _mcp_output(item: Record) -> str:
    """What the model got: `structuredContent` alone, where there is any."""
    result = obj(item.get("result"))
    if result.get("structuredContent") is not None:
        return compact(result["structuredContent"])
    return _text(result.get("content")) or compact(item.get("error"))


def _arguments(call: Record) -> object:
    if call.get("type") == "local_shell_call":
        return obj(call.get("action"))
    given = call.get("arguments", call.get("input"))
    if isinstance(given, str) and given.startswith("{"):
        return loads(given.encode()) or given
    return given


def _result(output: object) -> tuple[str, int | None, bool]:
    """Text, exit status and failure of an output, whatever its era."""
    if output is None:
        return "", None, True
    text = _text(output)
    failed = isinstance(output, dict) and output.get("success") is False
    if text.startswith(_UNSUPPORTED):
        return text, None, True
    wrapped = loads(text.encode()) if text.startswith('{"output"') else None
    if wrapped is not None:
        return string(wrapped.get("output")), integer(obj(wrapped.get("metadata")).get("exit_code")), failed
    header, found, body = text[:_HEADER].partition(_BODY)
    if not found:
        return text, None, failed
    exit_ = _EXIT.search(header)
    return body + text[_HEADER:], int(exit_[1]) if exit_ else None, failed


def _text(output: object) -> str:
    """An output is text, a list of pieces, or an object around either."""
    if isinstance(output, dict):
        output = output.get("content", output.get("output"))
    if isinstance(output, list):
        return "\n".join(string(obj(piece).get("text")) for piece in output)
    return string(output)
