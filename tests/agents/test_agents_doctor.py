"""What `silt doctor` finds: hooks called as their agent calls them, and settings that switch them off."""

import os
import select
from pathlib import Path

import pytest
from support.table import table

from siltstone.agents.doctor import MOST, Tried, call_hooks, switched_off


def hook(folder: Path, text: str) -> tuple[str, ...]:
    script = folder / "silt"
    script.write_text(f"#!/bin/sh\necho called >> {folder}/calls\n{text}\n", encoding="utf-8")
    script.chmod(0o755)
    return ("sh", "-c", f"{script} hook gemini || true")


def test_after_one_that_hangs_none_is_called_and_nothing_of_it_is_left(tmp_path: Path) -> None:
    words = hook(tmp_path, f"sleep 600 & echo $! > {tmp_path}/child; wait")
    found = dict.fromkeys(("SessionStart", "BeforeAgent", "SessionEnd"), words)
    (tried,) = call_hooks(found, os.environ, tmp_path, seconds=0.5)
    assert tried == Tried("SessionStart", "it does not finish within 0.5 seconds", "", hung=True)
    assert (tmp_path / "calls").read_text(encoding="utf-8") == "called\n"
    child = int((tmp_path / "child").read_text(encoding="utf-8"))
    assert ended(child)


def ended(process: int) -> bool:
    """Whether a process that was killed comes to its end: the system may take a moment for it."""
    try:
        handle = os.pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], 10)[0])
    finally:
        os.close(handle)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("true", ""),
        ("echo '{}'", ""),
        ("echo '[]'", "its answer is not a JSON object"),
        ("printf '\\377'", "its answer is not a JSON object"),
        ("echo broken >&2", "it ends with 0: broken"),
        (f"head -c {MOST + 9} /dev/zero", f"it answers with more than {MOST:,} bytes"),
    ],
)
def test_what_a_hook_answers_is_told(tmp_path: Path, text: str, wrong: str) -> None:
    words = hook(tmp_path, text)
    tried = call_hooks({"A": words, "B": words}, os.environ, tmp_path)
    assert [(one.event, one.wrong) for one in tried] == [("A", wrong), ("B", wrong)]


@table("doctor", "switches")
def test_what_is_switched_off_is_told_with_its_file(
    agent: str, user: str, project: dict[str, str], told: str, tmp_path: Path
) -> None:
    here, folder = tmp_path / "project", tmp_path / "user"
    folder.mkdir()
    file = folder / ("config.toml" if agent == "codex" else "settings.json")
    file.write_text(user, encoding="utf-8")
    for name, text in project.items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(text, encoding="utf-8")
    found = switched_off(agent, folder, here)
    assert told.format(user=file, project=here) in found
    assert bool(found) is bool(told)


def test_without_a_project_its_settings_are_not_read(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text('{"disableAllHooks": true}', encoding="utf-8")
    assert switched_off("claude", tmp_path / "user", tmp_path)
    assert switched_off("claude", tmp_path / "user", None) == ""
