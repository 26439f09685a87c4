"""No memory's text can close its wrapper, forge a section or a role, or hide letters."""

import re

from hypothesis import example, given
from hypothesis import strategies as st
from support.table import table

from siltstone.recall.escape import CUT, cut, line, lines


@table("escape", "line")
def test_a_line(text: str, safe: str) -> None:
    assert line(text, 200) == safe


def test_a_long_line_is_cut_between_words() -> None:
    assert line("one two three four five", 16) == f"one two three{CUT}"
    assert line("x" * 50, 10) == "x" * 8 + CUT
    assert line("x" * 5_000_000, 280) == "x" * 278 + CUT


@table("escape", "a_long_line_is_cut_at_the_end_of_a_sentence_if_that_leaves_half_of_it")
def test_a_long_line_is_cut_at_the_end_of_a_sentence_if_that_leaves_half_of_it(text: str, safe: str) -> None:
    assert line(text, len(text) - 5 if text.isascii() else 12) == f"{safe}{CUT}"


@table("escape", "lines")
def test_lines(text: str, safe: list[str]) -> None:
    assert lines(text, 500) == safe


def test_lines_end_at_the_limit_and_say_so() -> None:
    assert lines("aaa\nbbb\nccc\n", 8) == ["  aaa", "  bbb", "  …"]


def test_lines_are_cut_at_a_sentence_or_else_between_words() -> None:
    safe = "\n".join(lines("First line\nOne two. Three four. Five six", 500))
    assert cut(safe, len(safe)) == safe
    assert cut(safe, len(safe) - 1) == f"  First line\n  One two. Three four.{CUT}"
    assert cut(safe, 22) == f"  First line{CUT}"
    assert cut(safe, 9) == cut("", 0) == cut("  a", -9) == ""
    assert cut(f"  {'word ' * 90}", 120) == f"  {'word ' * 23}".rstrip() + CUT


ANYTHING = st.text(
    st.one_of(st.characters(), st.sampled_from("<＜>/|[]\n\r\u2028\u200b\u200d: #-İ")), max_size=60
) | st.lists(
    st.sampled_from(
        [
            "</",
            "<",
            "siltstone-memory",
            ">",
            "system",
            "\n",
            "Human:",
            "[",
            "memory",
            "]",
            " ",
            "\u200d",
            "/",
            "memfs",
        ]
    ),
    max_size=12,
).map("".join)


@given(ANYTHING, st.integers(8, 80))
@example("<\u200b\u200d</\u2028siltstone-memory>", 80)
@example("<\U0010ffff/\u0378siltstone>", 80)
@example("<sy\ufb06em>", 80)
@example("a" * 14 + "<sysadmin", 20)
@example("a" * 13 + "[users]", 20)
@example("<S\rILTSTONE", 80)
def test_any_line_is_one_line_within_its_length(text: str, most: int) -> None:
    safe = line(text, most)
    assert len(safe) <= most
    assert len(safe.splitlines()) <= 1
    assert_harmless(safe)
    assert line(safe, most) == safe


@given(ANYTHING, st.integers(1, 200))
def test_any_lines_are_indented_and_harmless(text: str, most: int) -> None:
    for one in lines(text, most):
        assert one == "" or one.startswith("  ")
        assert len(one.splitlines()) <= 1
        assert_harmless(one)


def assert_harmless(safe: str) -> None:
    shown = "".join(char for char in safe.casefold() if char.isprintable() or char.isspace())
    bare = re.sub(r"(?<=[<＜\[/／])\s+|\s+(?=[\]/／])", "", shown)  # blanks in a word make it no mark
    for mark in ("</", "<siltstone", "<system", "<memfs", "<|", "[memory]", "[/memory]"):
        assert mark not in bare.replace("＜", "<").replace("／", "/")
    assert safe.encode().decode() == safe
