"""Keys by which wordings of one memory are recognised."""

from hypothesis import given, settings
from hypothesis import strategies as st
from support.table import table

from siltstone.pipeline.canonical import canonical, identity_key, is_path
from siltstone.store.entry import Type


@table("canonical", "wordings")
def test_wordings_that_differ_in_form_are_one(text: str) -> None:
    assert canonical(text) == "keep the changelog short"


def test_what_carries_meaning_stays() -> None:
    for one, other in (("from £40", "from £50"), ("use C++ here", "use C here"), ("a > b", "a < b")):
        assert canonical(one) != canonical(other)


@given(st.text())
@settings(max_examples=100)
def test_canonical_is_idempotent_and_takes_any_text(text: str) -> None:
    once = canonical(text)
    identity_key("project", text)
    assert canonical(once) == once
    assert "  " not in once
    assert once == once.strip()


@table("canonical", "identity")
def test_identity(type_: Type, text: str, key: str | None) -> None:
    assert identity_key(type_, text) == key


def test_is_no_path() -> None:
    words = ["1/2", "I/O", "and/or", "CI/CD", "client/server", "Node.js", "3.11", "e.g.", "/", "..."]
    assert [word for word in words if is_path(word)] == []
