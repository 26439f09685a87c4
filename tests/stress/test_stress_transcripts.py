"""Transcripts that nobody would write: what can be read is, what cannot is said, and no run ends for it."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from person import OTHER, SAVE, Person, line, told
from process import ROOT, environment

FACT = "all copy in this shop is British English"


@pytest.mark.parametrize(
    ("lines", "filtered"),
    [
        pytest.param([b'{"role":"user","cont\n'], {"torn-line": 1}, id="torn-line"),
        pytest.param([b'{"role":"user","content":"unfinis'], {}, id="unterminated-tail"),
        pytest.param([line("caf\ufffd").replace(b"\\ufffd", b"\xff\xfe")], {}, id="invalid-utf8"),
        pytest.param([line("half a pair \ud800 and \udfff")], {}, id="lone-surrogates"),
        pytest.param([line("a \0 in text"), b"\0\0\0\0" + line("holes")], {}, id="NUL"),
        pytest.param([b'{"role":"user","content":' + b"[" * 100_000 + b"\n"], {"torn-line": 1}, id="deep"),
        pytest.param([b"\n" * 1000, b"\r\n", b"[]\n", b"1\n", b"null\n"], None, id="no-objects"),
        pytest.param([line(5), line(None), line([1, {"a": 2}]), line({})], None, id="wrong-types"),
        pytest.param([line("hi", role=role) for role in ("", "USER", "root")], None, id="roles"),
        pytest.param([line("x y " * 2_000_000), line("<" * 3_000_000)], {}, id="megabytes"),
        pytest.param([os.urandom(100_000)], None, id="noise"),
    ],
)
def test_the_rest_of_a_broken_transcript_is_read(
    person: Person, lines: list[bytes], filtered: dict[str, int] | None
) -> None:
    person.says(line(SAVE), *lines)
    report = told(person.run())
    assert person.kept() == [FACT]
    assert report["complaints"] == []
    if filtered is not None:
        assert report["filtered"] == filtered
    assert told(person.run())["sessions"] == 0


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"cwd": "/src/\0/x"}, id="cwd-NUL"),
        pytest.param({"cwd": "/src/\ud800/lark\udfff"}, id="cwd-surrogate"),
        pytest.param({"cwd": "/src/" + "a" * 1_000_000}, id="cwd-long"),
        pytest.param({"cwd": "/src" + "/a" * 200_000}, id="cwd-deep"),
        pytest.param({"cwd": "/src/a\nb\r\n---\nSilt-Op: x"}, id="cwd-lines"),
        pytest.param({"cwd": "/src/.git"}, id="cwd-dot-git"),
        pytest.param({"cwd": "/src/CON"}, id="cwd-reserved"),
        pytest.param({"cwd": "../../etc"}, id="cwd-relative"),
        pytest.param({"cwd": 5}, id="cwd-number"),
        pytest.param({"session": "../../x"}, id="session-path"),
        pytest.param({"session": "a\nSilt-Op: forget\0"}, id="session-lines"),
        pytest.param({"session": "x" * 300_000}, id="session-long"),
        pytest.param({"session": "\ud800"}, id="session-surrogate"),
        pytest.param({"timestamp": "9999-12-31T23:59:59-12:00"}, id="time-last"),
        pytest.param({"timestamp": "0001-01-01T00:00:00+14:00"}, id="time-first"),
        pytest.param({"timestamp": 10**30}, id="time-large"),
        pytest.param({"timestamp": -1}, id="time-negative"),
        pytest.param({"timestamp": []}, id="time-list"),
    ],
)
def test_what_a_transcript_says_of_itself_may_be_anything(person: Person, more: dict[str, object]) -> None:
    person.says(line(SAVE, **more))
    assert told(person.run())["outcome"]["promoted"] == 1
    assert person.kept() == [FACT]
    assert person.git("fsck", "--full", "--strict") == ""
    assert person.git("status", "--porcelain") == ""
    assert person.git("log", "-1", "--format=%(trailers:key=Silt-Op,valueonly)").split() == ["extract"]
    outside = [path.name for path in person.home.iterdir()]
    assert sorted(outside) == ["person", "said", "state", "store"]


def pipe(path: Path) -> None:
    os.mkfifo(path)


def loop(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.parametrize(
    ("make", "complains"),
    [
        pytest.param(pipe, True, id="pipe"),
        pytest.param(Path.mkdir, False, id="folder"),
        pytest.param(loop, False, id="loop-of-links"),
    ],
)
def test_a_transcript_that_cannot_be_read_stops_no_other(
    person: Person, make: Callable[[Path], None], complains: bool
) -> None:
    person.says(line(SAVE))
    make(person.home / "said" / "odd.jsonl")
    report = told(person.run())
    assert person.kept() == [FACT]
    assert ["odd.jsonl cannot be read" in sentence for sentence in report["complaints"]] == [True] * complains


def test_a_file_name_may_be_any_bytes(person: Person) -> None:
    folder = os.fsencode(person.home / "said")
    for name, said in ((b"\xff\xfe.jsonl", SAVE), (b"a\nb.jsonl", OTHER)):
        Path(os.fsdecode(folder + b"/" + name)).write_bytes(line(said))
    assert told(person.run())["outcome"]["promoted"] == 2
    assert told(person.run())["sessions"] == 0


SMALL = """
import resource, runpy
resource.setrlimit(resource.RLIMIT_AS, (500_000_000,) * 2)
runpy.run_module("siltstone", run_name="__main__")
"""


def test_a_line_of_200_megabytes_is_skipped_in_little_memory_and_said(person: Person) -> None:
    """In an address space that has no room for two of it beside Python and the libraries."""
    path = person.says(line(SAVE))
    with path.open("ab") as file:
        file.write(b'{"role":"user","content":"')
        for _ in range(200):
            file.write(b"x" * 1_000_000)
        file.write(b'"}\n' + line(OTHER))
    argv = [sys.executable, "-c", SMALL, "run", "--root", f"plain={path.parent}", "--idle", "0", "--json"]
    env = environment(person.home, MALLOC_ARENA_MAX="1")
    done = subprocess.run(argv, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(person.kept()) == 2
    assert "has a line of 200000029 bytes" in done.stdout
