"""Summaries of ended sessions: the latest of each, a week long, so many."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from siltstone.store.state.light import Light
from siltstone.store.state.sessions import KEPT, MAX_AGE
from siltstone.store.state.summaries import Ended, Summaries

NOW = 1_795_165_198.0


@pytest.fixture
def summaries(tmp_path: Path) -> Iterator[Summaries]:
    light = Light(str(tmp_path))
    yield Summaries(light)
    light.close()


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


def test_any_text_can_be_kept(summaries: Summaries) -> None:
    summaries.put(Ended("a", "\ud800\0", NOW, "/\udcff", "m", "x\ud800"))
    assert summaries.get("a", "\ud800\0") is not None
