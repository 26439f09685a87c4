"""Codex: tool calls of every era, and what stands beside the user's words."""

from typing import Any

from support.table import table

from siltstone.agents.codex.calls import from_item, from_pair
from siltstone.agents.codex.turns import reasons, start_reason
from siltstone.agents.values import Record
from siltstone.pipeline.messages import ToolCall

ECHO = {"type": "function_call", "name": "exec_command", "arguments": '{"cmd": "echo"}'}
PRINTED = "a\n" * 300 + "Process exited with code 3\nOutput:\n"
"""An exit status in the output itself, which proves nothing."""


@table("codex_pieces", "calls", (ECHO, PRINTED, ["exec_command", "echo", None, False, PRINTED]))
def test_a_call_and_its_output(call: Record, output: object, told: list[object]) -> None:
    tool = from_pair(call, output, {})
    assert [tool.name, tool.command, tool.exit, tool.failed, tool.output] == told


@table("codex_pieces", "items")
def test_a_completed_item(item: Record, tool: dict[str, Any] | None) -> None:
    assert from_item(item) == (tool and ToolCall(**tool))


@table("codex_pieces", "messages")
def test_why_a_piece_is_no_message(payload: Record, filtered: list[str]) -> None:
    assert reasons(payload) == filtered


@table("codex_pieces", "texts")
def test_a_text_is_told_by_its_beginning(text: str, reason: str | None) -> None:
    assert start_reason(text) == reason
