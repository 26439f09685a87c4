"""A compaction summary is not mined, but its candidate block is handed on (docs/seeds.md A8)."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from agents_claude_records import record, transcript
from codex_home import Home as CodexHome
from opencode_home import Home as OpenCodeHome
from opencode_home import text
from typed_sessions import lay

from siltstone.agents.readers import readers
from siltstone.pipeline.messages import Filtered, Message

SUMMARY = """This session is being continued from a previous conversation. We fixed the drawer.

Memory candidates:
- [decision] Use the npm cache for plugin loading, not npm link
- (none)

Next steps: continue."""
BLOCK = "Memory candidates:\n- [decision] Use the npm cache for plugin loading, not npm link"


def claude(root: Path) -> None:
    summary = record("user", "u2", "u1", SUMMARY, isCompactSummary=True)
    transcript(root, record("user", "u1", None, "Go on"), summary)


def codex(root: Path) -> None:
    compacted = {"message": SUMMARY, "replacement_history": []}
    CodexHome(root).write({"type": "compacted", "payload": compacted})


def gemini(root: Path) -> None:
    lay("gemini", root, f"<state_snapshot>\n{SUMMARY}\n</state_snapshot>")


def opencode(root: Path) -> None:
    home = OpenCodeHome(root)
    with closing(home.db):
        home.session("ses_1")
        home.answered("ses_1", "msg_1", 1, text(SUMMARY), mode="compaction", summary=True)


@pytest.mark.parametrize("compacted", [claude, codex, gemini, opencode])
def test_of_a_compaction_summary_only_the_candidate_block_is_left(
    tmp_path: Path, compacted: Callable[[Path], None]
) -> None:
    compacted(tmp_path)
    (reader,) = readers({compacted.__name__: tmp_path}, {})
    (source,) = reader.discover()
    reading = reader.read(source, None)
    assert reading is not None
    items = [step.item for step in reading.steps]
    answers = [(m.role, m.text) for m in items if isinstance(m, Message) and m.role != "user"]
    assert answers == [("assistant", BLOCK)]
    assert Filtered("compaction") in items
