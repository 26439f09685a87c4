"""A compaction summary is not mined, but its candidate block is handed on (docs/seeds.md A8)."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from agents_claude_records import record, transcript
from codex_home import THREAD
from opencode_home import Home as OpenCodeHome
from opencode_home import text

from siltstone.agents import readers
from siltstone.pipeline.messages import Filtered, Message

SUMMARY = """This session is being continued from a previous conversation. We fixed the drawer.

Memory candidates:
- [decision] Use the npm cache for plugin loading, not npm link
- (none)

Next steps: continue."""
BLOCK = "Memory candidates:\n- [decision] Use the npm cache for plugin loading, not npm link"


def claude(root: Path) -> None:
    transcript(
        root, record("user", "u1", None, "Go on"), record("user", "u2", "u1", SUMMARY, isCompactSummary=True)
    )


def codex(root: Path) -> None:
    meta = {"id": THREAD, "session_id": THREAD, "cwd": "/home/dev/repo", "source": "cli"}
    at = "2026-11-21T10:00:00.000Z"
    lines = [
        {"timestamp": at, "type": "session_meta", "payload": meta},
        {"timestamp": at, "type": "compacted", "payload": {"message": SUMMARY, "replacement_history": []}},
    ]
    path = root / "sessions/2026/11/21" / f"rollout-2026-11-21T10-00-00-{THREAD}.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def gemini(root: Path) -> None:
    head = {"sessionId": "s1", "projectHash": "0", "startTime": "2026-11-21T10:00:00Z", "kind": "main"}
    snapshot = f"<state_snapshot>\n{SUMMARY}\n</state_snapshot>"
    said = {"id": "m1", "timestamp": "2026-11-21T10:00:01Z", "type": "user", "content": [{"text": snapshot}]}
    path = root / "tmp" / "repo" / "chats" / "session-2026-11-21T10-00-s1.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in (head, said)), encoding="utf-8")


def opencode(root: Path) -> None:
    home = OpenCodeHome(root)
    with closing(home.db):
        home.session("ses_1")
        home.answered("ses_1", "msg_1", 1, text(SUMMARY), mode="compaction", summary=True)
        home.db.commit()


@pytest.mark.parametrize(
    ("agent", "lay"),
    [("claude", claude), ("codex", codex), ("gemini", gemini), ("opencode", opencode)],
    ids=["claude", "codex", "gemini", "opencode"],
)
def test_of_a_compaction_summary_only_the_candidate_block_is_left(
    tmp_path: Path, agent: str, lay: Callable[[Path], None]
) -> None:
    lay(tmp_path)
    (reader,) = readers({agent: tmp_path}, {})
    (source,) = reader.discover()
    reading = reader.read(source, None)
    assert reading is not None
    items = [step.item for step in reading.steps]
    answers = [(m.role, m.text) for m in items if isinstance(m, Message) and m.role != "user"]
    assert answers == [("assistant", BLOCK)]
    assert Filtered("compaction") in items
