"""Word lists as patterns, and counted words."""

import re

import pytest

from siltstone.pipeline.words import anyof, asian, counted, letters


@pytest.mark.parametrize(
    ("phrases", "text", "found"),
    [
        ("for now", "only for  now, please", True),
        ("for now", "forknow", False),
        ("not", "nothing", False),
        ("no ?one", "noone came", True),
        ("改用", "我们改用它", True),
        ("use", "我们use它", True),
        ("", "anything", False),
    ],
)
def test_a_phrase_stands_as_a_whole(phrases: str, text: str, found: bool) -> None:
    assert (re.search(anyof(phrases), text) is not None) is found


def test_an_asian_letter_counts_for_two() -> None:
    assert (asian("記a한"), letters("記a한 1!")) == (2, 6)


def test_counted() -> None:
    assert [counted(1, "memory"), counted(2_000, "memory"), counted(0, "fact")] == [
        "1 memory",
        "2,000 memories",
        "0 facts",
    ]
