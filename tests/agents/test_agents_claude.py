"""Claude Code's transcripts as the agent left them (docs/transcripts.md)."""

import json
from pathlib import Path
from typing import Any

import pytest
from agents_claude_records import call, record, result, text, transcript
from agents_golden import golden, messages, opened, outline, reasons
from support.table import table

from siltstone.agents.claude.read import ClaudeReader
from siltstone.agents.jsonl import MAX_LINE, loads
from siltstone.store.errors import SourceError

DATA = Path(__file__).parent.parent / "data" / "claude"
FOLDER = DATA / "projects" / "-home-dev-src-repo"
SAMPLES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.jsonl"))


@pytest.fixture
def claude() -> ClaudeReader:
    return ClaudeReader(DATA)


def test_every_sample_is_found(claude: ClaudeReader) -> None:
    keys = {source.key for source in claude.discover()}
    assert keys == {f"-home-dev-src-repo/{name[:-6].replace('/subagents', '')}" for name in SAMPLES}


@pytest.mark.parametrize("name", SAMPLES)
def test_sample(claude: ClaudeReader, name: str) -> None:
    """The golden files beside the samples were checked by eye against the raw records."""
    path = FOLDER / name
    reading, steps = opened(claude, path)
    assert outline(reading, steps) == golden(path.with_suffix(".golden.json"))
    assert reading.complaints == []


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_that_went_through_a_formatter(tmp_path: Path, name: str) -> None:
    path = tmp_path / "projects" / FOLDER.name / name
    path.parent.mkdir(parents=True)
    lines = (FOLDER / name).read_bytes().splitlines()
    told = [loads(line) or line.decode() for line in lines]
    path.write_text("".join(json.dumps(one, separators=(" , ", " : ")) + "\n" for one in told))
    reading, steps = opened(ClaudeReader(tmp_path), path)
    assert outline(reading, steps) == golden((FOLDER / name).with_suffix(".golden.json"))


@table("claude", "a_file_without_a_known_record_is_complained_of")
def test_a_file_without_a_known_record_is_complained_of(tmp_path: Path, line: str) -> None:
    path = transcript(tmp_path, line)
    with pytest.raises(SourceError, match="contains no record"):
        opened(ClaudeReader(tmp_path), path)


def test_a_session_is_found_behind_a_line_that_is_too_long(tmp_path: Path) -> None:
    path = transcript(tmp_path, record("user", "u1", None, "We deploy on Tuesdays only."))
    told = path.read_bytes()
    with path.open("wb") as file:
        file.truncate(MAX_LINE + 1)
        file.seek(MAX_LINE + 1)
        file.write(b"\n" + told)
    said = messages(opened(ClaudeReader(tmp_path), path)[1])
    assert [one.text for one in said] == ["We deploy on Tuesdays only."]


def test_a_fork_copies_keys_so_only_its_own_turn_is_new(claude: ClaudeReader) -> None:
    origin, first = opened(claude, FOLDER / "headless_multiturn_compact.jsonl")
    fork, second = opened(claude, FOLDER / "fork_of_headless_multiturn.jsonl")
    seen = {message.key for message in messages(first)}
    fresh = [message.text for message in messages(second) if message.key not in seen]
    assert fresh == ["Forked turn please", "Forked turn answered."]
    assert origin.session.id != fork.session.id


@table("claude", "not_typed")
def test_what_is_marked_or_begins_as_the_machines_is_not_typed(
    tmp_path: Path, content: object, more: dict[str, Any], reason: str
) -> None:
    path = transcript(tmp_path, record("user", "u1", None, content, **more))
    _, steps = opened(ClaudeReader(tmp_path), path)
    assert (messages(steps), reasons(steps)) == ([], [reason])


@pytest.mark.parametrize("source", ["typed", "queued", "suggestion_accepted", "sdk"])
def test_prompts_of_a_person(tmp_path: Path, source: str) -> None:
    path = transcript(
        tmp_path, record("user", "u1", None, "Use pnpm", promptSource=source, origin={"kind": "human"})
    )
    _, steps = opened(ClaudeReader(tmp_path), path)
    assert [message.text for message in messages(steps)] == ["Use pnpm"]


def test_typed_blocks_stay_when_a_machine_put_others_beside_them(tmp_path: Path) -> None:
    blocks = [
        {"type": "text", "text": "<ide_opened_file>a.py</ide_opened_file>"},
        {"type": "text", "text": "Use pnpm"},
        {"type": "image", "source": {}},
        {"type": "text", "text": "never npm"},
    ]
    path = transcript(tmp_path, record("user", "u1", None, blocks))
    _, steps = opened(ClaudeReader(tmp_path), path)
    assert [message.text for message in messages(steps)] == ["Use pnpm\nnever npm"]


def test_a_queued_command_of_the_machine_is_a_notification(tmp_path: Path) -> None:
    queued = record("attachment", "q1", "u1", None)
    queued["attachment"] = {
        "type": "queued_command",
        "prompt": "Task done",
        "commandMode": "task-notification",
    }
    path = transcript(tmp_path, record("user", "u1", None, "Go"), queued)
    _, steps = opened(ClaudeReader(tmp_path), path)
    assert [message.text for message in messages(steps)] == ["Go"]
    assert reasons(steps) == ["notification"]


@pytest.mark.parametrize("name", ["Bash", "PowerShell"])
@table("claude", "exits")
def test_exit_status(
    tmp_path: Path, name: str, block: dict[str, Any], beside: object, exit_status: int | None, failed: bool
) -> None:
    """Windows has a tool of its own for commands."""
    answer = result("r1", "c1", "x", block=block, beside=beside)
    made = call("c1", "u1", "make", name=name)
    _, steps = opened(
        ClaudeReader(tmp_path), transcript(tmp_path, record("user", "u1", None, "Go"), made, answer)
    )
    tool = messages(steps)[1].tool
    assert tool is not None
    assert (tool.name, tool.command, tool.exit, tool.failed) == (name, "make", exit_status, failed)


def test_several_blocks_of_one_answer_are_one_message(tmp_path: Path) -> None:
    path = transcript(
        tmp_path,
        record("user", "u1", None, "Go"),
        text("a1", "u1", "First.", "tool_use", api="m1"),
        text("a2", "a1", "Second.", "tool_use", api="m1"),
        call("c1", "a2", "ls", api="m1"),
        result("r1", "c1", "x"),
        text("a3", "r1", "Done."),
    )
    _, steps = opened(ClaudeReader(tmp_path), path)
    shown = [
        (message.id, message.text, message.final) for message in messages(steps) if message.role != "tool"
    ]
    assert shown == [("u1", "Go", False), ("a1", "First.\n\nSecond.", False), ("a3", "Done.", True)]


def test_versions_without_a_stop_reason_show_the_final_answer_by_what_follows(tmp_path: Path) -> None:
    path = transcript(
        tmp_path,
        record("user", "u1", None, "Go"),
        text("a1", "u1", "Looking.", None, api="m1"),
        call("c1", "a1", "ls", api="m1"),
        result("r1", "c1", "x"),
        text("a2", "r1", "One more.", None),
        text("a3", "a2", "Done.", None),
        record("user", "u2", "a3", "And now?"),
        text("a4", "u2", "Now this.", None),
    )
    _, steps = opened(ClaudeReader(tmp_path), path)
    final = [message.id for message in messages(steps) if message.final]
    assert final == ["a3", "a4"]


def test_the_project_is_the_cwd_of_the_records(tmp_path: Path) -> None:
    path = transcript(tmp_path, record("user", "u1", None, "Go", cwd="/home/dev/other"))
    reading, _ = opened(ClaudeReader(tmp_path), path)
    assert (reading.session.id, reading.session.cwd) == ("s1", "/home/dev/other")


def test_a_file_without_a_record_holds_no_session_yet(tmp_path: Path) -> None:
    path = transcript(tmp_path, {"type": "mode", "mode": "normal", "sessionId": "s1"})
    claude = ClaudeReader(tmp_path)
    source = next(claude.discover())
    assert source.path == path
    assert claude.read(source, None) is None
