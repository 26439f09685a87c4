"""Atomic writing: in what order, with which rights, and what a failure leaves."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from store_support import leftovers
from support.faulty_disk import FaultyDisk

from siltstone.store.disk import Disk, is_temp


class Recording(Disk):
    """Notes the order in which things reach the disk."""

    def __init__(self) -> None:
        self.steps: list[str] = []

    def synced(self, handle: int) -> None:
        self.steps.append("sync folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "sync file")

    def _rename(self, old: Path, new: Path) -> None:
        self.steps.append(f"rename to {new.name}")
        assert is_temp(old.name)
        assert old.parent == new.parent
        super()._rename(old, new)


def test_content_is_synced_before_the_name_and_the_name_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Recording()
    monkeypatch.setattr("os.fsync", disk.synced)
    disk.write(tmp_path / "a" / "b" / "file.md", b"x")
    assert disk.steps == ["sync file", "rename to file.md", "sync folder"]
    assert (tmp_path / "a/b/file.md").read_bytes() == b"x"
    assert (tmp_path / "a/b/file.md").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o700


ASK_GIT = """
import os, subprocess, sys
from pathlib import Path
from siltstone.store.git_env import hermetic
subprocess.run(["git", "config", "core.fsync"], env=hermetic(os.environ, Path("x"), Path("x")), check=True)
"""


def test_git_syncs_what_a_commit_needs_and_the_branch() -> None:
    """In a process of its own: in that of the tests nothing is synced (`tests/conftest.py`)."""
    told = subprocess.run([sys.executable, "-c", ASK_GIT], capture_output=True, text=True, check=True)
    assert told.stdout == "committed,reference\n"


@pytest.mark.parametrize(("k", "how"), [(1, "before"), (2, "before"), (3, "before"), (1, "half")])
def test_a_failed_write_leaves_the_old_file_and_no_other(tmp_path: Path, k: int, how: str) -> None:
    (tmp_path / "file.md").write_bytes(b"old")
    with pytest.raises(OSError, match="No space left"):
        FaultyDisk(k, how).write(tmp_path / "file.md", b"new")
    assert (tmp_path / "file.md").read_bytes() == b"old"
    assert leftovers(tmp_path) == []


def test_removing_what_is_gone_is_no_error(tmp_path: Path) -> None:
    Disk().unlink(tmp_path / "none")
    assert Disk().rmdir(tmp_path / "none") is False
    (tmp_path / "full").mkdir()
    (tmp_path / "full/x").write_bytes(b"")
    assert Disk().rmdir(tmp_path / "full") is False


@pytest.mark.parametrize(
    ("name", "temp"), [(".silt-1-2.tmp", True), (".silt-x.md", False), ("silt-1.tmp", False), (".tmp", False)]
)
def test_temporary_names_are_known(name: str, temp: bool) -> None:
    assert is_temp(name) is temp
