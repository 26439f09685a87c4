"""No room: on the disk, on standard output, in the character set of a terminal."""

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


def silt(
    person: Person, *argv: str, stdout: int | None = subprocess.PIPE, **more: str
) -> tuple[int, str, str]:
    """Status, output and errors of a process of its own."""
    done = subprocess.run(
        [sys.executable, *argv],
        env=environment(person.home, **more),
        cwd=ROOT,
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
    )
    out = (done.stdout or b"").decode(more.get("PYTHONIOENCODING", "utf-8"))
    return done.returncode, out, done.stderr.decode()


@pytest.mark.parametrize("size", [900, 40_000, 70_000])
def test_a_disk_that_fills_up_is_one_sentence_and_the_next_run_goes_on(person: Person, size: int) -> None:
    """No file may grow beyond `size` bytes, git's own included."""
    person.says(line(SAVE))
    run = ["run", "--root", f"plain={person.home / 'said'}", "--idle", "0"]
    status, _, err = silt(person, "-c", CRAMPED, str(size), *run)
    assert status == 1
    assert "Traceback" not in err
    assert [text.startswith("silt: ") for text in err.splitlines()] == [True]
    told(person.run())
    assert person.kept() == ["all copy in this shop is British English"]
    assert person.git("fsck", "--full", "--strict") == ""
    assert person.git("status", "--porcelain") == ""
    assert not list(person.store.rglob("*.tmp"))


@pytest.mark.parametrize("words", [("list",), ("list", "--json"), ("--help",)], ids=" ".join)
def test_a_full_standard_output_is_one_sentence(person: Person, words: tuple[str, ...]) -> None:
    person.learnt()
    with (person.home / "output").open("wb") as full:
        status, _, err = silt(person, "-c", CRAMPED, "0", *words, stdout=full.fileno())
    assert status == 1
    assert err.startswith("silt: standard output cannot be used (File too large)")
    assert err.count("\n") == 1


def test_a_terminal_that_knows_few_characters_gets_escapes(person: Person) -> None:
    person.says(line("please remember: prices are told as £ 40 – 日本"))
    told(person.run())
    status, out, err = silt(person, "-m", "siltstone", "list", PYTHONIOENCODING="ascii")
    assert (status, err) == (0, "")
    assert "\\u2014 prices are told as \\xa3 40 \\u2013 \\u65e5\\u672c" in out
