"""Codex: tool calls of every era, and what stands beside the user's words."""

import json

import pytest

from siltstone.agents.codex.calls import from_item, from_pair
from siltstone.agents.codex.turns import reasons, start_reason
from siltstone.agents.values import Record
from siltstone.pipeline.messages import ToolCall


def shell(command: object, name: str = "exec_command", key: str = "cmd") -> Record:
    return {"type": "function_call", "name": name, "arguments": json.dumps({key: command})}


@pytest.mark.parametrize(
    ("call", "output", "told"),
    [
        pytest.param(
            shell("make"),
            "Chunk ID: 1\nWall time: 0.0 seconds\nProcess exited with code 3\nOutput:\nno rule",
            ("exec_command", "make", 3, False, "no rule"),
            id="exec_command",
        ),
        pytest.param(
            shell("make"),
            "Chunk ID: 1\nProcess running with session ID 5\nOutput:\nstill at it",
            ("exec_command", "make", None, False, "still at it"),
            id="still running",
        ),
        pytest.param(
            shell(["bash", "-lc", "make all"], "shell", "command"),
            "Exit code: 2\nWall time: 0 seconds\nOutput:\nno rule",
            ("shell", "make all", 2, False, "no rule"),
            id="shell",
        ),
        pytest.param(
            shell(["git", "log", "a b"], "shell", "command"),
            "",
            ("shell", "git log 'a b'", None, False, ""),
            id="a command without a shell",
        ),
        pytest.param(
            {"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin Patch"},
            '{"output":"Success.\\n","metadata":{"exit_code":1,"duration_seconds":0.0}}',
            ("apply_patch", None, 1, False, "Success.\n"),
            id="0.57 wraps the output in JSON",
        ),
        pytest.param(
            shell("make"),
            "unsupported call: exec_command",
            ("exec_command", "make", None, True, "unsupported call: exec_command"),
            id="unsupported",
        ),
        pytest.param(
            {"type": "function_call", "name": "recall", "namespace": "mcp__mem", "arguments": "{}"},
            {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "success": False},
            ("mcp__mem__recall", None, None, True, "a\nb"),
            id="an object that says it failed",
        ),
        pytest.param(
            {"type": "local_shell_call", "action": {"type": "exec", "command": ["sh", "-c", "make"]}},
            "done",
            ("local_shell", "make", None, False, "done"),
            id="local shell",
        ),
        pytest.param(shell("make"), None, ("exec_command", "make", None, True, ""), id="killed"),
        pytest.param({}, "text", ("tool", None, None, False, "text"), id="a call we never saw"),
        pytest.param(
            shell("echo"),
            "a\n" * 300 + "Process exited with code 3\nOutput:\n",
            ("exec_command", "echo", None, False, "a\n" * 300 + "Process exited with code 3\nOutput:\n"),
            id="an exit status in the output itself proves nothing",
        ),
        pytest.param({"arguments": "{broken", "name": 5}, {}, ("tool", None, None, False, ""), id="nonsense"),
    ],
)
def test_a_call_and_its_output(
    call: Record, output: object, told: tuple[str, str | None, int | None, bool, str]
) -> None:
    tool = from_pair(call, output)

    assert (tool.name, tool.command, tool.exit, tool.failed, tool.output) == told


@pytest.mark.parametrize(
    ("item", "tool"),
    [
        pytest.param(
            {"type": "CommandExecution", "command": ["bash", "-lc", "ls"], "exit_code": 0},
            ToolCall("exec_command", '{"cmd":"ls"}', "", "ls", 0),
            id="command",
        ),
        pytest.param(
            {"type": "CommandExecution", "command": "ls", "status": "declined", "source": "user_shell"},
            ToolCall("user_shell", '{"cmd":"ls"}', "", "ls", None, failed=True),
            id="the user's own command, declined",
        ),
        pytest.param(
            {"type": "FileChange", "changes": {"a.py": {"type": "add"}}, "status": "failed", "stderr": "no"},
            ToolCall("apply_patch", '{"a.py":{"type":"add"}}', "no", failed=True),
            id="a change that failed",
        ),
        pytest.param(
            {
                "type": "McpToolCall",
                "server": "web",
                "tool": "fetch",
                "arguments": {"url": "x"},
                "status": "failed",
                "error": {"message": "no"},
            },
            ToolCall("mcp__web__fetch", '{"url":"x"}', '{"message":"no"}', failed=True),
            id="an MCP call that failed",
        ),
        pytest.param(
            {
                "type": "McpToolCall",
                "server": "m",
                "tool": "t",
                "status": "completed",
                "result": {"content": [{"type": "text", "text": "hello"}]},
            },
            ToolCall("mcp__m__t", "", "hello"),
            id="an MCP call",
        ),
        pytest.param(
            {"type": "WebSearch", "query": "pnpm"},
            ToolCall("web_search", '{"query":"pnpm"}', ""),
            id="search",
        ),
        pytest.param({"type": "Plan"}, None, id="no call"),
    ],
)
def test_a_completed_item(item: Record, tool: ToolCall | None) -> None:
    assert from_item(item) == tool


def message(role: str, *pieces: tuple[str, str, Record]) -> Record:
    return {
        "role": role,
        "content": [{"type": "input_text", "text": text} for _, text, _ in pieces],
        "internal_chat_message_metadata_passthrough": {
            "content_item_kinds": [kind for kind, _, _ in pieces],
            "content_item_metadata": [{"provenance": source} for _, _, source in pieces],
        },
    }


HARNESS: Record = {"type": "harness", "hook": False}


@pytest.mark.parametrize(
    ("payload", "filtered"),
    [
        pytest.param(
            message("user", ("user.text", "hi", {"type": "user"})), [], id="typed: an item tells it"
        ),
        pytest.param(
            message(
                "user",
                ("agents_md.instructions", "x", {"type": "agents_md"}),
                ("environments.environment_context", "y", HARNESS),
            ),
            ["environment", "instructions"],
            id="instructions and environment",
        ),
        pytest.param(
            message("developer", ("permissions.instructions", "x", HARNESS), ("host_skills.list", "y", {})),
            ["instructions"],
            id="each reason once",
        ),
        pytest.param(
            message("developer", ("hooks.additional_context", "x", {"type": "harness", "hook": True})),
            ["hook"],
            id="a hook's context",
        ),
        pytest.param(
            message("user", ("unknown", "<hook_prompt>x", {"type": "harness", "hook": True})),
            ["hook"],
            id="a stop hook's words",
        ),
        pytest.param(
            message("user", ("unknown", "Confirm.", {"type": "harness", "hook": True})), ["hook"], id="a hook"
        ),
        pytest.param(message("user", ("memories.instructions", "x", HARNESS)), ["memory"], id="its memories"),
        pytest.param(
            message("user", ("generic.turn_aborted", "x", HARNESS)), [], id="interrupt: an event tells it"
        ),
        pytest.param(
            message("user", ("shell.user_command", "x", HARNESS)), [], id="own command: an item tells it"
        ),
        pytest.param(
            message("user", ("compaction.summary", "x", HARNESS)), [], id="summary: compacted tells it"
        ),
        pytest.param(message("user", ("brand.new", "x", HARNESS)), ["instructions"], id="a kind of its own"),
        pytest.param(
            {"role": "user", "content": [{"text": "# AGENTS.md instructions for /x"}]},
            ["instructions"],
            id="legacy instructions",
        ),
        pytest.param({"role": "user", "content": [{"text": "hi"}]}, [], id="legacy typed text"),
        pytest.param(
            {"role": "developer", "content": [{"text": "x"}]}, ["instructions"], id="legacy developer"
        ),
        pytest.param({"role": [], "content": "x"}, [], id="nonsense"),
    ],
)
def test_why_a_piece_is_no_message(payload: Record, filtered: list[str]) -> None:
    assert reasons(payload) == filtered


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<environment_context>\n  <cwd>/x</cwd>", "environment"),
        ("# AGENTS.md instructions for /x", "instructions"),
        ("<turn_aborted>", "injected"),
        ("Why does <environment_context> stand there?", None),
    ],
)
def test_a_text_is_told_by_its_beginning(text: str, reason: str | None) -> None:
    assert start_reason(text) == reason
