"""Identifiers: what a rewrite must not lose."""

from hypothesis import given, settings
from hypothesis import strategies as st
from support.table import table

from siltstone.pipeline.identifiers import identifiers, lost


@table("identifiers", "of")
def test_identifiers_of(text: str, found: list[str]) -> None:
    assert set(found) <= identifiers(text)


def test_plain_words_are_no_identifiers() -> None:
    assert identifiers("Make sure that the tests pass before you commit. Keep answers short.") == frozenset()


@table("identifiers", "lost")
def test_lost(old: str, new: str, missing: list[str]) -> None:
    assert lost(old, new) == set(missing)


@given(st.text(max_size=300))
@settings(max_examples=100)
def test_a_text_loses_nothing_to_itself(text: str) -> None:
    assert lost(text, text) == frozenset()
    assert lost(text, text + " and more") <= identifiers(text)
