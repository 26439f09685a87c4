"""The real command, in a process of its own: pipes that close, narrow encodings, full disks, Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from support.commands import Said, call

SILT = [sys.executable, "-m", "siltstone"]
NAME = "deploys-go-out-on-tuesdays-only"
FULL = Path("/dev/full").exists()
MANY = [["list"], ["list", "--json"], ["--help"]]


@pytest.fixture
def full() -> Iterator[int]:
    """A device without room; where there is none such, one that may only be read refuses in the same way."""
    handle = os.open(*(("/dev/full", os.O_WRONLY) if FULL else (os.devnull, os.O_RDONLY)))
    yield handle
    os.close(handle)


def run(
    *words: str, stdout: int = subprocess.PIPE, given: bytes = b"", env: Mapping[str, str] = {}
) -> "subprocess.CompletedProcess[bytes]":
    """`silt` in a process of its own, in the environment of the test."""
    ends = {"stdout": stdout, "stderr": subprocess.PIPE}
    return subprocess.run(  # type: ignore[call-overload, no-any-return]
        [*SILT, *words], env={**os.environ, **env}, input=given, timeout=60, check=False, **ends
    )


@pytest.mark.parametrize("words", [*MANY, ["inject"]], ids=" ".join)
def test_a_reader_that_went_away_is_no_failure(kept: Said, words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = run(*words, stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("words", [*MANY, ["inject"], ["inject", "--json"]], ids=" ".join)
def test_a_full_disk_is_one_sentence(kept: Said, full: int, words: list[str]) -> None:
    done = run(*words, stdout=full)
    assert done.returncode == 1
    why = "No space left on device" if FULL else "Bad file descriptor"
    assert done.stderr.decode() == (
        f"silt: standard output cannot be written ({why}); fix that and run this again\n"
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (f"purge {NAME}", "nothing was changed: purge asks before it deletes; --yes deletes without asking."),
        ("remember -", "standard input is empty; give one memory a line."),
    ],
)
@pytest.mark.parametrize("closed", [False, True], ids=["empty", "closed"])
def test_without_any_input_nothing_is_changed_and_one_sentence_says_why(
    kept: Said, words: str, told: str, closed: bool
) -> None:
    before = call("list")
    line = f"{sys.executable} -m siltstone {words} {'<&-' if closed else '</dev/null'}"
    done = subprocess.run(["/bin/sh", "-c", line], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (2, f"silt: {told}\n")
    assert call("list") == before


ASCII = {"PYTHONIOENCODING": "ascii"}
PLAIN = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
WORDS = [*MANY, ["remember", "茶在四点"], ["show", "nothing-日"]]


@pytest.mark.parametrize(("words", "env"), [*((words, ASCII) for words in WORDS), (["list"], PLAIN)])
def test_a_terminal_that_knows_ascii_only_gets_escapes(
    kept: Said, words: list[str], env: dict[str, str]
) -> None:
    call("remember", "Tea — 茶 — is served at four", "--type", "project")
    done = run(*words, env=env)
    assert done.returncode in (0, 2)
    assert done.stdout.isascii()
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("to", ["a full disk", "nobody"])
@pytest.mark.parametrize("agent", ["claude", "gemini"])
def test_a_hook_that_nobody_hears_ends_well_and_its_log_tells(
    kept: Said, home: Path, full: int, agent: str, to: str
) -> None:
    reading, closed = os.pipe()
    os.close(reading)
    said = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "s1", "cwd": os.getcwd()}
    said |= {"hook_event_name": "BeforeAgent", "prompt": "Hello"} if agent == "gemini" else {}
    to_whom = full if to == "a full disk" else closed
    done = run("hook", agent, stdout=to_whom, given=json.dumps(said).encode())
    os.close(closed)
    assert (done.returncode, done.stderr) == (0, b"")
    (line,) = (home / "state" / "hooks.log").read_text().splitlines()
    assert f"{agent}: could not write the answer" in line


def test_ctrl_c_while_modules_load_is_one_line(tmp_path: Path) -> None:
    # A module of the command line that is interrupted while it loads.
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    done = run("list", env={"PYTHONPATH": str(tmp_path)})
    assert (done.returncode, done.stderr) == (130, b"silt: interrupted\n")


@pytest.mark.usefixtures("heard")
def test_ctrl_c_in_a_command_is_one_line(home: Path, kept: Said) -> None:
    # git answers with the signal that a terminal would send.
    bin_ = home / "bin"
    bin_.mkdir()
    (bin_ / "git").write_text(f"#!/bin/sh\nkill -{signal.SIGINT.value} $PPID\nsleep 5\n", encoding="utf-8")
    (bin_ / "git").chmod(0o755)
    done = run("list", env={"PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}"})
    assert done.returncode == 130
    assert done.stderr == (
        b"silt: interrupted; what was committed stays, and the same command continues from there\n"
    )


def test_the_version_is_told(home: Path) -> None:
    done = run("--version")
    assert (done.returncode, done.stdout.split()[0]) == (0, b"silt")
    assert not (home / "store").exists()
