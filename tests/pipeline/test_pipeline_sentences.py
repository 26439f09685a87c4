"""Sentences keep their offsets; what is quoted or code is hidden."""

import re
from itertools import accumulate

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siltstone.pipeline.sentences import fences, mask, quoted_lines, sentences, sentences_near


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Use uv. Never pip.", ["Use uv.", "Never pip."]),
        ("Rust 1.74 is the minimum, e.g. on CI. Yes.", ["Rust 1.74 is the minimum, e.g. on CI.", "Yes."]),
        ("see https://a.example/x.y. Then go", ["see https://a.example/x.y.", "Then go"]),
        ("用 pnpm。不要用 npm！好吗？", ["用 pnpm。", "不要用 npm！", "好吗？"]),
        ("yes musl. 不要记住：临时的", ["yes musl.", "不要记住：临时的"]),
        ("- one\n- two\n\n3. three", ["one", "two", "three"]),
        ("open src/app.ts and Fly.io", ["open src/app.ts and Fly.io"]),
        ("he said “a. b. c” and left", ["he said “a. b. c” and left"]),
    ],
    ids=["plain", "number", "url", "zh", "mixed", "list", "names", "quoted"],
)
def test_cut(text: str, cut: list[str]) -> None:
    assert [sentence.text for sentence in sentences(text)] == cut


@given(st.text(max_size=400))
@settings(max_examples=100)
def test_offsets_are_exact(text: str) -> None:
    assert len(mask(text)) == len(text)
    for sentence in sentences(text):
        assert text[sentence.start : sentence.end] == sentence.text


@given(st.text(st.sampled_from("ab 1.!?;。！？…；)”’」』）\"'\n"), max_size=60))
def test_signs_elsewhere_change_nothing(text: str) -> None:
    alone = sentences(text)
    assert sentences(f"{text}\nab .!?;。！？…；”’」』）")[: len(alone)] == alone


def test_code_and_quoted_lines_are_hidden() -> None:
    text = 'a\n```\nremember b\n```\n> remember c\nsay "remember d" and `remember e`'
    assert "remember" not in mask(text)


LINES = (
    "",
    " ",
    "```",
    "  ````py",
    "~~~",
    "a ``` b",
    "\t> c",
    "\N{NO-BREAK SPACE}> c",
    "\x0c```",
    "d > e",
    "- ",
    "- f. G",
    "h:",
    "i; j! k",
    "> ",
)
FENCE = r"(?m)^[ \t]*(`{3,}|~{3,})[^\n]*$"


@settings(max_examples=300)
@given(st.lists(st.sampled_from(LINES), max_size=12))
def test_fences_and_quotes_begin_a_line(lines: list[str]) -> None:
    text = "\n".join(lines)
    assert quoted_lines(text) == [one.span() for one in re.finditer(r"(?m)^[ \t]*>[^\n]*$", text)]
    marks = [(one.start(), one.group(1), one.end()) for one in re.finditer(FENCE, text)]
    spans = []
    while marks:
        (start, mark, _), *after = marks
        closing = [end for _, other, end in after if other.startswith(mark)]
        spans.append((start, closing[0] if closing else len(text)))
        marks = [one for one in after if closing and one[2] > closing[0]]
    assert fences(text) == spans


@settings(max_examples=300)
@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=14), st.data())
def test_sentences_near_a_line_are_those_of_all(lines: list[str], data: st.DataObject) -> None:
    text = "\n".join(lines)
    starts = [*accumulate((len(line) + 1 for line in lines), initial=0)]
    numbers = data.draw(st.lists(st.integers(0, len(lines) - 1), unique=True, min_size=1).map(sorted))
    near = sentences_near(text, mask(text), {n: (starts[n], starts[n] + len(lines[n])) for n in numbers})
    every = sentences(text)
    assert [one for one in every if one in near] == near
    for at, one in enumerate(every):
        if one.line in numbers:
            assert one in near
            assert at == 0 or every[at - 1] in near
        below = [n for n in numbers if n < one.line and all(map(str.strip, lines[n + 3 : one.line + 1]))]
        assert not below or one in near


def test_an_apostrophe_opens_no_quotation() -> None:
    assert mask("don't forget Marit's rule, it's important") == "don't forget Marit's rule, it's important"
