"""`silt event` and `silt prune` as an agent's hooks call them."""

import json
import os
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from support.commands import call
from support.events import happens as taken

from siltstone.recall.session.event import Event
from siltstone.recall.session.render import hot
from siltstone.recall.session.state import VERSION, SessionState, load
from siltstone.store.state import State, Watermark

ROOT = Path(__file__).resolve().parents[2]
NOW = 1_795_165_198.0
MAIN = "import sys; sys.argv = ['silt', *{words!r}]; from siltstone.__main__ import main; main()"


def python(code: str, given: str | bytes = "", *options: str) -> subprocess.CompletedProcess[bytes]:
    env = dict(os.environ) | {"PYTHONPATH": str(ROOT)}
    raw = given if isinstance(given, bytes) else given.encode("utf-8", "surrogatepass")
    words = [sys.executable, *options, "-c", code]
    return subprocess.run(words, env=env, input=raw, capture_output=True, check=False)


def silt(*words: str, given: str | bytes = "") -> subprocess.CompletedProcess[bytes]:
    """A hot command in a process of its own, with something on standard input."""
    return python(MAIN.format(words=list(words)), given)


def an_event(kind: str, **told: object) -> str:
    return json.dumps({"event": kind, "agent": "claude", "session": "s1", **told})


def kept(home: Path) -> SessionState | None:
    db = State.open(str(home / "state"))
    body = db.sessions.get("claude", "s1")
    db.close()
    return None if body is None else load(body)


def test_events_move_the_state_on_and_its_end_removes_it(home: Path) -> None:
    edit = an_event("tool", name="Edit", input={"file_path": "/p/src/cart.ts"}, cwd="/p")
    failing = an_event("tool", name="Bash", command="npm test", exit=1, output="Error: no cart")
    for event in (edit, failing):
        done = silt("event", given=event)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    state = kept(home)
    assert state is not None
    assert "- src/cart.ts (edit, 1x)\nopen_errors:\n- [test] Error: no cart" in hot(state)
    assert silt("event", given=an_event("end")).returncode == 0
    assert kept(home) is None


def test_the_state_is_its_owners_alone(home: Path) -> None:
    silt("event", given=an_event("idle"))
    assert stat.S_IMODE((home / "state").stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in (home / "state").glob("state.sqlite3")} == {0o600}


def test_the_agent_is_told_when_its_context_is_critical(home: Path) -> None:
    done = [silt("event", given=an_event("idle", tokens=96_000, limit=100_000)) for _ in range(2)]
    head = "[Memory Pressure: 96% (critical) - 96,000/100,000 tokens]"
    assert done[0].stdout.decode().splitlines()[0] == head
    assert done[1].stdout == b""


@pytest.mark.parametrize(
    "given",
    ["", "{", "[]", '{"event": "x"}', an_event("party"), b"\xff\xfe", "[" * 100_000, "\x00"],
    ids=["nothing", "torn", "list", "unknown", "party", "bytes", "deep", "nul"],
)
def test_what_is_no_event_is_one_sentence_and_breaks_nothing(home: Path, given: str | bytes) -> None:
    done = silt("event", given=given)
    assert (done.returncode, done.stdout) == (0, b"")
    assert done.stderr.startswith(b"silt: the event is ignored: ")
    assert done.stderr.count(b"\n") == 1


def test_a_megabyte_of_output_is_taken(home: Path) -> None:
    output = "Error: x\n" * 200_000
    done = silt("event", given=an_event("tool", name="Bash", command="make", exit=2, output=output))
    assert (done.returncode, done.stderr) == (0, b"")
    state = kept(home)
    assert state is not None
    assert [error.summary for error in state.errors] == ["Error: x"]


def test_a_damaged_database_is_set_aside(home: Path) -> None:
    (home / "state").mkdir()
    (home / "state" / "state.sqlite3").write_bytes(b"rubbish" * 900)
    done = silt("event", given=an_event("idle"))
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (0, b"", 1)
    assert b"was damaged and is now state.sqlite3.corrupt-1;" in done.stderr
    state = kept(home)
    assert state is not None
    assert state.events == 1
    assert "\nset aside  state.sqlite3.corrupt-1: " in call("status").out
    assert call("status", "--json").json["set_aside"] == ["state.sqlite3.corrupt-1"]


@pytest.mark.parametrize(
    "words",
    [
        ("status",),
        ("remember", "Deploys go out on Tuesdays only"),
        ("session",),
        ("run",),
        ("inject", "--agent", "claude", "--session", "s1"),
        ("inject",),
    ],
    ids=" ".join,
)
@pytest.mark.usefixtures("kept")
def test_a_damaged_database_is_said_once_by_whoever_meets_it(home: Path, words: tuple[str, ...]) -> None:
    state = home / "state" / "state.sqlite3"
    for beside in ("-wal", "-shm"):
        state.with_name(state.name + beside).unlink(missing_ok=True)
    state.write_bytes(b"rubbish" * 900)
    said = call(*words)
    assert (said.code, said.err.count("was damaged and is now state.sqlite3.corrupt-1")) == (0, 1)


def test_a_state_of_a_newer_version_is_left_alone(home: Path) -> None:
    newer = json.dumps({"version": VERSION + 1, "files": []})
    db = State.open(str(home / "state"))
    db.sessions.put("claude", "s1", NOW, newer)
    done = silt("event", given=an_event("idle"))
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"this siltstone knows" in done.stderr
    assert db.sessions.get("claude", "s1") == newer
    db.close()


def test_events_of_two_processes_at_once_are_all_counted(home: Path) -> None:
    silt("event", given=an_event("idle"))
    env = dict(os.environ) | {"PYTHONPATH": str(ROOT)}
    loop = (
        "import os\nfrom siltstone.cli.hooks.event import take\n"
        "from siltstone.recall.session.event import parse\n"
        "from siltstone.cli.hooks.common import LazyState; state = LazyState(os.environ['SILT_STATE']);"
        f"[take(parse({an_event('idle')!r}, {NOW}), state, {NOW}) for _ in range(20)]"
    )
    running = [subprocess.Popen([sys.executable, "-c", loop], env=env) for _ in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    state = kept(home)
    assert state is not None
    assert state.events == 41


def test_what_silt_run_has_read_is_pending_no_more(tmp_path: Path) -> None:
    folder = str(tmp_path)
    asked = Event("message", "claude", "s1", NOW, role="user", text="Remember this: deploys are on Tuesdays")
    taken(asked, folder, NOW)
    taken(Event("idle", "claude", "s1", NOW + 1), folder, NOW)
    db = State.open(folder)
    assert len(load(db.sessions.get("claude", "s1")).pending) == 1
    read = datetime(2026, 11, 20, 23, 59, 59, tzinfo=UTC)
    db.sources.put(Watermark("claude", "k", "s1", "0", "0", "m1", read))
    taken(Event("idle", "claude", "s1", NOW + 2), folder, NOW)
    assert load(db.sessions.get("claude", "s1")).pending == ()
    db.close()


def test_prune_cuts_from_standard_input_to_standard_output() -> None:
    listing = "\n".join(f"src/part_{n}/a.py" for n in range(90))
    words = ("prune", "--tool", "ls", "--level", "critical")
    done = silt(*words, given=listing)
    assert done.returncode == 0
    assert done.stdout.decode().split("\n")[10] == "[silt: 70 lines of this listing cut, pressure critical]"
    assert silt(*words, "--synthetic", given=listing).stdout.decode() == listing
    assert silt("prune", given="x\n日本\n").stdout.decode() == "x\n日本\n"


def test_prune_says_which_levels_there_are() -> None:
    done = silt("prune", "--level", "hyper", given="x")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"there are safe, moderate, high, critical" in done.stderr


def test_inject_shows_the_session_with_its_memories(home: Path) -> None:
    assert call("remember", "Deploys go out on Tuesdays only", "--type", "project").code == 0
    silt("event", given=an_event("tool", name="Edit", input={"file_path": "src/cart.ts"}))
    shown = silt("inject", "--agent", "claude", "--session", "s1").stdout.decode()
    assert "Tuesdays" in shown
    assert "\nactive_files:\n- src/cart.ts (edit, 1x)\n" in shown
    assert "active_files" not in silt("inject", "--agent", "claude", "--session", "s2").stdout.decode()
    assert "active_files" not in silt("inject").stdout.decode()


def test_a_session_that_cannot_be_read_leaves_the_memories(home: Path) -> None:
    assert call("remember", "Deploys go out on Tuesdays only", "--type", "project").code == 0
    db = State.open(str(home / "state"))
    db.sessions.put("claude", "s1", NOW, json.dumps({"version": VERSION + 1}))
    db.close()
    done = silt("inject", "--agent", "claude", "--session", "s1")
    assert b"Tuesdays" in done.stdout
    assert b"the state of session s1 is not shown" in done.stderr
