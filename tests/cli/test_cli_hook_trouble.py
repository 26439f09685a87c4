"""Whatever is wrong, `silt hook` ends well, says nothing to the agent, and its log tells."""

import contextlib
import sqlite3
from pathlib import Path

import pytest
from hook_calls import MAIN, begun, context, hook, log_of, prompted, python, told
from support.commands import Said, call

from siltstone.cli.hooks.common import LOG, LOG_BYTES, LazyState, log
from siltstone.store.errors import Locked, StateError

pytestmark = pytest.mark.usefixtures("nobody_waits")

CLAUDE = MAIN.format(words=["hook", "claude"])
DEPLOYS = "When do deploys go out?"
GARBAGE = {
    "empty": b"",
    "torn": b"{",
    "a list": b"[]",
    "a text": b'"x"',
    "null": b"null",
    "no utf-8": b"\xff\xfe",
    "wrong types": b'{"hook_event_name": 3}',
    "deep": b"[" * 100_000,
    "megabytes": b"{" + b" " * 2**24,
}


@pytest.mark.parametrize("raw", GARBAGE.values(), ids=GARBAGE)
@pytest.mark.parametrize("agent", ["claude", "codex", "gemini", "opencode"])
def test_a_payload_of_garbage_breaks_nothing(home: Path, agent: str, raw: bytes) -> None:
    done = hook(agent, raw)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(log_of(home)) == (0 if not raw or b"hook_event_name" in raw else 1)


def test_a_closed_standard_input_is_a_plain_sentence(home: Path) -> None:
    done = python(f"import os, sys; os.close(0); sys.stdin = None; {CLAUDE}")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (line,) = log_of(home)
    assert line.endswith(" claude: standard input is closed, so there is nothing to do")


def test_without_a_store_nothing_is_shown_and_nothing_complained_of(home: Path) -> None:
    assert begun() == ""
    assert prompted(DEPLOYS) == ""
    assert log_of(home) == []


def test_damage_that_hides_memories_is_told_when_a_session_begins(home: Path, kept: Said) -> None:
    (home / "state" / "recall.sqlite3").write_bytes(b"hello" * 500)
    shown = begun()
    assert shown.splitlines()[1].startswith("Siltstone shows no memories in this session: ")
    assert "is damaged (file is not a database); the next run rebuilds it" in shown
    assert len(shown.splitlines()) == 3
    assert prompted(DEPLOYS) == ""
    assert all("silt rebuild" in line for line in log_of(home))
    assert len(log_of(home)) == 2


def test_damage_is_told_once_where_each_prompt_may_be_the_first(home: Path, kept: Said) -> None:
    (home / "state" / "recall.sqlite3").write_bytes(b"hello" * 500)
    first, second = (prompted(DEPLOYS, "gemini", n=n) for n in (1, 2))
    assert "Siltstone shows no memories in this session: " in first
    assert second == ""
    assert call("rebuild").code == 0
    assert "Tuesdays" in prompted(DEPLOYS, "gemini", n=3)


@pytest.mark.parametrize(
    "words", [("flush",), ("run", "--root", "claude=."), ("rebuild",)], ids=lambda w: w[0]
)
def test_what_was_damaged_is_made_anew_by_what_comes_next(
    home: Path, kept: Said, words: tuple[str, ...]
) -> None:
    file = home / "state" / "recall.sqlite3"
    db = sqlite3.connect(file, isolation_level=None)
    (page,) = db.execute("select rootpage from sqlite_master where name = 'override'").fetchone()
    db.execute("pragma wal_checkpoint(truncate)")
    db.close()
    data = bytearray(file.read_bytes())
    data[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    file.write_bytes(data)
    assert "shows no memories" in begun(session_id="s1")
    assert call(*words).code == 0
    assert "Tuesdays" in begun(session_id="s2")


def test_a_fault_nobody_thought_of_is_told_in_the_log(home: Path, kept: Said) -> None:
    with sqlite3.connect(home / "state" / "recall.sqlite3") as db:
        db.execute("update fragment set type = 'gossip', hot = 1, clock = 'yesterday'")
    db.close()
    assert context(python(CLAUDE, told("SessionStart", source="startup"))) == ""
    (line,) = log_of(home)
    assert "claude: hook failed (TypeError" in line


def test_without_rights_to_the_state_the_agent_goes_on(home: Path, kept: Said) -> None:
    (home / "file").write_text("")
    for payload in (told("SessionStart", source="startup"), told("UserPromptSubmit", prompt="hello there")):
        done = hook("claude", payload, SILT_STATE=str(home / "file" / "state"))
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_state_in_other_hands_hides_nothing(home: Path, kept: Said) -> None:
    with contextlib.closing(sqlite3.connect(home / "state" / "state.sqlite3", isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        assert "Tuesdays" in begun()
        assert context(hook("claude", told("Stop", last_assistant_message="Done."))) == ""
    first, over = log_of(home)  # a line for each hook
    assert "is not known; what is shown at SessionStart is not noted: the state database " in first
    not_done = "the session's state was not updated; the session was not queued for reading"
    assert f"is not known; {not_done}: the state" in over
    assert all(line.endswith(" is in use by another process; try again") for line in (first, over))


def test_a_hook_that_takes_too_long_says_nothing_and_logs_what_it_met(home: Path, kept: Said) -> None:
    (home / "config.toml").write_text("= = =\n")
    slow = "import signal\nfrom siltstone.cli.hooks import showing\n"
    slow += f"showing.step = lambda *_: signal.raise_signal(signal.SIGALRM)\n{CLAUDE}\nprint('said')"
    done = python(slow, told("SessionStart", source="startup"))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    settings, over = log_of(home)
    assert "claude: the settings are ignored: " in settings
    assert "took longer than " in over


def test_a_fault_in_one_thing_takes_nothing_of_what_was_done_before(home: Path, kept: Said) -> None:
    broken = f"from siltstone.cli.hooks import session_state as state; state.take = None; {CLAUDE}"
    (home / "config.toml").write_text("nonsense =")
    assert "Tuesdays" in context(python(broken, told("UserPromptSubmit", prompt=DEPLOYS)))
    assert [line.partition(": ")[2][:23] for line in log_of(home)] == [
        "the settings are ignore",
        "hook failed (TypeError:",
    ]


@pytest.mark.parametrize("held_by", ["BEGIN EXCLUSIVE", "PRAGMA user_version = 9999"])
def test_a_state_that_cannot_be_opened_is_asked_for_once(home: Path, kept: Said, held_by: str) -> None:
    with contextlib.closing(sqlite3.connect(home / "state" / "state.sqlite3")) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute(held_by)
        with LazyState(str(home / "state")) as state:
            first, second = (pytest.raises((Locked, StateError)) for _ in range(2))
            with first as one:
                state.open()
            with second as two:
                state.open()
        assert one.value is two.value


def test_an_unknown_agent_is_told_of_and_breaks_nothing(home: Path) -> None:
    done = python(MAIN.format(words=["hook", "cursor"]), {})
    assert (done.returncode, done.stdout) == (0, b"")
    assert b"takes one agent" in done.stderr


def test_the_log_stays_within_bounds(home: Path) -> None:
    folder = str(home / "state")
    for n in range(3):
        (home / "state" / LOG).write_text("x" * LOG_BYTES)
        log(folder, "claude", f"line {n}\nof two \udcff", 0.0)
    assert not (home / "state" / LOG).exists()
    assert (home / "state" / f"{LOG}.1").read_text().endswith("claude: line 2 of two \ufffd\n")
    log(folder, "claude", "next", 0.0)
    assert log_of(home) == ["1970-01-01T00:00:00Z claude: next"]
