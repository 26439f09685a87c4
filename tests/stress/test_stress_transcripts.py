"""Transcripts that nobody would write: what can be read is, what cannot is said, and no run ends for it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from person import OTHER, SAVE, Person, line, told
from process import ROOT, environment
from support.bench import DATA

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


ODD: dict[str, list[object]] = {
    "cwd": [
        *("/src/\0/x", "/src/\ud800/lark\udfff", "/src/a\nb\r\n---\nSilt-Op: x", 5),
        *("/src/" + "a" * 1_000_000, "/src" + "/a" * 200_000, "/src/.git", "/src/CON", "../../etc"),
    ],
    "session": ["../../x", "a\nSilt-Op: forget\0", "x" * 300_000, "\ud800"],
    "timestamp": ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00", 10**30, -1, []],
}
FACTS = (DATA / "planted" / "asked.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize("key", ODD)
def test_what_transcripts_say_of_themselves_may_be_anything(person: Person, key: str) -> None:
    facts = FACTS[: len(ODD[key])]
    for n, (fact, odd) in enumerate(zip(facts, ODD[key], strict=True)):
        person.says(line(f"please remember: {fact}", **{key: odd}), name=f"{n}.jsonl")
    assert told(person.run())["outcome"]["promoted"] == len(facts)
    assert person.kept() == sorted(facts)
    assert person.git("fsck", "--full", "--strict") == ""
    assert person.git("status", "--porcelain") == ""
    assert set(person.git("log", "--format=%(trailers:key=Silt-Op,valueonly)").split()) == {"init", "extract"}
    assert sorted(path.name for path in person.home.iterdir()) == ["person", "said", "state", "store"]


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
    report = json.loads(done.stdout)
    assert report["filtered"] == {"line-too-long": 1}
    assert "has a line of 200000029 bytes" in report["complaints"][0]
