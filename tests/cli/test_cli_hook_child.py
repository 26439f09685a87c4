"""Processes that hooks begin: where they stand, what they are told, and what is waited for."""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from siltstone.cli.hooks.background import ask, start

TELLS = """
    import json, os, signal, sys
    print(json.dumps({
        "told": sys.stdin.buffer.read().decode(), "words": sys.argv[1:-1], "cwd": os.getcwd(),
        "own": os.environ["SILT_OWN"], "store": os.environ["SILT_HOME"], "leads": os.getsid(0) == os.getpid(),
        "open": len(os.listdir("/dev/fd")), "here": os.getcwd() in sys.path,
    }))
"""
FAILS = "print('done'); raise SystemExit(3)"


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for children, while we stand in another."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "state").mkdir()
    return tmp_path / "state"


def module(code: str, **more: str) -> dict[str, str]:
    """An environment with a module `told` in it."""
    folder = Path.cwd() / "lib"
    folder.mkdir()
    (folder / "told.py").write_text(textwrap.dedent(code))
    return {**os.environ, "PYTHONPATH": str(folder), **more}


def test_what_a_child_is_begun_with(state: Path) -> None:
    here = Path.cwd()
    read, write = os.pipe()
    os.set_inheritable(write, True)  # as an agent may leave one open
    said = ask(["told", "a", "b c"], str(state), module(TELLS, SILT_HOME="store"), "wört".encode(), 60)
    os.close(write)
    os.close(read)
    assert json.loads(said or b"") == {
        "told": "wört",
        "words": ["a", "b c"],
        "cwd": str(state),
        "own": "1",
        "store": str(here / "store"),
        "leads": True,
        "open": 5,  # its three streams, the lock of those that save, and the list itself
        "here": False,
    }
    assert (Path.cwd(), [one.name for one in state.iterdir()]) == (here, ["typed.lock"])


def test_what_failed_said_nothing(state: Path) -> None:
    assert ask(["told"], str(state), module(FAILS), b"", 60) is None


def test_a_child_that_takes_longer_is_not_waited_for(state: Path) -> None:
    os.mkfifo(state / "go")
    os.mkfifo(state / "over")
    waits = "open('go').read(); open('over', 'w').write('over')"
    code = f"""
        from siltstone.cli.hooks.background import ask
        assert ask(["told"], {str(state)!r}, {module(waits)!r}, b"", 0) is None
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)
    (state / "go").write_text("")  # it lives, though nobody waits for it
    assert (state / "over").read_text() == "over"


def test_a_process_that_nobody_asks_anything_goes_on(state: Path) -> None:
    told = state / "told"
    os.mkfifo(told)
    writes = "import sys; open('told', 'w').write(repr(sys.stdin.read()))"
    with start(["told", "x"], str(state), module(writes)):
        assert told.read_text() == "''"


def test_a_folder_that_is_gone_is_an_error_and_we_stay_where_we_are(state: Path) -> None:
    here = Path.cwd()
    with pytest.raises(OSError, match="gone"):
        start(["told"], str(state / "gone"), dict(os.environ))
    assert Path.cwd() == here
