"""Running sessions and the summaries of ended ones, as the state keeps them."""

import pytest

from siltstone.store.state import Ended, State
from siltstone.store.state.sessions import (
    KEPT,
    MAX_AGE,
    SUMMARY_AGE,
    SWEEP_EVENTS,
    SWEEP_SECONDS,
    Sessions,
    Summaries,
    Sweep,
)

NOW = 1_800_000_000.0


@pytest.fixture
def sessions(state: State) -> Sessions:
    return state.sessions


@pytest.fixture
def summaries(state: State) -> Summaries:
    return state.summaries


def test_sessions_are_kept_by_agent_and_name_until_they_end(sessions: Sessions) -> None:
    sessions.put("claude", "s1", NOW, "1")
    sessions.put("codex", "s1", NOW + 1, "2")
    sessions.put("codex", "s1", NOW + 2, "3")
    assert (sessions.get("claude", "s1"), sessions.get("codex", "s1")) == ("1", "3")
    assert sessions.known() == [("codex", "s1", NOW + 2), ("claude", "s1", NOW)]
    sessions.drop("claude", "s1")
    assert sessions.known() == [("codex", "s1", NOW + 2)]


@pytest.mark.parametrize("name", ["\ud800", "a\x00b", "x" * 100_000, "'; DROP TABLE session; --", ""])
def test_any_name_is_a_key(state: State, name: str) -> None:
    state.sessions.put(name, name, NOW, "{}")
    assert state.sessions.get(name, name) == "{}"
    state.summaries.put(Ended(name, name, NOW, name, name, name))
    assert state.summaries.get(name, name) is not None


def test_a_sweep_keeps_the_newest_and_says_what_went(sessions: Sessions) -> None:
    for n in range(KEPT + 20):
        sessions.put("claude", f"new-{n}", NOW - n, "12345")
    sessions.put("claude", "old", NOW - 1 - MAX_AGE, "123")
    assert sessions.sweep(NOW) == Sweep(KEPT + 21, 21, 20 * 5 + 3)
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


def ended(session: str, at: float = NOW, text: str = "Goal: x") -> Ended:
    return Ended("claude", session, at, "/p", "rules", text)


def test_the_latest_of_a_session_stays(summaries: Summaries) -> None:
    for one in (ended("s1", text="old"), ended("s1", NOW + 1, "new"), ended("s2")):
        summaries.put(one)
    assert [one.text for one in summaries.recent(NOW + 1, 9)] == ["new", "Goal: x"]
    assert summaries.recent(NOW + 1, 1) == [ended("s1", NOW + 1, "new")]
    assert summaries.get("claude", "s2") == ended("s2")
    assert summaries.get("codex", "s2") is None


def test_what_is_too_old_is_not_told_and_goes(summaries: Summaries) -> None:
    summaries.put(ended("s1"))
    assert summaries.recent(NOW + SUMMARY_AGE, 9) == [ended("s1")]
    assert summaries.recent(NOW + SUMMARY_AGE + 1, 9) == []
    summaries.put(ended("s2", NOW + SUMMARY_AGE + 1))
    assert summaries.get("claude", "s1") is None


def test_there_are_never_more_than_so_many(summaries: Summaries) -> None:
    for n in range(KEPT + 9):
        summaries.put(ended(f"s{n}", NOW + n))
    assert len(summaries.recent(NOW + KEPT, 999)) == KEPT
    assert summaries.get("claude", "s8") is None
