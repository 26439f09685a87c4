"""`silt watch` as a process: it reads, commits a hand edit, and ends cleanly whenever it is asked to."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from process import environment, started
from support.bench import planted
from support.git import git

UPDATE = "memory: update "
"""How the subject of a commit of the user's edits begins."""
QUICK = {"SILT_AUTO_COMMIT_DEBOUNCE_MS": "0", "SILT_IDLE_MS": "0"}


@pytest.fixture
def argv(tmp_path: Path) -> list[str]:
    """The call of a watch over planted sessions."""
    roots = planted(tmp_path / "agents", "02", "03")
    named = [word for agent, path in roots.items() for word in ("--root", f"{agent}={path}")]
    return [sys.executable, "-m", "siltstone", "watch", *named]


def until(watching: "subprocess.Popen[str]", words: str) -> str:
    """The next line of the log with these words in it."""
    assert watching.stdout is not None
    for line in watching.stdout:
        if words in line:
            return line
    raise AssertionError(f"it ended without {words!r}")


def until_committed(watching: "subprocess.Popen[str]", home: Path) -> None:
    """Wait for the commit itself, for its line in the log comes after it."""
    while not git(home / "store", "log", "-1", "--format=%s").startswith(UPDATE):
        assert watching.poll() is None, "it ended and the edit is not committed"


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
def test_it_reads_commits_an_edit_and_ends(tmp_path: Path, argv: list[str], how: signal.Signals) -> None:
    with started(tmp_path, argv, **QUICK) as watching:
        assert "new memor" in until(watching, "run: ")
        kept = next((tmp_path / "store" / "projects").glob("*/feedback-*.md"))
        mine = tmp_path / "mine.md"
        mine.write_text(kept.read_text(encoding="utf-8") + "\nMy own words.\n", encoding="utf-8")
        mine.replace(kept)
        until_committed(watching, tmp_path)
        watching.send_signal(how)
        said, _ = watching.communicate()
        assert watching.returncode == 0
    changed = str(kept.relative_to(tmp_path / "store"))
    assert [line for line in said.splitlines() if f"edits committed: {changed}" in line], said
    assert said.rstrip().endswith("stopped")
    assert git(tmp_path / "store", "show", "--name-only", "--format=").splitlines() == [changed]
    assert git(tmp_path / "store", "log", "-1", "--format=%s").startswith(f"{UPDATE}{changed[:50]}")
    assert git(tmp_path / "store", "status", "--porcelain") == ""


def test_an_end_in_the_middle_of_a_run_leaves_a_store_that_the_next_run_completes(
    tmp_path: Path, argv: list[str]
) -> None:
    with started(tmp_path, argv, **QUICK) as watching:
        until(watching, "run begun")
        watching.send_signal(signal.SIGTERM)
        until(watching, "stopped")
        assert watching.wait() == 0
    env = environment(tmp_path, SILT_IDLE_MS="0")
    roots = argv[argv.index("watch") + 1 :]
    subprocess.run([*argv[:3], "run", *roots], env=env, cwd=tmp_path, check=True, capture_output=True)
    assert git(tmp_path / "store", "fsck", "--full", "--strict", "--no-dangling") == ""
    assert git(tmp_path / "store", "status", "--porcelain") == ""
    assert list((tmp_path / "store" / "projects").glob("*/feedback-*.md"))
    assert not os.path.exists(tmp_path / "store" / ".git" / "silt-intent")
