"""How often memories were used, which files each session has read, and what sessions were shown."""

from datetime import UTC, datetime, timedelta

import pytest

from siltstone.store.state import Last, Line, Shown, State, Usage, Used
from siltstone.store.state.usage import DAY, LINES, MAX_AGE, MAX_BLOCKS

NOW = 1_795_168_800.0
AT = datetime.fromtimestamp(NOW, UTC)
LAST = Last("text\n", NOW, NOW, 1, 2, ("global/a.md", "global/b.md"), "[]")


@pytest.fixture
def usage(state: State) -> Usage:
    return state.usage


@pytest.fixture
def shown(state: State) -> Shown:
    return state.shown


def test_each_kind_of_use_is_counted_and_writing_is_none(usage: Usage) -> None:
    usage.shown(["a.md", "b.md"])
    usage.shown(["a.md"])
    usage.read("claude/s1", "a.md", "h", AT)
    usage.note("claude/s1", "b.md", "h", AT)
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
def test_a_utc_day_counts_once(usage: Usage, days: list[float], counted: int) -> None:
    for number, day in enumerate(days):
        at = NOW + day * DAY
        if number % 2:
            usage.read("claude/1", "a.md", "h", datetime.fromtimestamp(at, UTC))
        else:
            usage.cited(["a.md"], at)
    assert usage.days() == {"a.md": counted}


def test_counts_go_with_their_file_and_leave_with_it(usage: Usage) -> None:
    usage.shown(["p/a.md", "p/b.md", "q\udc80.md"])
    usage.moved("p/a.md", "p/system/a.md")
    assert set(usage.all()) == {"p/system/a.md", "p/b.md", "q\\udc80.md"}
    usage.forget(["p/b.md", "p/sys"])
    assert set(usage.all()) == {"p/system/a.md", "q\\udc80.md"}
    usage.forget(["p/"])
    assert set(usage.all()) == {"q\\udc80.md"}


def test_the_last_reading_of_each_session_counts(usage: Usage) -> None:
    usage.note("claude/1", "global/a.md", "h1", AT)
    usage.note("claude/1", "global/a.md", "h2", AT)
    usage.note("claude/\ud800", "global/a.md", "h3", AT)
    assert usage.hash_of("claude/1", "global/a.md") == "h2"
    assert usage.hash_of("claude/\ud800", "global/a.md") == "h3"
    assert usage.hash_of("claude/1", "global/b.md") is None


def test_a_reading_moves_with_its_file_over_one_of_the_new_path(usage: Usage) -> None:
    usage.note("claude/1", "global/a.md", "h1", AT)
    usage.note("claude/1", "global/system/a.md", "old", AT)
    usage.moved("global/a.md", "global/system/a.md")
    assert usage.hash_of("claude/1", "global/a.md") is None
    assert usage.hash_of("claude/1", "global/system/a.md") == "h1"


def test_forgotten_paths_were_never_read(usage: Usage) -> None:
    for path in ("global/a.md", "global/b.md"):
        usage.note("claude/1", path, "h1", AT)
    usage.forget(["global/a.md"])
    assert usage.hash_of("claude/1", "global/a.md") is None
    assert usage.hash_of("claude/1", "global/b.md") == "h1"


def test_readings_older_than_the_ledgers_details_go(usage: Usage) -> None:
    usage.note("claude/1", "global/a.md", "h1", AT)
    usage.note("claude/1", "global/b.md", "h1", AT + timedelta(days=90))
    assert usage.hash_of("claude/1", "global/a.md") == "h1"
    usage.note("claude/1", "global/b.md", "h1", AT + timedelta(days=90, seconds=1))
    assert usage.hash_of("claude/1", "global/a.md") is None


def test_a_block_is_got_by_each_session_and_way_of_asking(shown: Shown) -> None:
    shown.put("claude", "s1", "v", LAST)
    assert shown.get("claude", "s1", "v") == LAST
    for key in (("claude", "s1", "w"), ("claude", "s2", "v"), ("codex", "s1", "v")):
        assert shown.get(*key) is None
    assert shown.paths("claude", "s1") == ["global/a.md", "global/b.md"]


def test_odd_names_and_texts_are_kept(shown: Shown) -> None:
    shown.put("\udc80", "s" * 9_000, "", LAST._replace(text="a\udc80\0", paths=()))
    assert shown.get("\udc80", "s" * 9_000, "") == LAST._replace(text="a\\udc80\0", paths=())


def test_the_end_of_a_session_takes_what_it_was_shown(state: State) -> None:
    for session in ("s1", "s2"):
        state.shown.put("claude", session, "v", LAST)
    state.sessions.drop("claude", "s1")
    assert state.shown.get("claude", "s1", "v") is None
    assert state.shown.get("claude", "s2", "v") == LAST


def test_a_bounded_number_is_kept_for_a_bounded_time(shown: Shown) -> None:
    for number in range(MAX_BLOCKS + 5):
        shown.put("claude", f"s{number}", "v", LAST._replace(served=NOW + number))
    assert shown.get("claude", "s4", "v") is None
    assert shown.get("claude", "s5", "v") is not None
    shown.put("claude", "new", "v", LAST._replace(served=NOW + MAX_AGE + MAX_BLOCKS + 5))
    assert shown.get("claude", f"s{MAX_BLOCKS + 4}", "v") is None
    assert shown.get("claude", "new", "v") is not None


def test_forcing_counts_and_says_by_what(state: State) -> None:
    assert state.shown.forced() == (0, "")
    state.shown.force("promote")
    state.shown.force("flush")
    assert state.shown.forced() == (2, "flush")
    state.set_value("shown_forced", "rubbish")
    assert state.shown.forced()[0] == 0


def test_the_newest_lines_of_the_log_stay(shown: Shown) -> None:
    for number in range(LINES + 3):
        shown.log(Line(NOW + number, "claude", "s1", str(number)))
    assert [line.text for line in shown.lines(LINES + 9)] == [str(n) for n in range(LINES + 2, 2, -1)]
