"""A receipt is read back as it was, and nothing else is taken for one."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.recall.receipt import Receipt, Shown
from siltstone.recall.receipt_kept import dump, load

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
