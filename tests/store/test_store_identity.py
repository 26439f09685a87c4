"""Remotes of one repository are one identity, and no password is in it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.table import table

from siltstone.store.identity import Identity, is_writable, of_remote

LARKSPUR = "github.com/acme/larkspur"


@table("store", "all_forms_of_a_remote_are_one")
def test_all_forms_of_a_remote_are_one(url: str) -> None:
    assert of_remote(url) == Identity("remote", LARKSPUR)


@pytest.mark.parametrize(
    ("url", "identity"),
    [
        pytest.param(
            "http://localhost:3000/a/b", Identity("remote", "localhost:3000/a/b"), id="other http port"
        ),
        pytest.param("[::1]:a/b.git", Identity("remote", "::1/a/b"), id="IPv6"),
        pytest.param("hg::https://host/a%20b", Identity("remote", "host/a b"), id="helper"),
        pytest.param("/srv/git/larkspur.git", Identity("path", "/srv/git/larkspur.git"), id="bare folder"),
        pytest.param("/home/me/larkspur/.git/", Identity("path", "/home/me/larkspur"), id="git folder"),
        pytest.param("file:///home/me/larkspur", Identity("path", "/home/me/larkspur"), id="file"),
        pytest.param("../larkspur", Identity("path", "/home/me/larkspur"), id="relative"),
    ],
)
def test_other_remotes(url: str, identity: Identity) -> None:
    assert of_remote(url, "/home/me/clone") == identity


@pytest.mark.parametrize(
    "url",
    ["", " ", "../x", "https://", "https://host", "https://[::1", "ssh://host:port/x", "a\nb", "x" * 2000],
)
def test_what_tells_nothing(url: str) -> None:
    assert of_remote(url) is None


@settings(max_examples=100)
@given(url=st.text(st.characters() | st.sampled_from(":/@[]%#?.")))
def test_any_text_is_read(url: str) -> None:
    identity = of_remote(url, "/home/me")
    assert identity is None or is_writable(identity.value)


@settings(max_examples=100)
@given(
    password=st.text("abcXYZ019:%!$&'()*+,;=@", min_size=1).map(lambda text: f"QQ{text}"),
    url=st.sampled_from(["https://u:{}@host/a/b", "https://{}@host/a/b.git", "ssh://u:{}@host:22/a/b"]),
)
def test_userinfo_never_shows(password: str, url: str) -> None:
    assert of_remote(url.format(password)) == Identity("remote", "host/a/b")
