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
from siltstone.recall.selection import Budget
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
    stored = [
        memory(f"{type} {days} until May", type, days=days) for type in TYPES for days in (10, 50, 70, 100)
    ]
    sides = [
        one.path
        for one in stored
        if one.entry.description in ("project 10 until May", "decision 70 until May")
    ]
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
    assert "\n1 conflict, for the user: `silt conflicts`\n" in text
    assert "(10 of 12 shown, 2 by name, 0 stale, 1 conflict not shown)" in text


def test_it_names_all_that_is_left_out(tmp_path: Path) -> None:
    """Repeats put memories into classes of their own, of which only the best are read to make a block."""
    many = [memory(f"Decision {n:02}", "decision", name=f"{'long-' * 8}{n}", days=n) for n in range(40)]
    prepare(tmp_path, many)
    made = block(view_of(tmp_path), budget=Budget(500)).receipt
    with Prepared(str(tmp_path)) as prepared:
        paths = prepared.paths(BOTH)
    full = in_full(with_paths(made, paths))
    assert made.left.keys() > {"name only"}
    for why, count in made.left.items():
        assert len(re.findall(rf"^not shown \({why}\): ", full, re.M)) == count
    assert len(made.shown) + sum(made.left.values()) == made.total == 40
    assert with_paths(made, paths[1:]) == made


def test_what_has_no_line_is_in_view_by_its_name(tmp_path: Path) -> None:
    few = [memory(f"Fact {n:03} of the shop", type, days=n) for n in range(12) for type in TYPES]
    prepare(tmp_path, few)
    text = block(view_of(tmp_path)).text
    names = [name for row in re.findall(r"^- \w+: (fact.*)$", text, re.M) for name in row.split("; ")]
    lines = re.findall(r"^- (Fact \d+) of the shop", text, re.M)
    assert len(names) + len(lines) == len(few)
    assert f"({len(lines)} of {len(few)} shown, {len(names)} by name, " in text
    assert "find more with" not in text


def test_of_many_memories_some_hundred_are_named_and_the_rest_can_be_found(tmp_path: Path) -> None:
    many = [memory(f"Fact {n}", type, name=f"{'long-' * 9}{type}-{n}") for n in range(90) for type in TYPES]
    prepare(tmp_path, many)
    made = block(view_of(tmp_path))
    rows = re.findall(r"^- (\w+): (long.*)$", made.text, re.M)
    assert [type for type, _ in rows] == list(TYPES)
    names = [name for _, row in rows for name in row.split("; ")]
    assert max(map(len, names)) == 40
    assert made.receipt.left["name only"] == len(names) > 50
    assert "; find more with silt search or the tool memory_search)" in made.text
