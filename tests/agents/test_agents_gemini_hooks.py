"""What hooks of Gemini CLI leave to be found out: how a tool ended, and that the session was compacted."""

import json
import os
from pathlib import Path

from support.table import table

from siltstone.agents.hooks import read_payload
from siltstone.recall.session.event import Event


def tool(told: dict[str, object], response: object) -> Event:
    payload = {"hook_event_name": "AfterTool", "session_id": "s1", **told, "tool_response": response}
    (event,) = read_payload("gemini", payload, 0.0, {}).events
    return event


@table("gemini", "tools")
def test_how_a_tool_ended(
    told: dict[str, object], response: object, status: int | None, failed: bool, output: str
) -> None:
    event = tool(told, response)
    assert (event.exit, event.failed, event.output) == (status, failed, output)


def test_a_prompt_that_asks_to_keep_nothing_counts_as_typed_whatever_command_it_may_be(
    tmp_path: Path,
) -> None:
    commands = tmp_path / ".gemini" / "commands"
    commands.mkdir(parents=True)
    (commands / "any.toml").write_text('prompt = "{{args}}"')
    payload = {"hook_event_name": "BeforeAgent", "session_id": "s1"}
    environ = {"HOME": str(tmp_path)}
    assert (
        read_payload("gemini", {**payload, "prompt": "Mend the cart"}, 0.0, environ).typed == "Mend the cart"
    )
    assert read_payload("gemini", {**payload, "prompt": "remember: we use pnpm"}, 0.0, environ).typed == ""


def line(*texts: str, restated: bool = True) -> str:
    messages = [{"type": "user", "content": [{"text": text}]} for text in texts]
    told: object = {"$set": {"messages": messages}} if restated else messages[0]
    return json.dumps(told, separators=(",", ":"))


def compaction(*lines: str, at: Path) -> str:
    """What tells the last compaction of a transcript of these lines."""
    at.write_text("\n".join(lines))
    payload = {
        "hook_event_name": "BeforeAgent",
        "session_id": "s1",
        "prompt": "And now?",
        "transcript_path": str(at),
    }
    return read_payload("gemini", payload, 0.0, {}).compaction


def test_a_compaction_is_told_by_the_summary_that_the_transcript_restates_last(tmp_path: Path) -> None:
    chat = tmp_path / "chat.jsonl"
    first, second = (f"<state_snapshot>{what}</state_snapshot>" for what in ("one", "two"))
    once = compaction(line(first), at=chat)
    assert once
    assert compaction(line(first), line("typed since", restated=False), at=chat) == once
    assert compaction(line(first), line("so far", first, "since"), at=chat) == once, "resumed"
    assert compaction(line(first), line(second), at=chat) not in ("", once)
    assert compaction(line(first), line("nothing is summed up"), at=chat) == once


def test_what_somebody_typed_or_what_cannot_be_read_tells_no_compaction(tmp_path: Path) -> None:
    chat = tmp_path / "chat.jsonl"
    assert compaction(line("<state_snapshot>one</state_snapshot>", restated=False), at=chat) == ""
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "none", tmp_path / "pipe"):
        payload = {
            "hook_event_name": "BeforeAgent",
            "session_id": "s1",
            "prompt": "x",
            "transcript_path": str(path),
        }
        assert read_payload("gemini", payload, 0.0, {}).compaction == ""
