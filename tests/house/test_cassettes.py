"""Cassettes hold no host, no key and no machine, and a changed prompt makes them fail helpfully."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from support import cassettes


def request(body: object = b"{}", uri: str = "http://x/v1/chat/completions") -> SimpleNamespace:
    return SimpleNamespace(body=body, uri=uri, headers={"Authorization": "Bearer k", "Content-Type": "json"})


@pytest.mark.parametrize(
    ("uri", "kept"),
    [
        ("http://127.0.0.1:8399/v1/chat/completions", "/chat/completions"),
        ("https://user:k@api.example/v1/chat/completions?key=k", "/chat/completions"),
        ("https://api.example/deep/prefix/v1/messages/", "/messages"),
        ("https://g.example/v1beta/models/gemini:generateContent?key=k", "/models/gemini:generateContent"),
        ("https://api.example/other", "/other"),
    ],
)
def test_any_host_becomes_one_that_does_not_exist(uri: str, kept: str) -> None:
    assert cassettes.scrub_request(request(uri=uri)).uri == cassettes.HOST + kept


def test_headers_are_kept_by_name() -> None:
    assert cassettes.scrub_request(request()).headers == {"Content-Type": "json"}
    told = {"headers": {"Retry-After": ["7"], "Set-Cookie": ["x"], "Content-Type": ["json"], "X-Org": ["me"]}}
    assert cassettes.scrub_response(told)["headers"] == {"retry-after": ["7"], "content-type": ["json"]}


@pytest.mark.parametrize("body", [b'{"a": 1, "b": 2, "model": "y"}', '{"b":2,"a":1,"user":"me"}'])
def test_bodies_match_by_what_they_mean(body: str | bytes) -> None:
    cassettes.match_llm_body(request(b'{"a": 1, "b": 2, "model": "x"}'), request(body))


def test_a_changed_prompt_says_how_to_record_again() -> None:
    with pytest.raises(AssertionError, match="make record"):
        cassettes.match_llm_body(request(b'{"messages": ["old"]}'), request(b'{"messages": ["new"]}'))


def test_cassettes_lie_at_the_top_by_test_module() -> None:
    assert cassettes.path_for(Path("tests/pipeline/test_x.py")) == cassettes.ROOT / "cassettes" / "test_x"
    assert (cassettes.ROOT / "pyproject.toml").exists()
