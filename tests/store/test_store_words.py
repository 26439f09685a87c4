"""Text cut into words for the search."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.table import table

from siltstone.store.words import query_words, stemmed, words


@table("store", "words")
def test_words(text: str, found: list[str]) -> None:
    assert words(text) == found


@table("store", "query_words")
def test_query_words(text: str, found: list[str]) -> None:
    assert query_words(text) == found


@table("store", "forms_of_a_word_have_one_stem")
def test_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stemmed(form) for form in forms.split()}) == 1


@pytest.mark.parametrize("word", ["redis", "status", "class", "bus", "ssh", "über", "主题", "h2o"])
def test_what_is_no_ending_stays(word: str) -> None:
    assert stemmed(word) == word


@settings(max_examples=100)
@given(text=st.text(st.characters() | st.sampled_from("包管理aB_ é")))
def test_every_word_looked_for_in_a_text_stands_in_it(text: str) -> None:
    stored = words(text)
    for asked in query_words(text):
        bare = asked.rstrip("*")
        assert any(word.startswith(bare) if asked.endswith("*") else word == bare for word in stored)
