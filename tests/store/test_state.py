"""The state database: what it keeps, and what it does about a lost, damaged or newer file."""

import contextlib
import sqlite3
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siltstone.store.errors import Locked, StateError
from siltstone.store.state import (
    Churn,
    Dealt,
    Holder,
    Rejected,
    RunRow,
    State,
    Watermark,
    WindowRow,
    set_aside,
    windows,
)
from siltstone.store.state.database import Database, stamp
from siltstone.store.state.windows import FIRST_PAUSE, LONGEST_PAUSE

NOW = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
FIRST, SECOND = Holder(1, "boot"), Holder(2, "later")
MANY = [f"{n:06}" for n in range(2_000)]


def a_mark(key: str = "a.jsonl", message: str | None = "m1") -> Watermark:
    return Watermark("claude", key, "s1", "offset:10", "1-10-5", message, NOW)


def a_window(run: str = "0001", at: datetime = NOW) -> WindowRow:
    return WindowRow(
        "w1", run, at, "global", "claude", "s1", "rules", "c0ffee", {"promoted": 2}, 10, 5, 1, 0.25
    )


def a_rejection(at: datetime = NOW, reason: str = "raw_error") -> Rejected:
    return Rejected("0001", "w1", at, reason, "project", "Error: x", "[3] Error: x")


def test_advance_moves_watermark_seen_and_ledger_together(state: State) -> None:
    state.failures.record("w1", "timed out", NOW)
    state.advance([a_mark()], {("claude", "s1"): ["k1", "k2"]}, a_window(), [a_rejection()])

    assert state.sources.get("claude", "a.jsonl") == a_mark()
    assert state.sources.seen("claude", ["k1", "k2", "k3"]) == {"k1", "k2"}
    ask = "SELECT id, commit_id, counts FROM window"
    assert state.rows(ask) == [("w1", "c0ffee", '{"promoted": 2}')]
    assert state.ledger.rejected() == [a_rejection()]
    assert state.failures.all() == []


def test_advance_that_fails_half_way_leaves_nothing(state: State) -> None:
    def rejected() -> Iterator[Rejected]:
        yield a_rejection()
        raise OSError("disk is gone")

    with pytest.raises(OSError, match="disk is gone"):
        state.advance([a_mark()], {("claude", "s1"): ["k1"]}, a_window(), rejected())
    assert state.sources.all() == []
    assert state.sources.seen("claude", ["k1"]) == frozenset()
    assert state.rows("SELECT id FROM window") == []
    assert state.ledger.rejected() == []


def test_a_purge_takes_the_rejected_texts_of_its_scope_along(state: State) -> None:
    state.advance([], {}, a_window(), [a_rejection()])
    state.ledger.forget("projects/elsewhere")
    assert state.ledger.rejected() == [a_rejection()]
    state.ledger.forget(a_window().scope)
    assert state.ledger.rejected() == []


def test_watermarks_are_kept_by_agent_and_key(state: State) -> None:
    other = Watermark("codex", "a.jsonl", "s9", None, "x", None, NOW)
    state.advance([a_mark("b.jsonl"), a_mark(), other], {})
    assert state.sources.all() == [a_mark(), a_mark("b.jsonl"), other]
    assert state.sources.forget("claude", "s1") == 2
    assert state.sources.all() == [other]


def test_up_to_when_a_transcript_was_read(state: State) -> None:
    state.advance([a_mark("a.jsonl"), Watermark("claude", "b.jsonl", "s2", "0", "stamp", None, NOW)], {})
    assert state.sources.read_until("claude", "s1") == NOW.timestamp()
    assert state.sources.read_until("claude", "s2") is None


def test_seen_keys_belong_to_their_agent_and_can_be_taken_back(state: State) -> None:
    for _ in range(2):
        state.sources.see("claude", "s1", MANY)
    assert state.sources.seen("claude", MANY) == set(MANY)
    assert state.sources.seen("codex", MANY) == frozenset()
    state.sources.see("claude", "s2", ["other"])
    state.sources.forget("claude", "s1")
    assert state.sources.seen("claude", [*MANY, "other"]) == {"other"}


@settings(max_examples=30, deadline=None)
@given(
    keys=st.lists(st.text(st.characters(), min_size=1), unique=True, max_size=8),
    text=st.text(st.characters()),
)
def test_any_text_can_be_kept(tmp_path_factory: pytest.TempPathFactory, keys: list[str], text: str) -> None:
    with State.open(tmp_path_factory.mktemp("state")) as state:
        state.sources.see("claude", "s1", keys)
        state.set_value("v", text)
        state.ledger.reject([Rejected("1", "w", NOW, "r", "user", text, text)])

        assert state.sources.seen("claude", keys) == set(keys)
        assert (state.value("v") == text) or not text.isascii()
        assert len(state.ledger.rejected()) == 1


def alive(monkeypatch: pytest.MonkeyPatch, processes: dict[int, str]) -> None:
    monkeypatch.setattr(windows, "started", processes.get)


def test_a_lease_is_refused_while_its_holder_lives(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    alive(monkeypatch, {1: "boot", 2: "later"})
    assert state.leases.take("claude/s1", FIRST, NOW, HOUR)
    assert state.leases.take("claude/s1", FIRST, NOW, HOUR)
    assert not state.leases.take("claude/s1", SECOND, NOW, HOUR)
    assert state.leases.take("claude/s2", SECOND, NOW, HOUR)
    assert state.leases.held(NOW) == {"claude/s1": FIRST, "claude/s2": SECOND}


@pytest.mark.parametrize(
    ("processes", "now"),
    [
        pytest.param({}, NOW, id="holder-died"),
        pytest.param({1: "a later boot"}, NOW, id="its-number-was-used-again"),
        pytest.param({1: "boot"}, NOW + HOUR, id="it-ran-out"),
    ],
)
def test_a_lease_falls_to_others(
    state: State, monkeypatch: pytest.MonkeyPatch, processes: dict[int, str], now: datetime
) -> None:
    alive(monkeypatch, processes)
    state.leases.take("claude/s1", FIRST, NOW, HOUR)
    assert state.leases.held(now) == {}
    assert state.leases.take("claude/s1", SECOND, now, HOUR)
    state.leases.release("claude/s1", FIRST)
    alive(monkeypatch, {2: "later"})
    assert not state.leases.take("claude/s1", FIRST, now, HOUR)


def test_a_released_lease_is_free(state: State) -> None:
    holder = Holder.current()
    assert state.leases.take("scope/global", holder, NOW, HOUR)
    assert state.leases.held(NOW) == {"scope/global": holder}
    state.leases.release("scope/global", holder)
    assert state.leases.held(NOW) == {}


def test_failures_are_tried_later_and_later(state: State) -> None:
    first = state.failures.record("w1", "timed out", NOW)
    second = state.failures.record("w1", "timed out again", NOW)
    for _ in range(40):
        last = state.failures.record("w2", "refused", NOW)

    assert (first.attempts, first.next_try) == (1, NOW + FIRST_PAUSE)
    assert (second.attempts, second.next_try) == (2, NOW + 2 * FIRST_PAUSE)
    assert (last.attempts, last.next_try) == (40, NOW + LONGEST_PAUSE)
    assert state.failures.all() == [second, last]
    state.failures.clear("w1")
    assert state.failures.all() == [last]


def test_runs_are_rewritten_when_they_end(state: State) -> None:
    state.ledger.put_run(RunRow("0001", NOW))
    ended = RunRow("0001", NOW, NOW + HOUR, {"sessions": 3, "failed": ["w1"]})
    later = RunRow("0002", NOW + HOUR)
    for run in (ended, later):
        state.ledger.put_run(run)
    assert state.ledger.runs() == [later, ended]
    assert state.ledger.runs(1) == [later]


def test_rejections_are_found_newest_first(state: State) -> None:
    state.ledger.reject([a_rejection(), a_rejection(reason="echo")])
    assert [r.reason for r in state.ledger.rejected()] == ["echo", "raw_error"]
    assert [r.reason for r in state.ledger.rejected(limit=1)] == ["echo"]


def test_ledger_details_are_dropped_after_90_days_and_runs_are_not(state: State) -> None:
    state.ledger.put_run(RunRow("0001", NOW))
    state.advance([], {}, a_window(), [a_rejection(), a_rejection(NOW + HOUR)])

    state.ledger.prune(NOW + timedelta(days=90))
    windows = "SELECT id FROM window"
    assert (len(state.rows(windows)), len(state.ledger.rejected())) == (1, 2)
    state.ledger.prune(NOW + timedelta(days=90, minutes=1))
    assert (len(state.rows(windows)), len(state.ledger.rejected())) == (0, 1)
    assert len(state.ledger.runs()) == 1


def test_spending_adds_up_by_utc_day(state: State) -> None:
    evening_in_lima = datetime(2026, 11, 19, 23, 0, tzinfo=timezone(timedelta(hours=-5)))
    state.spend.add(NOW, 100, 0.01)
    total = state.spend.add(evening_in_lima, 50, 0.02)
    state.spend.add(NOW + timedelta(days=1), 1, 0.0)

    assert (total.day, total.tokens, total.usd) == (date(2026, 11, 20), 150, 0.03)
    assert state.spend.add(NOW, -150, -0.03) == state.spend.on(NOW)
    assert str(state.spend.on(NOW).usd) == "0.0"
    assert [day.day for day in state.spend.days()] == [date(2026, 11, 21), date(2026, 11, 20)]
    assert state.spend.on(NOW + timedelta(days=2)).tokens == 0


def test_churn_grows_with_writes_and_ends_with_a_compaction(state: State) -> None:
    assert state.compaction.get("global") == Churn("global")
    state.compaction.wrote("global", 3)
    state.compaction.wrote("global", 2)
    state.compaction.attempted("global", NOW)
    assert state.compaction.get("global") == Churn("global", 5, NOW, None)
    state.compaction.compacted("global", NOW + HOUR)
    state.compaction.wrote("projects/quern", 1)
    assert state.compaction.all() == [Churn("global", 0, NOW + HOUR, NOW + HOUR), Churn("projects/quern", 1)]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"this is no database at all, only words " * 200, id="words"),
        pytest.param(b"SQLite format 3\x00" + b"\xff" * 4096, id="torn-header"),
    ],
)
def test_a_damaged_file_is_set_aside_and_said(tmp_path: Path, content: bytes) -> None:
    for number in (1, 2):
        (tmp_path / "state.sqlite3").write_bytes(content)
        for suffix in ("-wal", "-shm"):
            (tmp_path / f"state.sqlite3{suffix}").unlink(missing_ok=True)
        with State.open(tmp_path) as state:
            assert len(state.complaints) == 1
            assert f"corrupt-{number}" in state.complaints[0]
            state.sources.see("claude", "s1", ["k"])
        assert (tmp_path / f"state.sqlite3.corrupt-{number}").read_bytes() == content


@pytest.mark.parametrize(
    ("spoil", "read"),
    [
        pytest.param("UPDATE run SET report = '{\"a'", lambda s: s.ledger.runs(), id="bad-json"),
        pytest.param("UPDATE run SET report = '7'", lambda s: s.ledger.runs(), id="other-json"),
        pytest.param("UPDATE run SET started = 'noon'", lambda s: s.ledger.runs(), id="bad-time"),
        pytest.param("UPDATE pending SET body = '{}'", lambda s: s.pending.get("global"), id="pending"),
        pytest.param(
            "UPDATE source SET message = CAST(x'ff41' AS TEXT)", lambda s: s.sources.all(), id="not-utf8"
        ),
        pytest.param("DROP TABLE seen", lambda s: s.sources.seen("a", ["k"]), id="lost-table"),
    ],
)
def test_a_row_that_cannot_be_read_is_damage(
    state: State, spoil: str, read: Callable[[State], object]
) -> None:
    state.ledger.put_run(RunRow("0001", NOW))
    state.advance([a_mark()], {}, a_window())
    state.pending.put(Dealt([], {}, a_window()), "c0ffee")
    with contextlib.closing(sqlite3.connect(state.path)) as other, other:
        other.execute(spoil)
    with pytest.raises(StateError, match="was damaged and is now"):
        read(state)
    read(state)
    assert state.ledger.runs() == []


def test_a_file_that_another_process_replaced_is_left_alone(tmp_path: Path) -> None:
    with State.open(tmp_path) as one, State.open(tmp_path) as other:
        one.set_value("a", "1")
        with contextlib.closing(sqlite3.connect(one.path)) as third, third:
            third.execute("DROP TABLE value")
        with pytest.raises(StateError, match=r"corrupt-1"):
            one.value("a")
        one.set_value("b", "2")
        with pytest.raises(StateError, match="has been replaced"):
            other.value("a")
        assert other.value("b") == "2"
    assert len(set_aside(tmp_path / "state.sqlite3")) == 1


@pytest.mark.parametrize("seed", range(12))
def test_flipped_bytes_are_one_sentence_and_the_next_call_works(tmp_path: Path, seed: int) -> None:
    with State.open(tmp_path) as state:
        state.sources.see("claude", "s1", MANY)
        state.advance([a_mark()], {}, a_window(), [a_rejection()])
    path = tmp_path / "state.sqlite3"
    chance = Random(seed)  # noqa: S311 (no secret)
    data = bytearray(path.read_bytes())
    for _ in range(chance.choice((1, 40, 4_000))):
        data[chance.randrange(len(data))] = chance.randrange(256)
    path.write_bytes(data)

    said: list[str] = []
    usable = False
    for _ in range(8):
        try:
            with State.open(tmp_path) as state:
                state.sources.seen("claude", MANY)
                state.sources.all()
                state.rows("SELECT counts FROM window")
                state.ledger.rejected()
                state.advance([a_mark("b")], {("claude", "s2"): ["x"]}, a_window("0002"))
                usable = state.sources.seen("claude", ["x"]) == {"x"}
            break
        except StateError as error:
            said.append(str(error))
    newer = bool(said) and "newer siltstone" in said[-1]  # the version itself was hit
    assert usable or newer
    assert all("damaged" in one for one in said) or newer


def test_migrations_go_step_by_step_and_keep_what_is_there(tmp_path: Path) -> None:
    path, second = tmp_path / "db", tmp_path / "2.sql"
    (tmp_path / "1.sql").write_text("CREATE TABLE t (a TEXT);\nINSERT INTO t VALUES ('kept');\n")
    Database(path, tmp_path).close()
    second.write_text("ALTER TABLE t ADD COLUMN b TEXT DEFAULT 'new';\n")
    with Database(path, tmp_path) as database:
        assert database.rows("SELECT a, b FROM t") == [("kept", "new")]
    second.unlink()
    with pytest.raises(StateError, match="has version 2"):
        Database(path, tmp_path)


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path, second = tmp_path / "db", tmp_path / "2.sql"
    (tmp_path / "1.sql").write_text("CREATE TABLE t (a TEXT);\n")
    Database(path, tmp_path).close()
    second.write_text("CREATE TABLE u (a TEXT);\nDROP TABLE missing;\n")
    with pytest.raises(StateError, match="cannot be used"):
        Database(path, tmp_path)
    second.unlink()
    with Database(path, tmp_path) as database:
        assert database.rows("SELECT name FROM sqlite_master WHERE type = 'table'") == [("t",)]


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(StateError, match="SILT_STATE"):
        State.open(tmp_path / "file")


def test_a_file_held_for_too_long_is_locked(tmp_path: Path) -> None:
    with State.open(tmp_path, wait=0) as state:
        other = sqlite3.connect(state.path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Locked, match="in use"):
            state.set_value("a", "b")
        other.close()


def test_threads_share_one_state(state: State) -> None:
    def add() -> None:
        for _ in range(20):
            state.spend.add(NOW, 1, 0.0)

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert state.spend.on(NOW).tokens == 80


def test_naive_times_are_refused(state: State) -> None:
    with pytest.raises(ValueError, match="no time zone"):
        state.failures.record("w", "x", datetime(2026, 1, 1))
    with pytest.raises(ValueError, match="no time zone"):
        state.spend.add(datetime(2026, 1, 1), 1, 0.0)


@given(at=st.datetimes(timezones=st.just(UTC)), other=st.datetimes(timezones=st.just(UTC)))
def test_stamps_come_back_and_sort_as_times(at: datetime, other: datetime) -> None:
    assert datetime.fromisoformat(stamp(at)) == at
    assert (stamp(at) < stamp(other)) == (at < other)
