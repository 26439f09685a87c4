"""Chance told from words."""

import random
import string

from hypothesis import given, settings
from hypothesis import strategies as st
from support.table import table

from siltstone.store.redaction import redact
from siltstone.store.redaction.randomness import is_hex, is_uuid, looks_random, shape

LETTERS = string.ascii_letters + string.digits
# By seed: Hypothesis would draw "aaaa…" letter by letter, which no vendor hands out.
BODIES = st.integers(0, 2**32).map(lambda seed: "".join(random.Random(seed).choices(LETTERS, k=40)))  # noqa: S311
PREFIXES = st.text(string.ascii_lowercase, min_size=2, max_size=4).map(lambda text: "z" + text + "_")


@settings(max_examples=100, deadline=None)
@given(BODIES.filter(lambda body: shape(body).digit >= 3), PREFIXES)
def test_tokens_of_vendors_nobody_listed_are_hidden(body: str, prefix: str) -> None:
    assert redact(f"use {prefix}{body} here").text == "use [REDACTED] here"


@table("store", "names_and_hashes_are_not_chance")
def test_names_and_hashes_are_not_chance(name: str) -> None:
    assert not looks_random(name)


def test_hashes_are_known_by_their_digits() -> None:
    assert is_hex("0f3a9c27e1b84d65")
    assert not is_hex("0F3a9c27e1b84d65")
    assert is_uuid("4f0c2a9e-7d31-4b8a-9c55-0e6a5d1fd0aa")
    assert not is_uuid("4f0c2a9e-7d31")
