"""Sentences keep their offsets; what is quoted or code is hidden."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siltstone.pipeline.sentences import mask, sentences


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


def test_an_apostrophe_opens_no_quotation() -> None:
    assert mask("don't forget Marit's rule, it's important") == "don't forget Marit's rule, it's important"
