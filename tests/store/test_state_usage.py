"""How often memories were used, as the state keeps it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from siltstone.store.state import State
from siltstone.store.state.usage import DAY, Usage, Used

NOW = 1_795_168_800.0
AT = datetime.fromtimestamp(NOW, UTC)


@pytest.fixture
def state(tmp_path: Path) -> Iterator[State]:
    with State.open(tmp_path) as found:
        yield found


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
