"""Text cut into words for the search."""

import re
import unicodedata
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from support.table import table

from siltstone.store.words import query_words, words


@table("store", "words")
def test_words(text: str, found: list[str]) -> None:
    assert words(text) == found


@table("store", "query_words")
def test_query_words(text: str, found: list[str]) -> None:
    assert query_words(text) == found


@settings(max_examples=100)
@given(text=st.text(st.characters() | st.sampled_from("包管理aB_ é")))
def test_every_word_looked_for_in_a_text_stands_in_it(text: str) -> None:
    stored = words(text)
    for asked in query_words(text):
        bare = asked.rstrip("*")
        assert any(word.startswith(bare) if asked.endswith("*") else word == bare for word in stored)


@settings(max_examples=100)
@given(st.text(st.sampled_from("abXYZ09_- .é中文かß\u0301"), max_size=20))
def test_texts_are_cut_as_these_patterns_say(text: str) -> None:
    cjk = "[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"
    found: list[str] = []
    for piece in re.findall(rf"{cjk}+|[^\W_\u3040-\u9fff]+", unicodedata.normalize("NFKC", text)):
        if re.match(cjk, piece):
            found += [f"{piece}*"] if len(piece) == 1 else [f"{a}{b}" for a, b in pairwise(piece)]
        else:
            parts = re.split(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", piece)
            found += map(folded, parts)
    assert query_words(text) == list(dict.fromkeys(found))


def folded(word: str) -> str:
    bare = re.sub("[\u0300-\u036f]", "", unicodedata.normalize("NFD", word.casefold()))
    return unicodedata.normalize("NFC", bare)
