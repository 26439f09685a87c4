"""A program run once: whatever it does, the call ends, and nothing of it is left."""

import os
import select
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from siltstone.agents.child import Ended, run

MOST = 100_000
HANG = "\nwhile True: time.sleep(60)"


def ran(folder: Path, script: str, text: str = "", seconds: float = 20.0) -> Ended:
    words = [sys.executable, "-S", "-c", f"import os, signal, subprocess, sys, time\n{script}"]
    return run(words, text, folder, {"PATH": os.defpath}, seconds, MOST)


def test_text_goes_in_and_comes_out_whatever_its_size(tmp_path: Path) -> None:
    text = "früh ✓ " * 8_000
    ended = ran(tmp_path, "sys.stdout.buffer.write(sys.stdin.buffer.read()); sys.stderr.write('so')", text)
    assert ended == Ended(text, "so", 0)


def test_a_program_that_writes_before_it_reads_does_not_stand_still(tmp_path: Path) -> None:
    script = "sys.stdout.write('x' * 90_000); sys.stdout.flush(); print(len(sys.stdin.read()), end='')"
    assert ran(tmp_path, script, "y" * 200_000).out == "x" * 90_000 + "200000"


def test_what_is_no_text_is_replaced_and_lone_surrogates_go_in(tmp_path: Path) -> None:
    ended = ran(tmp_path, r"sys.stdout.buffer.write(b'a\xffb' + sys.stdin.buffer.read())", "\ud800")
    assert ended.out == "a�b?"


@pytest.mark.parametrize(
    ("script", "cut"),
    [
        pytest.param("print('so far', flush=True)" + HANG, "time", id="it hangs"),
        pytest.param("os.write(1, b'so far\\n'); os.close(1); os.close(2)" + HANG, "time", id="shut up"),
        pytest.param(
            "signal.signal(signal.SIGTERM, signal.SIG_IGN); print('so far', flush=True)" + HANG,
            "time",
            id="it will not be ended",
        ),
        pytest.param("while True: os.write(1, b'so far' * 1000)", "size", id="a flood"),
    ],
)
def test_it_is_ended_when_it_passes_its_bounds(tmp_path: Path, script: str, cut: str) -> None:
    ended = ran(tmp_path, script, seconds=1.0 if cut == "time" else 20.0)
    assert ended.cut == cut
    assert ended.out.startswith("so far")
    assert len(ended.out) <= MOST
    assert ended.code in (-signal.SIGTERM, -signal.SIGKILL)


def test_of_a_flood_of_complaints_the_end_is_kept(tmp_path: Path) -> None:
    ended = ran(tmp_path, "sys.stderr.write('x' * 500_000 + 'the end')")
    assert ended.code == 0
    assert ended.err.endswith("xthe end")
    assert len(ended.err) <= MOST


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[int]:
    """A named pipe: it hangs up when nobody has it open for writing any more."""
    os.mkfifo(tmp_path / "pipe")
    end = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    yield end
    os.close(end)


@pytest.mark.parametrize("then", ["", HANG], ids=["it exits", "it hangs"])
def test_what_it_started_goes_with_it(tmp_path: Path, pipe: int, then: str) -> None:
    child = "subprocess.Popen(['sleep', '600'], stdout=open('pipe', 'w'))"
    ended = ran(tmp_path, f"{child}{then}", seconds=2.0)
    assert ended.cut == ("time" if then else "")
    watch = select.poll()
    watch.register(pipe, select.POLLHUP)
    assert watch.poll(10_000) == [(pipe, select.POLLHUP)]


def test_a_child_that_left_and_holds_the_output_is_not_waited_for(tmp_path: Path) -> None:
    script = (
        "child = subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
        "open('pid', 'w').write(str(child.pid)); print('done')"
    )
    try:
        assert ran(tmp_path, script) == Ended("done\n", "", 0)
    finally:
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)
