"""What a receipt counts and names, and that it is read back as it was."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.recalled import BOTH, block, conflict, memory, prepare, view_of

from siltstone.recall.prepared import Prepared
from siltstone.recall.prepared_writer import Facts
from siltstone.recall.receipt import Receipt, Shown, dump, in_full, load, with_paths
from siltstone.store.entry import TYPES

words = st.text(max_size=20)
numbers = st.integers(0, 10**6)
shown = st.builds(
    Shown, words, words, numbers, st.booleans(), st.booleans(), words, st.none() | st.integers(0, 100)
)
receipts = st.builds(
    Receipt,
    st.lists(words, max_size=2).map(tuple),
    st.lists(shown, max_size=4).map(tuple),
    numbers,
    st.dictionaries(words, numbers, max_size=3),
    st.lists(st.tuples(words, words), max_size=3).map(tuple),
    numbers,
    st.lists(words, max_size=2).map(tuple),
    st.lists(words, max_size=2).map(tuple),
)


@given(receipts)
def test_it_is_read_back_as_it_was(told: Receipt) -> None:
    assert load(dump(told)) == told


@pytest.mark.parametrize(
    "text",
    ["", "null", "[]", "{}", "[1, 2]", json.dumps([[], [["a"]], 1, {}, [], 0, [], []]), "[[]" * 9, "\udc80"],
)
def test_anything_else_is_none(text: str) -> None:
    assert load(text) is None


def test_its_figures_count_the_marks_in_the_block(tmp_path: Path) -> None:
    stored = [memory(f"{type} {days}", type, days=days) for type in TYPES for days in (10, 50, 70, 100)]
    sides = [one.path for one in stored if one.entry.description in ("project 10", "decision 70")]
    prepare(tmp_path, stored, Facts([conflict(*sides)]))
    text = block(view_of(tmp_path)).text
    stale = text.count("d old, verify]")
    assert stale > 2
    assert text.count("[in conflict]") == 2
    assert f"(20 of 20 shown, {stale} stale, 2 in conflict)" in text


def test_a_conflict_without_a_side_in_the_block_is_said_not_to_be_shown(tmp_path: Path) -> None:
    decisions = [memory(f"Decision {n:02}", "decision", days=n) for n in range(12)]
    prepare(tmp_path, decisions, Facts([conflict(decisions[-1].path, decisions[-2].path)]))
    text = block(view_of(tmp_path)).text
    assert "\n1 conflict: see _CONFLICTS.md\n" in text
    assert "(10 of 12 shown, 0 stale, 1 conflict not shown; " in text


def test_it_names_all_that_is_left_out(tmp_path: Path) -> None:
    """Repeats put memories into classes of their own, of which only the best are read to make a block."""
    prepare(tmp_path, [memory(f"Decision {n:02}", "decision", days=n) for n in range(40)])
    made = block(view_of(tmp_path)).receipt
    with Prepared(str(tmp_path)) as prepared:
        paths = prepared.paths(BOTH)
    full = in_full(with_paths(made, paths))
    assert len(re.findall(r"^not shown \(over_cap\): ", full, re.M)) == made.left["over_cap"] == 30
    assert with_paths(made, paths[1:]) == made
