"""How often memories were used, and which files each session has read."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from siltstone.store.state import Opened, State, Usage, Used
from siltstone.store.state.usage import DAY

NOW = 1_795_168_800.0
AT = datetime.fromtimestamp(NOW, UTC)


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    with State.open(tmp_path) as found:
        yield found


@pytest.fixture
def opened(state: State) -> Opened:
    return state.opened


def test_each_kind_of_use_is_counted(state: State) -> None:
    usage = state.usage
    usage.shown(["a.md", "b.md"])
    usage.shown(["a.md"])
    usage.opened("a.md", NOW)
    usage.cited(["a.md", "c.md"], NOW)
    assert usage.all() == {
        "a.md": Used(shown=2, opened=1, cited=1, days=1),
        "b.md": Used(shown=1),
        "c.md": Used(cited=1, days=1),
    }
    assert usage.days() == {"a.md": 1, "c.md": 1}


@pytest.mark.parametrize(
    ("days", "counted"),
    [([0, 0, 0], 1), ([0, 1, 2], 3), ([0, 0.4, 1], 2), ([3, 1, 2, 3], 1), ([0, 0.99], 2)],
)
def test_a_utc_day_counts_once(state: State, days: list[float], counted: int) -> None:
    for number, day in enumerate(days):
        at = NOW + day * DAY
        usage = state.usage
        usage.opened("a.md", at) if number % 2 else usage.cited(["a.md"], at)
    assert state.usage.days() == {"a.md": counted}


def test_reading_is_use_and_writing_is_not(state: State) -> None:
    state.opened.note("claude/s1", "a.md", "h", AT)
    assert state.usage.all() == {}
    state.opened.read("claude/s1", "a.md", "h", AT)
    assert state.usage.all() == {"a.md": Used(opened=1, days=1)}
    assert state.opened.hash_of("claude/s1", "a.md") == "h"


def test_counts_go_with_their_file_and_leave_with_it(state: State) -> None:
    state.usage.shown(["p/a.md", "p/b.md", "q\udc80.md"])
    state.opened.moved("p/a.md", "p/system/a.md")
    assert set(state.usage.all()) == {"p/system/a.md", "p/b.md", "q?.md"}
    state.opened.forget(["p/b.md"])
    assert set(state.usage.all()) == {"p/system/a.md", "q?.md"}
    state.opened.forget(["p/"])
    assert set(state.usage.all()) == {"q?.md"}
    assert isinstance(state.usage, Usage)


def test_the_last_reading_of_each_session_counts(opened: Opened) -> None:
    opened.note("claude/1", "global/a.md", "h1", AT)
    opened.note("claude/1", "global/a.md", "h2", AT)
    opened.note("claude/2", "global/a.md", "h3", AT)
    assert opened.hash_of("claude/1", "global/a.md") == "h2"
    assert opened.hash_of("claude/2", "global/a.md") == "h3"
    assert opened.hash_of("claude/1", "global/b.md") is None


def test_a_reading_moves_with_its_file_over_one_of_the_new_path(opened: Opened) -> None:
    opened.note("claude/1", "global/a.md", "h1", AT)
    opened.note("claude/1", "global/system/a.md", "old", AT)
    opened.moved("global/a.md", "global/system/a.md")
    assert opened.hash_of("claude/1", "global/a.md") is None
    assert opened.hash_of("claude/1", "global/system/a.md") == "h1"


def test_forgotten_paths_were_never_read(opened: Opened) -> None:
    opened.note("claude/1", "global/a.md", "h1", AT)
    opened.note("claude/1", "global/b.md", "h1", AT)
    opened.forget(["global/a.md"])
    assert opened.hash_of("claude/1", "global/a.md") is None
    assert opened.hash_of("claude/1", "global/b.md") == "h1"
    opened.forget(["global/", "global/b"])
    assert opened.hash_of("claude/1", "global/b.md") is None


def test_readings_older_than_the_ledgers_details_go(opened: Opened) -> None:
    opened.note("claude/1", "global/a.md", "h1", AT)
    opened.note("claude/1", "global/b.md", "h1", AT + timedelta(days=90))
    assert opened.hash_of("claude/1", "global/a.md") == "h1"
    opened.note("claude/1", "global/b.md", "h1", AT + timedelta(days=90, seconds=1))
    assert opened.hash_of("claude/1", "global/a.md") is None


def test_half_a_character_is_no_obstacle(opened: Opened) -> None:
    opened.note("claude/\ud800", "global/a.md", "h1", AT)
    assert opened.hash_of("claude/\ud800", "global/a.md") == "h1"
