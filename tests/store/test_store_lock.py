"""The lock across processes: a killed holder frees it, an orphaned git keeps it until it is done."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from store_support import open_store, subjects
from support.faulty_disk import QuietDisk

from siltstone.store.disk import Disk
from siltstone.store.errors import Locked, StoreError
from siltstone.store.lock import locked

HOLD = """
import sys
from pathlib import Path
from siltstone.store.disk import Disk
handle = Disk().lock(Path(sys.argv[1]))
print("held", flush=True)
sys.stdin.read()
"""


def holder(*args: str) -> subprocess.Popen[str]:
    env = dict(os.environ) | {"PYTHONPATH": f"{os.getcwd()}:{Path(__file__).parents[1]}"}
    argv = [sys.executable, "-c", HOLD, *args]
    process = subprocess.Popen(argv, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def end(process: subprocess.Popen[str]) -> None:
    with process:
        process.send_signal(signal.SIGKILL)


def test_a_killed_holder_frees_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    process = holder(str(path))
    disk = QuietDisk()
    with pytest.raises(Locked, match="try again later"), locked(path, tmp_path, disk, wait=1):
        pass
    assert disk.pauses == 20
    end(process)
    with locked(path, tmp_path, disk, wait=0):
        pass


def test_a_child_that_keeps_the_descriptor_keeps_the_lock(tmp_path: Path) -> None:
    disk = Disk()
    handle = disk.lock(tmp_path / "lock")
    assert handle is not None
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, pass_fds=(handle,))
    disk.unlock(handle)
    assert disk.lock(tmp_path / "lock") is None
    child.communicate(b"\n")
    again = disk.lock(tmp_path / "lock")
    assert again is not None
    disk.unlock(again)


def test_a_lock_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with (
        pytest.raises(StoreError, match="cannot be taken"),
        locked(tmp_path / "no" / "lock", tmp_path, Disk()),
    ):
        pass


def test_many_writers_lose_nothing(tmp_path: Path) -> None:
    root = tmp_path / "store"
    open_store(root)
    code = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[2]); import store_support as s\n"
        "store = s.open_store(Path(sys.argv[1]), s.Disk())\n"
        "for n in range(3):\n"
        "    name = f'global/project-{sys.argv[3]}-{n}.md'\n"
        "    s.save(store, s.put(store, name, s.text_of(name)), subject=name)\n"
    )
    env = dict(os.environ) | {"PYTHONPATH": f"{os.getcwd()}:{Path(__file__).parents[1]}"}
    argv = [sys.executable, "-c", code, str(root), str(Path(__file__).parent)]
    running = [
        subprocess.Popen([*argv, str(n)], env=env, stderr=subprocess.PIPE, text=True) for n in range(4)
    ]
    assert [process.communicate()[1] for process in running] == [""] * 4
    assert len(open_store(root).entries()) == 12
    assert len(subjects(root)) == 13
