"""Sentences as they are judged: without manners, greetings and chat spelling."""

import pytest

from siltstone.pipeline.plainly import announced, courteous, plainly

PLAIN = {
    "chat": ("pls dont push, u always forget", "please don't push, you always forget"),
    "wish": ("I would like to ask you that you never push", "never push"),
    "grateful": ("I would be very grateful if you could avoid globals", "avoid globals"),
    "may-i": ("May I ask you to always build in release mode?", "always build in release mode?"),
    "inform": ("I just wanted to let you know that we moved to Kiel", "we moved to Kiel"),
    "greeting": ("Thank you very much! Never push", "Never push"),
    "several": ("Hi, perfect, I need you to use tabs", "use tabs"),
    "untouched": ("the queue is NATS", "the queue is NATS"),
    "file": ("see im.py and dont.md", "see im.py and dont.md"),
    "only-thanks": ("thanks a lot!", "thanks a lot!"),
}


@pytest.mark.parametrize(("said", "plain"), PLAIN.values(), ids=PLAIN)
def test_plainly(said: str, plain: str) -> None:
    assert plainly(said) == plain


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("one more thing: prices are cents", "prices are cents"),
        ("for the README: a frame goes out every minute", "a frame goes out every minute"),
        ("tests go through the runner: `make device`", "tests go through the runner: `make device`"),
        ("note: yes", "note: yes"),
    ],
    ids=["announced", "for", "statement", "nothing-behind"],
)
def test_announced(text: str, rest: str) -> None:
    assert announced(text) == rest


@pytest.mark.parametrize(
    ("text", "only"),
    [("thank you so much!", True), ("Perfect.", True), ("thanks, never push", False), ("no tabs", False)],
    ids=["thanks", "reaction", "with-a-rule", "rule"],
)
def test_courteous(text: str, only: bool) -> None:
    assert courteous(text) is only
