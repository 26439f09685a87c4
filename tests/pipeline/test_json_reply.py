"""Reading lists out of replies: what models make of JSON is understood, half an answer never is."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.table import table

from siltstone.pipeline.model.json_reply import MAX_CHARS, Unreadable, items


@table("json_reply", "read")
def test_read(text: str, wanted: list[object]) -> None:
    assert items(text, "memories") == wanted


@table(
    "json_reply",
    "unread",
    (f'{{"memories": ["{"x" * 10_000_000}"]}}', "10,000,018 characters, more than 1,000,000"),
    ('{"memories": ' + "[" * 100_000, "its JSON is broken"),
)
def test_unread(text: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        items(text, "memories")


@pytest.mark.parametrize(
    "piece", ["[", "{ ", '{"a"', "{/*", "{/**", '{"a":"\\\\', '{"a":"" ', '{"a":"\n\n', "```"], ids=repr
)
def test_a_long_reply_of_nonsense_is_given_up(piece: str) -> None:
    with pytest.raises(Unreadable):
        items((piece * MAX_CHARS)[:MAX_CHARS], "memories")


MEAN = "ab{}[]\"'`:,\\/*# \n“é"
values = st.recursive(
    st.none() | st.booleans() | st.integers(-99, 99) | st.text(MEAN, max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(MEAN, max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=40)
@given(st.lists(st.dictionaries(st.sampled_from(["body", "n", "evidence"]), values, max_size=3), max_size=4))
def test_what_is_written_as_json_is_read_and_never_in_part(wanted: list[dict[str, object]]) -> None:
    text = json.dumps({"memories": wanted}, ensure_ascii=False)
    assert items(text, "memories") == wanted
    for end in range(len(text)):
        with pytest.raises(Unreadable):
            items(text[:end], "memories")


@settings(max_examples=100)
@given(st.text(MEAN, max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        assert isinstance(items(text, "memories"), list)
    except Unreadable as unreadable:
        assert str(unreadable)  # noqa: PT017 (both outcomes are fine)
