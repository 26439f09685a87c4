"""Tool calls of Codex: from completed items, or from a call and its output where there is no item.

Items carry command and exit status (0.169). Before, and for tools without items, the pair of
response items is all there is, and the exit status stands in the output's text.
"""

import re
import shlex
from typing import NamedTuple

from siltstone.agents.jsonl import loads
from siltstone.agents.reduction import answered, asked
from siltstone.agents.values import Record, compact, integer, items, obj, string
from siltstone.pipeline.messages import ToolCall
from siltstone.store.redaction import MARK, asks_for_password

CALLS = {"function_call", "custom_tool_call", "local_shell_call"}
OUTPUTS = {"function_call_output", "custom_tool_call_output"}

_COMMAND_KEYS = {
    "exec_command": "cmd",
    "shell": "command",
    "shell_command": "command",
    "container.exec": "cmd",
    "local_shell": "command",
}
"""Tools that run a shell command, and where their arguments hold it."""
_EXIT = re.compile(r"(?:Process exited with code|Exit code:) (-?\d{1,10})$", re.MULTILINE)
_RUNS_ON = re.compile(r"Process running with session ID (\d{1,10})$", re.MULTILINE)
_HEADER = 400
"""Characters: the exit status stands in a few lines before the output itself."""
_BODY = "Output:\n"
_NOTE = "user_note: "
"""Begins an answer that was typed beside or instead of the options."""
_NOT_RUN = ("unsupported call", "unsupported custom tool call", "exec_command failed")
"""Begin the output of a call that could not be made."""


def from_item(item: Record) -> ToolCall | None:
    """The call in a completed item; None for items that are no calls."""
    kind, failed = item.get("type"), item.get("status") != "completed"
    if kind == "CommandExecution":
        name = "user_shell" if item.get("source") == "user_shell" else "exec_command"
        command, exit_ = _command(item.get("command")) or "", integer(item.get("exit_code"))
        output = string(item.get("aggregated_output"))
        return ToolCall(name, compact({"cmd": command}), output, command, exit_, exit_ is None and failed)
    if kind == "FileChange":
        output = string(item.get("stdout")) or string(item.get("stderr"))
        return ToolCall("apply_patch", compact(item.get("changes")), output, failed=failed)
    if kind == "McpToolCall":
        name = f"mcp__{string(item.get('server'))}__{string(item.get('tool'))}"
        result = obj(item.get("result"))
        output = _text(result.get("content")) or compact(item.get("error"))
        if result.get("structuredContent") is not None:
            output = compact(result["structuredContent"])  # where it is there, the model got it alone
        return ToolCall(name, compact(item.get("arguments")), output, failed=failed)
    if kind == "WebSearch":
        return ToolCall("web_search", compact({"query": string(item.get("query"))}), "")
    return None


class Running(NamedTuple):
    """A process that runs on, while the agent asks for more of its output or types into it."""

    command: str | None
    """The command that it runs; None once something was typed into it, which may make it print anything."""
    asks: bool
    """It waits for a password."""


def from_pair(call: Record, output: object, running: dict[int, Running]) -> ToolCall:
    """The call of a response item and its output; output None = it never came (killed).

    `running`: the processes that run on, by their numbers. What is typed into one that waits for a password,
    or of which nothing is known, is hidden.
    """
    local = call.get("type") == "local_shell_call"
    name = string(call.get("name")) or ("local_shell" if local else "tool")
    if space := string(call.get("namespace")):
        name = f"{space}__{name}" if space.startswith("mcp__") else name
    given = obj(call.get("action")) if local else _given(call)
    command = _command(obj(given).get(_COMMAND_KEYS[name])) if name in _COMMAND_KEYS else None
    asks = True  # until something was printed nobody knows
    if name == "write_stdin":
        process = running.pop(integer(obj(given).get("session_id")) or 0, None)
        typed = string(obj(given).get("chars")).strip()
        asks = process is None or process.asks
        if typed and asks:
            given = {**obj(given), "chars": MARK}
        command = process.command if process and not typed else None
    text, exit_, failed = _result(output)
    if runs_on := _RUNS_ON.search(_text(output)[:_HEADER]):
        running[int(runs_on[1])] = Running(command, asks_for_password(text) if text.strip() else asks)
    return ToolCall(name, compact(given), text, command, exit_, failed)


def exchange(call: Record, output: object) -> tuple[str, str]:
    """What the agent asked with a call, and what the user answered; "" for a call that asks nothing.

    A server's tool may have the same name, but in a namespace of its own.
    """
    if call.get("name") != "request_user_input" or call.get("namespace") not in (None, "functions"):
        return "", ""
    questions = items(obj(_given(call)).get("questions"))
    answers = obj((loads(_text(output).encode()) or {}).get("answers"))
    said = [
        string(one).removeprefix(_NOTE)
        for question in questions
        for one in items(obj(answers.get(string(obj(question).get("id")))).get("answers"))
    ]
    return asked(questions), answered(said)


def _given(call: Record) -> object:
    """The arguments of a call: an object where they are one."""
    given = call.get("arguments", call.get("input"))
    if isinstance(given, str) and given.startswith("{"):
        return loads(given.encode()) or given
    return given


def _command(value: object) -> str | None:
    """`["/bin/bash", "-lc", "make test"]` → `make test`."""
    if isinstance(value, str):
        return value
    words = items(value)
    if len(words) == 3 and words[1] in ("-lc", "-c") and isinstance(words[2], str):
        return words[2]
    return shlex.join(map(string, words)) if words else None


def _result(output: object) -> tuple[str, int | None, bool]:
    """Text, exit status and failure of an output, whatever its era."""
    if output is None:
        return "", None, True
    text = _text(output)
    failed = isinstance(output, dict) and output.get("success") is False
    if text.startswith(_NOT_RUN):
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
