"""What sessions were shown, as the state keeps it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from siltstone.store.state import Last, Line, State
from siltstone.store.state.usage import LINES, MAX_AGE, MAX_BLOCKS

NOW = 1_795_168_800.0
LAST = Last("text\n", NOW, NOW, 1, 2, ("global/a.md", "global/b.md"), "[]")


@pytest.fixture
def db(tmp_path: Path) -> Iterator[State]:
    found = State.open(str(tmp_path))
    yield found
    found.close()


def test_what_was_put_is_got_by_each_session_and_way_of_asking(db: State) -> None:
    shown = db.shown
    shown.put("claude", "s1", "v", LAST)
    assert shown.get("claude", "s1", "v") == LAST
    assert [
        shown.get(*key) for key in (("claude", "s1", "w"), ("claude", "s2", "v"), ("codex", "s1", "v"))
    ] == [None] * 3
    assert shown.paths("claude", "s1") == ["global/a.md", "global/b.md"]


def test_a_block_that_is_shown_again_says_when(db: State) -> None:
    shown = db.shown
    for variant in ("v", "w"):
        shown.put("claude", "s1", variant, LAST)
    shown.again("claude", "s1", "v", NOW + 60)
    assert shown.get("claude", "s1", "v") == LAST._replace(served=NOW + 60)
    assert shown.get("claude", "s1", "w") == LAST


def test_odd_names_and_texts_are_kept(db: State) -> None:
    shown = db.shown
    shown.put("\udc80", "s" * 9_000, "", LAST._replace(text="a\udc80\0", paths=("a\nb", "c\udc80")))
    assert shown.get("\udc80", "s" * 9_000, "") == LAST._replace(text="a?\0", paths=("c?",))


def test_the_end_of_a_session_takes_what_it_was_shown(db: State) -> None:
    shown = db.shown
    for session in ("s1", "s2"):
        shown.put("claude", session, "v", LAST)
    db.sessions.drop("claude", "s1")
    assert shown.get("claude", "s1", "v") is None
    assert shown.get("claude", "s2", "v") == LAST


def test_a_bounded_number_is_kept_for_a_bounded_time(db: State) -> None:
    shown = db.shown
    for number in range(MAX_BLOCKS + 5):
        shown.put("claude", f"s{number}", "v", LAST._replace(served=NOW + number))
    assert shown.get("claude", "s4", "v") is None
    assert shown.get("claude", "s5", "v") is not None
    shown.put("claude", "new", "v", LAST._replace(served=NOW + MAX_AGE + MAX_BLOCKS + 5))
    assert shown.get("claude", f"s{MAX_BLOCKS + 4}", "v") is None
    assert shown.get("claude", "new", "v") is not None


def test_forcing_counts_and_says_by_what(db: State) -> None:
    shown = db.shown
    assert shown.forced() == (0, "")
    shown.force("promote")
    shown.force("flush")
    assert shown.forced() == (2, "flush")
    db.set_value("shown_forced", "rubbish")
    assert shown.forced()[0] == 0


def test_the_newest_lines_of_the_log_stay(db: State) -> None:
    shown = db.shown
    for number in range(LINES + 3):
        shown.log(Line(NOW + number, "claude", "s1", str(number)))
    assert [line.text for line in shown.lines(LINES + 9)] == [str(n) for n in range(LINES + 2, 2, -1)]


def test_a_purge_leaves_nothing_to_show_again(tmp_path: Path) -> None:
    with State.open(tmp_path) as state:
        state.shown.put("claude", "s1", "v", LAST)
        state.shown.withdraw("purge")
        last = state.shown.get("claude", "s1", "v")
        assert last == Last("", NOW, NOW, -1, 2, ())
        assert state.shown.forced() == (1, "purge")
