"""What a running session's texts mean: the same as the rules say, asked only where they may say something."""

import subprocess
import sys

import pytest
from test_pipeline_explicit import SAVED

from siltstone.pipeline import hearing
from siltstone.pipeline.explicit import find_saves

BLOCK = """We did it.

Memory candidates:
- [decision] Use the npm cache for plugin loading, not npm link
- (none)"""
LOADED = """
import sys
from siltstone.pipeline import hearing
hearing.own("Now make the tests pass, please")
hearing.announced("user", "Now make the tests pass, please")
hearing.announced("assistant", "Done: the tests pass")
print(sorted(name for name in sys.modules if name.startswith("siltstone.pipeline.")))
"""


@pytest.mark.parametrize("text", [text for text, _ in SAVED.values()], ids=SAVED)
def test_a_save_that_the_rules_find_is_heard(text: str) -> None:
    assert [body for _, body in hearing.announced("user", text)] == [save.body for save in find_saves(text)]


def test_the_candidate_block_of_a_summary_is_heard() -> None:
    told = [("decision", "Use the npm cache for plugin loading, not npm link")]
    assert hearing.announced("compaction", BLOCK) == told


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Fix it <system-reminder>be quick</system-reminder>", "Fix it"),
        ("Workspace memory (cross-session, verify if stale):\nfeedback:\n- x\n\nFix it", "Fix it"),
        ("Fix it", "Fix it"),
    ],
)
def test_what_machines_put_in_is_not_heard(text: str, own: str) -> None:
    assert hearing.own(text) == own


@pytest.mark.parametrize(("command", "reads"), [("cat a.log", True), ("git log", True), ("npm test", False)])
def test_readers(command: str, reads: bool) -> None:
    assert hearing.reads(command) is reads


def test_for_most_texts_no_rule_is_loaded() -> None:
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['siltstone.pipeline.hearing']"
