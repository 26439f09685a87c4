"""Identifiers: what a rewrite must not lose."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siltstone.pipeline.identifiers import identifiers, lost


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Shipping is free from £40", {"£40"}),
        ("Idle connections are cut after 55 seconds", {"55s"}),
        ("It costs 1,200 dollars", {"$1200"}),
        ("Docs: https://Docs.example.org/a/#x.", {"https://docs.example.org/a"}),
        ("Edit ./src/app.ts by hand", {"src/app.ts"}),
        ("Run `make lint` first", {"make lint"}),
        ("never run git push in any repo", {"git push"}),
        ("The queue is NATS JetStream", {"nats", "jetstream"}),
        ("Node 20 is required", {"node"}),
        ("Fly Machines run it", {"fly", "machines"}),
        ("the page 'Checkout v3' counts", {"checkout v3"}),
        ("发布前跑 cargo deny，用 pnpm", {"cargo deny", "pnpm"}),
        ("alerts go to #tide-ops", {"#tide-ops"}),
    ],
)
def test_identifiers_of(text: str, found: set[str]) -> None:
    assert found <= identifiers(text)


def test_plain_words_are_no_identifiers() -> None:
    assert identifiers("Make sure that the tests pass before you commit. Keep answers short.") == frozenset()


@pytest.mark.parametrize(
    ("old", "new", "missing"),
    [
        ("Shipping is free from £40", "Shipping is free from £50", {"£40"}),
        ("The limit is 55 seconds", "It cuts after 55 s", set()),
        ("The limit is 64 KB", "The limit is 64 MB", {"64kb"}),
        ("Rust 1.7 or later", "Rust 1.74 or later", {"1.7"}),
        ("Use pnpm for installs", "Installs are done with pnpm", set()),
        ("Use pnpm for installs", "Use the package manager", {"pnpm"}),
        ("See `docs/ops.md`", "See docs/ops.md for that", set()),
    ],
    ids=["value", "unit-spelling", "unit", "longer-number", "kept", "tool", "code-or-not"],
)
def test_lost(old: str, new: str, missing: set[str]) -> None:
    assert lost(old, new) == missing


@given(st.text(max_size=300))
@settings(max_examples=100)
def test_a_text_loses_nothing_to_itself(text: str) -> None:
    assert lost(text, text) == frozenset()
    assert lost(text, text + " and more") <= identifiers(text)
