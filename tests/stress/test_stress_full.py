"""No room on the disk."""

import subprocess
import sys

import pytest
from person import SAVE, Person, line, told
from process import ROOT, environment

CRAMPED = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
runpy.run_module("siltstone", run_name="__main__")
"""


def silt(person: Person, *argv: str) -> tuple[int, str]:
    """Status and errors of a process of its own."""
    done = subprocess.run(
        [sys.executable, *argv],
        env=environment(person.home),
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("size", [900, 40_000, 70_000])
def test_a_disk_that_fills_up_is_one_sentence_and_the_next_run_goes_on(person: Person, size: int) -> None:
    """No file may grow beyond `size` bytes, git's own included."""
    person.says(line(SAVE))
    run = ["run", "--root", f"plain={person.home / 'said'}", "--idle", "0"]
    status, err = silt(person, "-c", CRAMPED, str(size), *run)
    assert status == 1
    assert "Traceback" not in err
    *archive, last = err.splitlines()
    assert last.startswith("silt: ")
    assert all("session archive" in text or "sessions were not archived" in text for text in archive)
    told(person.run())
    assert person.kept() == ["all copy in this shop is British English"]
    assert person.git("fsck", "--full", "--strict") == ""
    assert person.git("status", "--porcelain") == ""
    assert not list(person.store.rglob("*.tmp"))
