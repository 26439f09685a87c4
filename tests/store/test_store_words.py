"""Text cut into words for the search."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siltstone.store.words import query_words, words


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param("Use npm-cache!", ["use", "npm", "cache"], id="words"),
        pytest.param("getUserProfile", ["getuserprofile", "get", "user", "profile"], id="camel"),
        pytest.param("HTTPServer", ["httpserver", "http", "server"], id="capitals"),
        pytest.param("auth_service.py", ["auth", "service", "py"], id="snake"),
        pytest.param("Café NAÏVE", ["cafe", "naive"], id="accents"),
        pytest.param("深色主题", ["深色", "色主", "主题", "题"], id="Chinese"),
        pytest.param("用pnpm装", ["用", "pnpm", "装"], id="mixed scripts"),
        pytest.param("ｐｎｐｍ", ["pnpm"], id="full width"),
        pytest.param("v18.2", ["v18", "2"], id="version"),
        pytest.param("\ud800 \x00 🙂 ''", [], id="nothing"),
    ],
)
def test_words(text: str, found: list[str]) -> None:
    assert words(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("userProfile user", ['"user"', '"profile"']),
        ("主题", ['"主题"']),
        ("题", ['"题"*']),
        ('a" OR b* NEAR(c) -d', ['"a"', '"or"', '"b"', '"near"', '"c"', '"d"']),
    ],
)
def test_query_words(text: str, found: list[str]) -> None:
    assert query_words(text) == found


@settings(max_examples=100)
@given(text=st.text(st.characters() | st.sampled_from("包管理aB_ é")))
def test_every_word_looked_for_in_a_text_stands_in_it(text: str) -> None:
    stored = words(text)
    for term in query_words(text):
        bare = term.rstrip("*").strip('"')
        assert any(word.startswith(bare) if term.endswith("*") else word == bare for word in stored)
