"""Our bytecode in one file: what is loaded from it is what the sources say, or it is not loaded from it."""

import json
import os
import shutil
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WHERE = (
    "from siltstone.cli import bytecode\nbytecode.use()\nfrom siltstone.recall import escape\n"
    "print(type(escape.__spec__.loader).__module__, escape.__file__, escape.line.__code__.co_filename, "
    "escape.line('so', 9), sep='\\n')"
)
ONE_FILE, ITS_OWN = "siltstone.cli.bytecode", "_frozen_importlib_external"


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package without its tests, and its bytecode in one file."""
    folder = tmp_path_factory.mktemp("bytecode")
    shutil.copytree(ROOT / "siltstone", folder / "siltstone", ignore=shutil.ignore_patterns("__pycache__"))
    python(folder, "-c", "from siltstone.cli import bytecode\nbytecode.make()")
    return folder


@pytest.fixture
def package(original: Path, tmp_path: Path) -> Path:
    """A copy of it, with the times of its files."""
    return Path(shutil.copytree(original, tmp_path / "package"))


def python(folder: Path, *words: str, given: str = "", **told: str) -> str:
    """What an interpreter says that loads the package of a folder."""
    env = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    env |= {"PYTHONPATH": str(folder)} | told
    done = subprocess.run(
        [sys.executable, *words], env=env, input=given, capture_output=True, text=True, cwd=folder, check=True
    )
    assert done.stderr == ""
    return done.stdout


def file_of(package: Path) -> Path:
    return package / "siltstone" / "__pycache__" / f"modules.{sys.implementation.cache_tag}"


def loaded_by(package: Path, **told: str) -> str:
    """The module of what loaded a module of ours, which was the right one."""
    loader, file, code_of, said = python(package, "-c", WHERE, **told).splitlines()
    assert file == code_of == str(package / "siltstone" / "recall" / "escape.py")
    assert said == "so"
    return loader


def later(source: Path) -> None:
    """Change the time of a file, where a file system keeps seconds, too."""
    os.utime(source, ns=(0, source.stat().st_mtime_ns + 2 * 10**9))


def test_modules_come_out_of_the_one_file(package: Path) -> None:
    assert loaded_by(package) == ONE_FILE
    file_of(package).unlink()
    assert loaded_by(package) == ITS_OWN


def test_a_changed_source_is_loaded_as_ever(package: Path) -> None:
    source = package / "siltstone" / "recall" / "escape.py"
    before = source.stat()
    source.write_text(source.read_text() + "\ndef line(*_): return 'changed'\n")
    os.utime(source, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert python(package, "-c", WHERE).splitlines()[::3] == [ITS_OWN, "changed"]


def test_a_source_of_another_time_is_loaded_as_ever(package: Path) -> None:
    source = package / "siltstone" / "recall" / "escape.py"
    later(source)
    assert loaded_by(package) == ITS_OWN


def test_packages_come_out_of_it_and_what_stands_beside_them_is_found(package: Path) -> None:
    code = (
        "from siltstone.cli import bytecode\nbytecode.use()\nfrom siltstone import prompts\n"
        "from siltstone.prompts import FOLDER\nprint(type(prompts.__spec__.loader).__module__, "
        "*prompts.__path__, (FOLDER / 'extract.j2').is_file(), sep='\\n')"
    )
    folder = str(package / "siltstone" / "prompts")
    assert python(package, "-c", code).splitlines() == [ONE_FILE, folder, "True"]
    later(package / "siltstone" / "prompts" / "__init__.py")
    assert python(package, "-c", code).splitlines() == [ITS_OWN, folder, "True"]


FOUND = """
import importlib.util, os, sys
from siltstone.cli import bytecode
names = ("_json", "_sqlite3", "math", "select")
whole = {name: importlib.util.find_spec(name).origin for name in names}
bytecode.use()
ours = {name: spec and spec.origin for name in names for spec in [sys.meta_path[0].find_spec(name)]}
print({name: path for name, path in whole.items() if os.path.exists(path)})
print({name: path for name, path in ours.items() if path})
import math, select
print(math.log2(8), select.select)
"""


def test_pythons_own_modules_are_found_without_a_search(package: Path) -> None:
    whole, ours, _ = python(package, "-c", FOUND).splitlines()
    assert ours == whole


def test_no_module_of_somebodys_folder_is_taken_for_one_of_pythons(package: Path, tmp_path: Path) -> None:
    before = python(package, "-c", FOUND)
    (tmp_path / "select.py").write_text("")
    (tmp_path / f"math{EXTENSION_SUFFIXES[0]}").write_bytes(b"")
    file_of(package).unlink()
    told = {"PYTHONPATH": os.pathsep.join(map(str, (tmp_path, package)))}
    python(package, "-c", "from siltstone.cli import bytecode\nbytecode.make()", **told)
    assert python(package, "-c", FOUND).splitlines()[:2] == before.splitlines()[:2]


@pytest.mark.parametrize("left", [0, 5, 8, 300, 50_000, 200_000])
@pytest.mark.parametrize("zeros", [False, True])
def test_a_torn_file_is_passed_over(package: Path, left: int, zeros: bool) -> None:
    """As after a crash: cut short, or with nothing but zeros behind."""
    file = file_of(package)
    data = file.read_bytes()
    file.write_bytes(data[:left] + bytes(len(data) - left if zeros else 0))
    assert loaded_by(package) in (ONE_FILE, ITS_OWN)


@pytest.mark.parametrize("data", [b"\xff" * 4_000, b"a text of somebody's\n" * 1_000], ids=["ones", "text"])
def test_a_file_of_something_else_is_passed_over(package: Path, data: bytes) -> None:
    file_of(package).write_bytes(data)
    assert loaded_by(package) == ITS_OWN


def test_a_pipe_in_its_place_is_not_waited_for(package: Path) -> None:
    file_of(package).unlink()
    os.mkfifo(file_of(package))
    assert loaded_by(package) == ITS_OWN


def test_a_module_that_cannot_be_compiled_hinders_no_other(package: Path) -> None:
    recall = package / "siltstone" / "recall"
    (recall / "broken.py").write_text("def\n")
    (recall / "nowhere.py").symlink_to("gone.py")
    file_of(package).unlink()
    python(package, "-c", "from siltstone.cli import bytecode\nbytecode.make()")
    assert loaded_by(package) == ONE_FILE


def test_what_another_python_made_is_left_and_made_anew(package: Path) -> None:
    file = file_of(package)
    told = sys.version.encode()
    data = file.read_bytes()
    assert told in data
    file.write_bytes(data.replace(told, told[:-1] + b"?", 1))
    assert loaded_by(package) == ITS_OWN
    python(package, "-c", "from siltstone.cli import bytecode\nbytecode.make()")
    assert loaded_by(package) == ONE_FILE
    assert not list(file.parent.glob("modules.*.*"))


@pytest.mark.parametrize("told", [{"PYTHONDONTWRITEBYTECODE": "1"}, {"PYTHONOPTIMIZE": "1"}], ids=str)
def test_where_python_keeps_no_such_bytecode_there_is_none(package: Path, told: dict[str, str]) -> None:
    file_of(package).unlink()
    python(package, "-c", "from siltstone.cli import bytecode\nbytecode.make()", **told)
    assert not file_of(package).exists()
    assert loaded_by(package, **told) == ITS_OWN


def test_a_place_that_cannot_be_written_is_no_fault(package: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    told = {"PYTHONPYCACHEPREFIX": str(tmp_path / "file")}
    python(package, "-c", "from siltstone.cli import bytecode\nbytecode.make()", **told)
    assert loaded_by(package, **told) == ITS_OWN


@pytest.fixture
def told(tmp_path: Path) -> dict[str, str]:
    """The environment of somebody who has Claude Code."""
    home = tmp_path / "home"
    (home / ".claude").mkdir(parents=True)
    places = {"SILT_HOME": "store", "SILT_STATE": "state", "SILT_CONFIG": "silt.toml"}
    return {"HOME": str(home)} | {name: str(home / place) for name, place in places.items()}


def test_installing_makes_it_and_uninstalling_takes_it_away(package: Path, told: dict[str, str]) -> None:
    file_of(package).unlink()
    state = Path(told["SILT_STATE"])
    python(package, "-m", "siltstone", "install", "claude", **told)
    assert loaded_by(package) == ONE_FILE
    assert list(state.glob("patterns.*"))
    payload = {"hook_event_name": "SessionStart", "session_id": "s1", "source": "startup"}
    given = json.dumps(payload | {"cwd": told["HOME"]})
    python(package, "-m", "siltstone", "hook", "claude", given=given, **told)
    python(package, "-m", "siltstone", "uninstall", "claude", **told)
    assert not file_of(package).exists()
    assert not list(state.glob("patterns.*"))


def test_where_nobody_installed_it_the_first_hook_has_it_made(package: Path, told: dict[str, str]) -> None:
    file_of(package).unlink()
    message = {
        "event": "message",
        "role": "user",
        "text": "Remember: use pnpm.",
        "agent": "x",
        "session": "s",
    }
    python(package, "-m", "siltstone", "event", given=json.dumps(message), **told)
    assert list(Path(told["SILT_STATE"]).glob("patterns.*"))  # some, of what was said
    start = {"hook_event_name": "SessionStart", "session_id": "s1", "source": "startup", "cwd": told["HOME"]}
    python(package, "-m", "siltstone", "hook", "claude", given=json.dumps(start), **told)
    for _ in range(10_000_000):
        if file_of(package).exists():
            break
        os.sched_yield()
    assert loaded_by(package) == ONE_FILE


def test_every_request_that_is_made_ready_is_ready(package: Path, told: dict[str, str]) -> None:
    python(package, "-m", "siltstone", "install", "claude", **told)
    hear = (
        "import sys\nfrom siltstone.cli import hook_ready\nfrom siltstone.store import compiled\n"
        "kept = []\nclose = compiled.Kept.close\n"
        "compiled.Kept.close = lambda self: kept.append(self._new) or close(self)\n"
        "hook_ready.hear(sys.argv[1])\nprint(kept)"
    )
    assert python(package, "-c", hear, told["SILT_STATE"], **told) == "[[]]\n"


def test_a_run_renews_it_after_an_update(package: Path, told: dict[str, str]) -> None:
    run = ("-m", "siltstone", "run")
    python(package, *run, **told)
    later(package / "siltstone" / "recall" / "escape.py")
    python(package, *run, **told)  # nothing was installed, and no hook was called
    assert loaded_by(package) == ITS_OWN
    python(package, "-m", "siltstone", "install", "claude", **told)
    assert loaded_by(package) == ONE_FILE
    later(package / "siltstone" / "recall" / "escape.py")
    assert loaded_by(package) == ITS_OWN
    python(package, *run, **told)
    assert loaded_by(package) == ONE_FILE
