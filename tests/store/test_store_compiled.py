"""Patterns that one process compiles and the next ones take as they are: they find the same."""

import importlib
import os
import pkgutil
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import siltstone
from siltstone.pipeline.words import Late
from siltstone.store import compiled
from siltstone.store.late import LatePattern

ROOT = Path(__file__).resolve().parents[2]
SOURCE = r"(?P<what>a|ß)+(?=b)|[\w一-龥]{2,}|\bx"
TEXT = "aab ßß 一二 x"


def patterns() -> Iterator[tuple[str, str]]:
    """Every pattern with a name in the code: its place and its source."""
    for module in pkgutil.walk_packages(siltstone.__path__, "siltstone."):
        if module.name.split(".")[1] not in ("agents", "pipeline", "recall", "store"):
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, LatePattern) and hasattr(value, "source"):
                yield (
                    f"{module.name}.{name}",
                    f"(?i){value.source}" if isinstance(value, Late) else value.source,
                )


@pytest.fixture(autouse=True)
def alone() -> Iterator[None]:
    """What a test keeps is nobody else's."""
    yield
    compiled.end()


def kept(folder: Path, source: str = SOURCE, flags: int = 0) -> "re.Pattern[str]":
    """A pattern, as a process that ends behind it makes it."""
    compiled.begin(str(folder))
    made = compiled.compiled(source, flags)
    compiled.end()
    return made


def test_every_pattern_is_the_same_when_it_was_kept(tmp_path: Path) -> None:
    for _ in range(2):  # the first time it is compiled, the second it is found
        compiled.begin(str(tmp_path))
        for place, source in patterns():
            assert compiled.compiled(source) == re.compile(source), place
        compiled.end()


@pytest.mark.parametrize("flags", [0, re.I, re.I | re.M], ids=str)
def test_what_was_kept_is_not_compiled_again(tmp_path: Path, flags: re.RegexFlag) -> None:
    file = tmp_path / compiled.FILE
    whole, made = re.compile(SOURCE, flags), [kept(tmp_path, flags=flags)]
    written = file.read_bytes()
    made.append(kept(tmp_path, flags=flags))
    assert file.read_bytes() == written
    assert made == [whole, whole]
    for one in made:
        assert [(found.lastgroup, found.groupdict()) for found in one.finditer(TEXT)] == [
            (found.lastgroup, found.groupdict()) for found in whole.finditer(TEXT)
        ]
    assert kept(tmp_path, flags=flags | re.S) == re.compile(SOURCE, flags | re.S)
    assert file.read_bytes() != written


def said_by(folder: Path, before: str = "") -> list[str]:
    """What a process of its own finds with a pattern that the folder keeps, or will; what it loaded of `re`
    for that; and what `re` itself finds when it is loaded after that."""
    code = (
        f"import sys\n{before}\nfrom siltstone.store import compiled\n"
        f"compiled.begin({str(folder)!r})\nprint(compiled.compiled({SOURCE!r}).findall({TEXT!r}))\n"
        "compiled.end()\nprint(*(name for name in ('re', 're._compiler', 'enum') if sys.modules.get(name)))\n"
        f"import re\nprint(re.compile({SOURCE!r}, re.I | re.A).findall({TEXT!r}))\n"
    )
    env = dict(os.environ) | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    words = [sys.executable, "-S", "-c", code]
    return subprocess.run(words, env=env, capture_output=True, text=True, check=True).stdout.splitlines()


def test_to_compile_loads_two_parts_of_re_and_what_is_kept_none(tmp_path: Path) -> None:
    found = [str(re.findall(SOURCE, TEXT)), str(re.findall(SOURCE, TEXT, re.I | re.A))]
    assert said_by(tmp_path) == [found[0], "re._compiler", found[1]]
    assert said_by(tmp_path) == [found[0], "", found[1]]


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("import re", id="re is loaded"),
        pytest.param("import os\nos.__file__ = '/nowhere/os.py'", id="elsewhere"),
        pytest.param("import os\ndel os.__file__", id="nowhere"),
    ],
)
def test_where_the_parts_of_re_are_not_to_be_had_re_compiles(tmp_path: Path, before: str) -> None:
    found, loaded, _ = said_by(tmp_path, before)
    assert found == str(re.findall(SOURCE, TEXT))
    assert "enum" in loaded


@pytest.mark.parametrize("ending", ["", compiled.NUMBERS])
@pytest.mark.parametrize("cut", [1, 20, 30])
def test_what_is_torn_is_compiled_and_kept_anew(tmp_path: Path, cut: int, ending: str) -> None:
    kept(tmp_path)
    file = tmp_path / (compiled.FILE + ending)
    file.write_bytes(file.read_bytes()[:-cut])
    assert kept(tmp_path) == re.compile(SOURCE)
    written = file.read_bytes()
    assert kept(tmp_path) == re.compile(SOURCE)
    assert file.read_bytes() == written


@pytest.mark.parametrize("at", [-1, -8, -200, 3])
def test_a_changed_number_is_not_believed(tmp_path: Path, at: int) -> None:
    """Some of them would end the process: what is not as it was written is compiled anew."""
    kept(tmp_path)
    file = tmp_path / (compiled.FILE + compiled.NUMBERS)
    data = bytearray(file.read_bytes())
    data[at] ^= 1
    file.write_bytes(data)
    assert kept(tmp_path) == re.compile(SOURCE)


@pytest.mark.parametrize(
    "line", ["", "x", "{key}", "{key}zzzzzzzz", "{key}00000000ffffffffffffffff", "{key}-1"]
)
def test_a_line_that_says_nothing_is_passed_over(tmp_path: Path, line: str) -> None:
    kept(tmp_path)
    file = tmp_path / compiled.FILE
    file.write_text("\n" + line.format(key=file.read_text()[1:9]))
    assert kept(tmp_path) == re.compile(SOURCE)
    assert kept(tmp_path) == re.compile(SOURCE)


def test_what_another_python_kept_is_left_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as another:
        another.setattr(sys, "version", "3.11.0 (another build)")
        kept(tmp_path)
    theirs = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert kept(tmp_path) == re.compile(SOURCE)
    for name, data in theirs.items():
        now = (tmp_path / name).read_bytes()
        assert now.startswith(data)
        assert len(now) > len(data)


def test_a_pattern_of_the_same_checksum_is_not_taken_for_it(tmp_path: Path) -> None:
    file = tmp_path / compiled.FILE
    kept(tmp_path, "one")
    kept(tmp_path, "other")
    _, one, other = file.read_text().split("\n")
    file.write_text("\n" + other[:8] + one[8:])
    assert kept(tmp_path, "other") == re.compile("other")


def test_it_begins_anew_before_it_grows_too_long(tmp_path: Path) -> None:
    file = tmp_path / (compiled.FILE + compiled.NUMBERS)
    for letter in "abcdefg":
        kept(tmp_path, letter * 50_000)
        assert file.stat().st_size < compiled.MOST
    assert ("g" * 50_000).encode() in file.read_bytes()
    assert ("a" * 50_000).encode() not in file.read_bytes()
    assert sorted(os.listdir(tmp_path)) == [compiled.FILE, file.name]


def test_it_begins_anew_before_the_lines_are_too_many(tmp_path: Path) -> None:
    """As a file of another form, or one that was written over."""
    kept(tmp_path)
    file = tmp_path / compiled.FILE
    file.write_text(file.read_text() + "\n" + "x" * 200_000)
    assert kept(tmp_path, "other") == re.compile("other")
    assert file.stat().st_size < 100


def test_only_its_owner_reads_it(tmp_path: Path) -> None:
    kept(tmp_path)
    assert [stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()] == [0o600, 0o600]


def test_a_folder_that_is_missing_is_not_made(tmp_path: Path) -> None:
    assert kept(tmp_path / "none") == re.compile(SOURCE)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("ending", ["", compiled.NUMBERS])
def test_a_file_that_cannot_be_written_is_left(tmp_path: Path, ending: str) -> None:
    (tmp_path / (compiled.FILE + ending)).mkdir()
    assert kept(tmp_path) == re.compile(SOURCE)
    assert kept(tmp_path) == re.compile(SOURCE)
    assert set(os.listdir(tmp_path)) <= {compiled.FILE, compiled.FILE + compiled.NUMBERS}


@pytest.mark.parametrize("ending", ["", compiled.NUMBERS])
def test_a_pipe_in_its_place_is_not_waited_for(tmp_path: Path, ending: str) -> None:
    kept(tmp_path)
    place = tmp_path / (compiled.FILE + ending)
    place.unlink()
    os.mkfifo(place)
    assert kept(tmp_path) == re.compile(SOURCE)


@pytest.mark.parametrize("ending", ["", compiled.NUMBERS])
def test_a_link_in_its_place_is_replaced(tmp_path: Path, ending: str) -> None:
    kept(tmp_path, "first")
    place, elsewhere = tmp_path / (compiled.FILE + ending), tmp_path / "elsewhere"
    place.rename(elsewhere)
    before = elsewhere.read_bytes()
    place.symlink_to(elsewhere)
    kept(tmp_path, "second")
    assert elsewhere.read_bytes() == before
    assert not place.is_symlink()


def test_one_file_without_the_other_is_no_fault(tmp_path: Path) -> None:
    for ending in ("", compiled.NUMBERS):
        kept(tmp_path)
        (tmp_path / (compiled.FILE + ending)).unlink()
        assert kept(tmp_path) == re.compile(SOURCE)
        written = (tmp_path / compiled.FILE).read_bytes()
        assert kept(tmp_path) == re.compile(SOURCE)
        assert (tmp_path / compiled.FILE).read_bytes() == written


def test_a_full_disk_tears_nothing_that_is_read(tmp_path: Path) -> None:
    """A write cut short, as by a limit on the size of files."""
    code = (
        "import resource, signal, sys\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)\n"
        "from siltstone.store import compiled\n"
        f"compiled.begin({str(tmp_path)!r})\nprint(compiled.compiled({SOURCE!r}).findall({TEXT!r}))\n"
        "compiled.end()\n"
    )
    env = dict(os.environ) | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    for limit in ("0", "10", "200", "600"):
        done = subprocess.run(
            [sys.executable, "-S", "-c", code, limit], env=env, capture_output=True, text=True, check=True
        )
        assert done.stdout == f"{re.findall(SOURCE, TEXT)}\n"
    assert kept(tmp_path) == re.compile(SOURCE)


def test_what_stands_beside_it_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / f"{compiled.FILE}.{os.getpid()}").mkdir()
    assert kept(tmp_path) == re.compile(SOURCE)
