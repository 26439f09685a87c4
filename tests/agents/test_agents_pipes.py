"""Pipes, dangling links and folders where an agent keeps files: nothing waits for them, nothing falls."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from support.table import table
from typed_sessions import lay

from siltstone.agents.readers import readers
from siltstone.pipeline.messages import Message
from siltstone.store.errors import SourceError
from siltstone.store.plain_file import opened

CHATS = "tmp/app/chats"
ROLLOUT = "rollout-2026-11-21T00-00-00-01a1fb88-0000-7000-8000-000000000001"
OTHER = ROLLOUT.replace("0001", "0002")


def pipe(path: Path) -> None:
    os.mkfifo(path)


def dangling(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


@pytest.mark.parametrize("make", [pipe, dangling, Path.mkdir], ids=["pipe", "dangling-link", "folder"])
@pytest.mark.parametrize(
    ("agent", "place"),
    [
        ("claude", "projects/-app/odd.jsonl"),
        ("claude", "projects/odd"),
        ("claude", "projects/-app/sub/subagents/agent-1.jsonl"),
        ("claude", "sessions/1.json"),
        ("codex", f"sessions/2026/11/21/{OTHER}.jsonl"),
        ("codex", f"sessions/2026/11/21/{OTHER}.jsonl.zst"),
        ("codex", f"archived_sessions/{OTHER}.jsonl"),
        ("codex", "thread-writer-locks/01a1fb88-0000-7000-8000-000000000001.lock"),
        ("gemini", f"{CHATS}/session-odd.jsonl"),
        ("gemini", f"{CHATS}/session-odd.json"),
        ("gemini", f"{CHATS}/sub/odd.jsonl"),
        ("gemini", "tmp/app/.project_root"),
        ("gemini", "projects.json"),
        ("plain", "odd.jsonl"),
    ],
)
def test_what_is_no_file_holds_up_no_transcript(
    tmp_path: Path, agent: str, place: str, make: Callable[[Path], None]
) -> None:
    lay(agent, tmp_path, "use pnpm")
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    make(tmp_path / place)

    assert outcome(agent, tmp_path)[0] == ["use pnpm"]


@pytest.mark.parametrize("make", [pipe, dangling, Path.mkdir], ids=["pipe", "dangling-link", "folder"])
@table("pipes", "nor_does_it_in_the_files_of_opencode")
def test_nor_does_it_in_the_files_of_opencode(
    tmp_path: Path, place: str, make: Callable[[Path], None]
) -> None:
    files = {
        "session/p/ses_1.json": {"id": "ses_1", "directory": "/app"},
        "message/ses_1/msg_1.json": {"role": "user", "time": {"created": 1795221450794}},
        "part/msg_1/prt_1.json": {"type": "text", "text": "use pnpm"},
    }
    for name, record in files.items():
        path = tmp_path / "storage" / name
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(record))
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    make(tmp_path / place)

    texts, refused = outcome("opencode", tmp_path)
    # A session of many files is read whole or not at all.
    assert texts == ["use pnpm"] or [place in told for told in refused] == [True]


def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    pipe(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a plain file"):
        opened(tmp_path / "pipe")


def outcome(agent: str, root: Path) -> tuple[list[str], list[str]]:
    """What was typed in all sessions that can be read, and what was said of the others."""
    (reader,) = readers({agent: root}, {})
    texts, refused = [], []
    for source in reader.discover():
        try:
            reading = reader.read(source, None)
            if reading is not None:
                texts += [step.item.text for step in reading.steps if isinstance(step.item, Message)]
                reader.idle(source, reading)
        except SourceError as error:
            refused.append(str(error))
    return texts, refused
