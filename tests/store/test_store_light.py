"""Opening the state database fast, and the rows of sessions in it."""

import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest

from siltstone.store.errors import Locked, StateError
from siltstone.store.state import VERSION, State, Watermark
from siltstone.store.state.database import Database
from siltstone.store.state.light import Light
from siltstone.store.state.migrations import STEPS
from siltstone.store.state.sessions import KEPT, MAX_AGE, SWEEP_EVENTS, SWEEP_SECONDS, Sessions, Sweep

NOW = 1_800_000_000.0
FOREIGN = """
import sys
before = set(sys.modules)
import siltstone.store.state.light, siltstone.store.state.sessions, siltstone.store.plain
heavy = {"filelock", "pathlib", "dataclasses", "inspect", "datetime", "pydantic", "importlib.metadata"}
print(sorted(name for name in set(sys.modules) - before if name in heavy - {"datetime"}))
"""


@pytest.fixture
def light(tmp_path: Path) -> Iterator[Light]:
    opened = Light(str(tmp_path / "state"))
    yield opened
    opened.close()


@pytest.fixture
def sessions(light: Light) -> Sessions:
    return Sessions(light)


def test_a_missing_file_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    Light(str(tmp_path / "state")).close()
    file = tmp_path / "state" / "state.sqlite3"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_an_older_file_is_migrated_first(tmp_path: Path) -> None:
    Database(tmp_path / "state.sqlite3", STEPS[:1]).close()
    light = Light(str(tmp_path))
    Sessions(light).put("claude", "s1", NOW, "{}")
    assert light.rows("PRAGMA user_version") == [(VERSION,)]
    light.close()


def test_a_damaged_file_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "state.sqlite3").write_bytes(b"not a database at all" * 500)
    light = Light(str(tmp_path))
    assert Sessions(light).get("claude", "s1") is None
    light.close()
    assert (tmp_path / "state.sqlite3.corrupt-1").exists()


def test_a_newer_file_is_refused(tmp_path: Path) -> None:
    State.open(tmp_path).close()
    with sqlite3.connect(tmp_path / "state.sqlite3") as connection:
        connection.execute(f"PRAGMA user_version = {VERSION + 1}")
    connection.close()
    with pytest.raises(StateError, match="install the newer siltstone"):
        Light(str(tmp_path))


def test_a_locked_file_is_said_soon(tmp_path: Path) -> None:
    light = Light(str(tmp_path))
    holder = sqlite3.connect(tmp_path / "state.sqlite3", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(Locked, match="in use by another process"), light:
        raise AssertionError("the transaction began")
    holder.close()
    light.close()


def test_a_transaction_is_all_or_nothing(light: Light, sessions: Sessions) -> None:
    with suppress(ZeroDivisionError), light:
        sessions.put("claude", "s1", NOW, "{}")
        raise ZeroDivisionError
    assert sessions.get("claude", "s1") is None
    with light:
        sessions.put("claude", "s1", NOW, "{}")
    assert sessions.get("claude", "s1") == "{}"


def test_sessions_are_kept_by_agent_and_name(sessions: Sessions) -> None:
    sessions.put("claude", "s1", NOW, "1")
    sessions.put("codex", "s1", NOW + 1, "2")
    sessions.put("codex", "s1", NOW + 2, "3")
    assert (sessions.get("claude", "s1"), sessions.get("codex", "s1")) == ("1", "3")
    assert sessions.known() == [("codex", "s1", NOW + 2), ("claude", "s1", NOW)]


@pytest.mark.parametrize("name", ["\ud800", "a\x00b", "x" * 100_000, "'; DROP TABLE session; --", ""])
def test_any_name_is_a_key(sessions: Sessions, name: str) -> None:
    sessions.put(name, name, NOW, "{}")
    assert sessions.get(name, name) == "{}"


def test_a_session_that_ended_is_forgotten(sessions: Sessions) -> None:
    sessions.put("claude", "s1", NOW, "{}")
    assert sessions.drop("claude", "s1")
    assert not sessions.drop("claude", "s1")
    assert sessions.get("claude", "s1") is None


def test_a_sweep_keeps_the_newest_and_says_what_went(sessions: Sessions) -> None:
    for n in range(KEPT + 20):
        sessions.put("claude", f"new-{n}", NOW - n, "12345")
    sessions.put("claude", "boundary", NOW + 1 - MAX_AGE, "1")
    sessions.put("claude", "old", NOW - 1 - MAX_AGE, "123")
    assert sessions.sweep(NOW) == Sweep(KEPT + 22, 22, 20 * 5 + 1 + 3, ())
    assert len(sessions.known()) == KEPT


def test_of_few_sessions_the_old_ones_go(sessions: Sessions) -> None:
    sessions.put("claude", "week", NOW - MAX_AGE, "1")
    sessions.put("claude", "older", NOW - MAX_AGE - 1, "1")
    assert sessions.sweep(NOW).deleted == 1
    assert [name for _, name, _ in sessions.known()] == ["week"]


def test_a_sweep_is_due_by_events(sessions: Sessions) -> None:
    reports = [sessions.count(NOW) for _ in range(2 * SWEEP_EVENTS)]
    assert [n for n, report in enumerate(reports, 1) if report] == [SWEEP_EVENTS, 2 * SWEEP_EVENTS]


def test_a_sweep_is_due_by_time(sessions: Sessions) -> None:
    assert sessions.count(NOW) is None
    assert sessions.count(NOW + SWEEP_SECONDS - 1) is None
    assert sessions.count(NOW + SWEEP_SECONDS) == Sweep(0, 0, 0)
    assert sessions.count(NOW + SWEEP_SECONDS + 1) is None


def test_up_to_when_a_transcript_was_read(tmp_path: Path) -> None:
    at = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
    with State.open(tmp_path) as state:
        state.sources.put(Watermark("claude", "a.jsonl", "s1", "0", "stamp", "m1", at))
        state.sources.put(Watermark("claude", "b.jsonl", "s2", "0", "stamp", None, at))
    light = Light(str(tmp_path))
    assert Sessions(light).read_until("claude", "s1") == at.timestamp()
    assert Sessions(light).read_until("claude", "s2") is None
    light.close()


def test_nothing_heavy_is_loaded() -> None:
    said = subprocess.run([sys.executable, "-c", FOREIGN], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"
