"""Running sessions and the summaries of ended ones, as the state keeps them."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from siltstone.store.state import Ended, Sessions, State, Summaries, Sweep, Watermark
from siltstone.store.state.sessions import KEPT, MAX_AGE, SWEEP_EVENTS, SWEEP_SECONDS

NOW = 1_800_000_000.0


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    with State.open(tmp_path) as opened:
        yield opened


@pytest.fixture
def sessions(state: State) -> Sessions:
    return state.sessions


@pytest.fixture
def summaries(state: State) -> Summaries:
    return state.summaries


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


def test_up_to_when_a_transcript_was_read(state: State) -> None:
    at = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
    state.sources.put(Watermark("claude", "a.jsonl", "s1", "0", "stamp", "m1", at))
    state.sources.put(Watermark("claude", "b.jsonl", "s2", "0", "stamp", None, at))
    assert state.sources.read_until("claude", "s1") == at.timestamp()
    assert state.sources.read_until("claude", "s2") is None


def ended(session: str, at: float = NOW, text: str = "Goal: x") -> Ended:
    return Ended("claude", session, at, "/p", "rules", text)


def test_the_latest_of_a_session_stays(summaries: Summaries) -> None:
    summaries.put(ended("s1", text="old"))
    summaries.put(ended("s1", NOW + 1, "new"))
    summaries.put(ended("s2"))
    assert [one.text for one in summaries.recent(NOW + 1, 9)] == ["new", "Goal: x"]
    assert summaries.recent(NOW + 1, 1) == [ended("s1", NOW + 1, "new")]
    assert summaries.get("claude", "s2") == ended("s2")
    assert summaries.get("codex", "s2") is None


def test_what_is_older_than_a_week_is_not_told_and_goes(summaries: Summaries) -> None:
    summaries.put(ended("s1"))
    assert summaries.recent(NOW + MAX_AGE, 9) == [ended("s1")]
    assert summaries.recent(NOW + MAX_AGE + 1, 9) == []
    summaries.put(ended("s2", NOW + MAX_AGE + 1))
    assert summaries.get("claude", "s1") is None


def test_there_are_never_more_than_so_many(summaries: Summaries) -> None:
    for n in range(KEPT + 9):
        summaries.put(ended(f"s{n}", NOW + n))
    assert len(summaries.recent(NOW + KEPT, 999)) == KEPT
    assert summaries.get("claude", "s8") is None


def test_any_summary_can_be_kept(summaries: Summaries) -> None:
    summaries.put(Ended("a", "\ud800\0", NOW, "/\udcff", "m", "x\ud800"))
    assert summaries.get("a", "\ud800\0") is not None
