"""What hooks need to be quick where nobody ran `silt install`: the first one has it made behind its agent."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from support.commands import call

from siltstone.cli.hook_behind import held
from siltstone.store.compiled import FILE

ROOT = Path(__file__).resolve().parents[2]
START = {"hook_event_name": "SessionStart", "source": "startup"}
REQUEST = {"hook_event_name": "UserPromptSubmit", "prompt": "Please remember that we use pnpm, not npm."}
PROMPTS = (
    REQUEST["prompt"],
    "Mend the importer's test.\n\nAnd remember: never edit the generated folder.\n",
    'Why?\n\n```python\ndef load(user, password=None):\n    """Never "write" this."""\n```\n\nIt fails.',
    'It fails:\n\n  File "/srv/app.py", line 7, in load\n    token = session.get(key)\nKeyError: "user"\n'
    * 9,
)
COMPILER = "re._compiler"
CODE = f"""
import os, sys
end = os._exit
def tell(status):
    print("compiled" if {COMPILER!r} in sys.modules else "found")
    sys.stdout.flush()
    end(status)
os._exit = tell
sys.argv = ["silt", "hook", "claude"]
from siltstone.__main__ import main
main()
"""


@pytest.fixture
def state(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("SILT_EXTRACT_ENABLED", "0")  # nothing is kept, and no batch begins
    return home / "state"


def hook(told: dict[str, str]) -> str:
    """Whether a hook found its patterns, or compiled them; in an interpreter that begins with nothing."""
    given = json.dumps({"session_id": "s1", "cwd": str(Path.cwd())} | told)
    words = [sys.executable, "-S", "-c", CODE]
    done = subprocess.run(words, input=given, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.split()[-1]


def making(state: Path) -> bool:
    """Whether a process makes ready what is needed in this folder."""
    return any("siltstone.cli.hook_ready" in line and str(state) in line for line in processes())


def processes() -> list[str]:
    """The words of all that run."""
    if not Path("/proc/self/cmdline").exists():
        words = ["ps", "-A", "-ww", "-o", "args="]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    found = []
    for words_of in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it ended
            found.append(os.fsdecode(words_of.read_bytes().replace(b"\0", b" ")))
    return found


def test_the_first_hook_makes_ready_what_the_first_request_needs(state: Path) -> None:
    hook(START)
    for _ in range(1_000_000):
        if (state / FILE).exists() and not making(state):
            break
        os.sched_yield()
    for number, prompt in enumerate(PROMPTS):
        assert hook({**REQUEST, "prompt": prompt, "session_id": f"p{number}"}) == "found"
    (state / FILE).unlink()  # as where it can never be kept
    hook(START | {"session_id": "s2"})
    assert not making(state)


def test_where_it_is_installed_no_process_is_begun(person: Path, state: Path) -> None:
    call("install", "claude")
    hook(START)
    assert not making(state)


def test_none_is_begun_while_somebody_has_the_lock(state: Path) -> None:
    state.mkdir(mode=0o700)
    handle = held(str(state))
    assert handle is not None
    hook(START)
    assert not making(state)
    os.close(handle)


def test_a_request_before_anything_is_ready_compiles_what_it_needs(state: Path) -> None:
    state.mkdir(mode=0o700)
    handle = held(str(state))
    assert handle is not None
    assert [hook(REQUEST), hook(REQUEST | {"session_id": "s2"})] == ["compiled", "found"]
    os.close(handle)


def test_a_session_that_outlives_its_installation_brings_nothing_back(person: Path, state: Path) -> None:
    call("install", "claude")
    call("uninstall", "claude")
    hook(START)
    assert not making(state)
    assert not (state / FILE).exists()
