"""`silt event` and `silt prune` as an agent's hooks call them."""

import json
import os
import stat
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hook_calls import state_of
from support.commands import Said, call
from support.events import happens as taken

from siltstone.recall.session.event import Event
from siltstone.recall.session.render import hot
from siltstone.recall.session.state import VERSION, load
from siltstone.store.state import State, Watermark

NOW = 1_795_165_198.0


def an_event(kind: str, **told: object) -> str:
    return json.dumps({"event": kind, "agent": "claude", "session": "s1", **told})


def happens(kind: str, **told: object) -> Said:
    return call("event", given=an_event(kind, **told))


def test_events_move_the_state_on_and_its_end_removes_it(home: Path) -> None:
    edit = happens("tool", name="Edit", input={"file_path": "/p/src/cart.ts"}, cwd="/p")
    failing = happens("tool", name="Bash", command="npm test", exit=1, output="Error: no cart")
    assert edit == failing == Said(0, "", "")
    assert "- src/cart.ts (edit, 1x)\nopen_errors:\n- [test] Error: no cart" in hot(state_of(home))
    assert stat.S_IMODE((home / "state").stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in (home / "state").glob("state.sqlite3")} == {0o600}
    assert happens("end").code == 0
    with State.open(str(home / "state")) as db:
        assert db.sessions.get("claude", "s1") is None


def test_the_agent_is_told_when_its_context_is_critical(home: Path) -> None:
    first, second = (happens("idle", tokens=96_000, limit=100_000) for _ in range(2))
    assert first.out.splitlines()[0] == "[Memory Pressure: 96% (critical) - 96,000/100,000 tokens]"
    assert second.out == ""


@pytest.mark.parametrize(
    "given",
    ["", "{", "[]", '{"event": "x"}', an_event("party"), b"\xff\xfe", "[" * 100_000, "\x00"],
    ids=["nothing", "torn", "list", "unknown", "party", "bytes", "deep", "nul"],
)
def test_what_is_no_event_is_one_sentence_and_breaks_nothing(home: Path, given: str | bytes) -> None:
    said = call("event", given=given)
    assert (said.code, said.out, said.err.count("\n")) == (0, "", 1)
    assert said.err.startswith("silt: the event is ignored: ")


def test_a_megabyte_of_output_is_taken(home: Path) -> None:
    said = happens("tool", name="Bash", command="make", exit=2, output="Error: x\n" * 200_000)
    assert (said.code, said.err) == (0, "")
    assert [error.summary for error in state_of(home).errors] == ["Error: x"]


def test_a_damaged_database_is_set_aside(home: Path) -> None:
    (home / "state").mkdir()
    (home / "state" / "state.sqlite3").write_bytes(b"rubbish" * 900)
    said = happens("idle")
    assert (said.code, said.out, said.err.count("\n")) == (0, "", 1)
    assert "was damaged and is now state.sqlite3.corrupt-1;" in said.err
    assert state_of(home).events == 1
    assert "\nset aside  state.sqlite3.corrupt-1: " in call("status").out
    assert call("status", "--json").json["set_aside"] == ["state.sqlite3.corrupt-1"]


@pytest.mark.parametrize(
    "words",
    ["status", "remember Tea", "session", "run", "inject --agent claude --session s1", "inject"],
)
def test_a_damaged_database_is_said_once_by_whoever_meets_it(home: Path, kept: Said, words: str) -> None:
    state = home / "state" / "state.sqlite3"
    for beside in ("-wal", "-shm"):
        state.with_name(state.name + beside).unlink(missing_ok=True)
    state.write_bytes(b"rubbish" * 900)
    said = call(*words.split())
    assert (said.code, said.err.count("was damaged and is now state.sqlite3.corrupt-1")) == (0, 1)


def test_a_state_of_a_newer_version_is_left_alone_and_leaves_the_memories(home: Path, kept: Said) -> None:
    newer = json.dumps({"version": VERSION + 1, "files": []})
    with State.open(str(home / "state")) as db:
        db.sessions.put("claude", "s1", NOW, newer)
        said = happens("idle")
        assert (said.code, said.out, "this siltstone knows" in said.err) == (0, "", True)
        assert db.sessions.get("claude", "s1") == newer
    shown = call("inject", "--agent", "claude", "--session", "s1")
    assert "Tuesdays" in shown.out
    assert "the state of session s1 was not shown" in shown.err


def test_events_of_two_processes_at_once_are_all_counted(home: Path) -> None:
    happens("idle")
    loop = (
        "import os\nfrom siltstone.cli.hooks.session_state import take\n"
        "from siltstone.recall.session.event import parse\n"
        "from siltstone.recall.settings import RecallSettings\n"
        "from siltstone.cli.hooks.common import LazyState; state = LazyState(os.environ['SILT_STATE']);"
        f"[take(parse({an_event('idle')!r}, {NOW}), state, {NOW}, RecallSettings()) for _ in range(20)]"
    )
    running = [subprocess.Popen([sys.executable, "-c", loop], env=os.environ) for _ in range(2)]
    assert [process.wait() for process in running] == [0, 0]
    assert state_of(home).events == 41


def test_what_silt_run_has_read_is_pending_no_more(tmp_path: Path) -> None:
    folder = str(tmp_path)
    asked = Event("message", "claude", "s1", NOW, role="user", text="Remember this: deploys are on Tuesdays")
    taken(asked, folder, NOW)
    taken(Event("idle", "claude", "s1", NOW + 1), folder, NOW)
    with State.open(folder) as db:
        assert len(load(db.sessions.get("claude", "s1")).pending) == 1
        read = datetime(2026, 11, 20, 23, 59, 59, tzinfo=UTC)
        db.sources.put(Watermark("claude", "k", "s1", "0", "0", "m1", read))
        taken(Event("idle", "claude", "s1", NOW + 2), folder, NOW)
        assert load(db.sessions.get("claude", "s1")).pending == ()


def test_prune_cuts_from_standard_input_to_standard_output() -> None:
    listing = "\n".join(f"src/part_{n}/a.py" for n in range(90))
    words = ("prune", "--tool", "ls", "--level", "critical")
    said = call(*words, given=listing)
    assert said.code == 0
    assert said.out.split("\n")[10] == "[silt: 70 lines of this listing cut, pressure critical]"
    assert call(*words, "--synthetic", given=listing).out == listing
    assert call("prune", given="x\n日本\n").out == "x\n日本\n"


def test_inject_shows_the_session_with_its_memories(home: Path, kept: Said) -> None:
    happens("tool", name="Edit", input={"file_path": "src/cart.ts"})
    shown = call("inject", "--agent", "claude", "--session", "s1").out
    assert "Tuesdays" in shown
    assert "\nactive_files:\n- src/cart.ts (edit, 1x)\n" in shown
    assert "active_files" not in call("inject", "--agent", "claude", "--session", "s2").out
    assert "active_files" not in call("inject").out
