"""Which files a session has read: kept by session and path, moved, forgotten, and gone after 90 days."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from store_support import NOON

from siltstone.store.state import Opened, State


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    with State.open(tmp_path) as state:
        yield state.opened


def test_the_last_reading_of_each_session_counts(opened: Opened) -> None:
    opened.note("claude/1", "global/a.md", "h1", NOON)
    opened.note("claude/1", "global/a.md", "h2", NOON)
    opened.note("claude/2", "global/a.md", "h3", NOON)
    assert opened.hash_of("claude/1", "global/a.md") == "h2"
    assert opened.hash_of("claude/2", "global/a.md") == "h3"
    assert opened.hash_of("claude/1", "global/b.md") is None


def test_a_reading_moves_with_its_file_over_one_of_the_new_path(opened: Opened) -> None:
    opened.note("claude/1", "global/a.md", "h1", NOON)
    opened.note("claude/1", "global/system/a.md", "old", NOON)
    opened.moved("global/a.md", "global/system/a.md")
    assert opened.hash_of("claude/1", "global/a.md") is None
    assert opened.hash_of("claude/1", "global/system/a.md") == "h1"


def test_forgotten_paths_were_never_read(opened: Opened) -> None:
    opened.note("claude/1", "global/a.md", "h1", NOON)
    opened.note("claude/1", "global/b.md", "h1", NOON)
    opened.forget(["global/a.md"])
    assert opened.hash_of("claude/1", "global/a.md") is None
    assert opened.hash_of("claude/1", "global/b.md") == "h1"
    opened.forget(["global/", "global/b"])
    assert opened.hash_of("claude/1", "global/b.md") is None


def test_readings_older_than_the_ledgers_details_go(opened: Opened) -> None:
    opened.note("claude/1", "global/a.md", "h1", NOON)
    opened.note("claude/1", "global/b.md", "h1", NOON + timedelta(days=90))
    assert opened.hash_of("claude/1", "global/a.md") == "h1"
    opened.note("claude/1", "global/b.md", "h1", NOON + timedelta(days=90, seconds=1))
    assert opened.hash_of("claude/1", "global/a.md") is None


def test_half_a_character_is_no_obstacle(opened: Opened) -> None:
    opened.note("claude/\ud800", "global/a.md", "h1", NOON)
    assert opened.hash_of("claude/\ud800", "global/a.md") == "h1"
