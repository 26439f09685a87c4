"""Same claim, near, plain contradiction: tables of what is and what is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.pipeline.merging.likeness import content, near, overlap, same_claim
from siltstone.pipeline.merging.rivals import names_old_value, rivals

RIVALS = {
    "days": (
        "raw readings are kept for 90 days, hourly ones for ever",
        "raw readings stay there for 180 days",
    ),
    "money": ("free shipping starts at £40", "free shipping is from £50"),
    "percent": ("coverage target is 70%", "coverage target raised to 80%"),
    "set": ("timeout is set to 30s", "timeout updated to 60s"),
    "version": ("Node 18 is required", "Node 20 is required"),
    "indent": ("Indent with 2 spaces in TypeScript", "Indent with 4 spaces in TypeScript"),
    "name": ("Hosting is Vercel, so server actions are fine", "hosting is Netlify"),
    "names": ("The ingest queue is Redis Streams", "The ingest queue is NATS JetStream"),
    "tool": ("Use pnpm for installs", "use npm for installs"),
    "yes and no": ("always use tabs in Go files", "never use tabs in Go files"),
    "Chinese name": ("包管理器是pnpm", "包管理器是npm"),
    "Chinese number": ("超时是30秒", "超时是60秒"),
    "second sentence": ("It is a shop. The admin port is 8080.", "The admin port is 9090."),
}


@pytest.mark.parametrize("case", RIVALS.values(), ids=RIVALS.keys())
def test_plain_contradictions_are_seen_from_both_sides(case: tuple[str, str]) -> None:
    assert rivals(*case)
    assert rivals(*case[::-1])


PEACE = {
    "other subjects": ("The API port is 8080", "The admin port is 8081"),
    "for and every": ("Raw readings are kept for 90 days", "Raw readings are exported every 30 days"),
    "what it is and how": ("The default branch is main", "The default branch is protected"),
    "other places": ("Deploy staging on Friday", "Deploy production on Friday"),
    "other units": ("Docker image is 1.2GB", "Docker image reduced to 340MB"),
    "the same": ("free shipping starts at £40", "Free shipping: from £40"),
    "too little said": ("Use 2 spaces", "Use 4 tabs"),
    "nothing": ("", ""),
}


@pytest.mark.parametrize("case", PEACE.values(), ids=PEACE.keys())
def test_what_only_differs_is_none(case: tuple[str, str]) -> None:
    assert not rivals(*case)


OLD_VALUES = {
    "moved": (
        "we moved the ingest queue from Redis Streams to NATS JetStream last week",
        "the ingest queue is Redis Streams, so ids are monotonic",
        True,
    ),
    "no longer": ("We no longer host on Vercel, the shop runs on Fly.io", "hosting is Vercel", True),
    "instead of": (
        "our minimum Rust version is now 1.82 instead of 1.74",
        "Our minimum Rust version is 1.74, because the box is offline",
        True,
    ),
    "the name alone": ("We no longer host on Vercel", "Vercel previews need the token", False),
    "the subject alone": ("we moved the ingest queue to NATS", "The ingest queue is drained nightly", False),
}


@pytest.mark.parametrize("case", OLD_VALUES.values(), ids=OLD_VALUES.keys())
def test_a_quote_names_what_it_replaces(case: tuple[str, str, bool]) -> None:
    assert names_old_value(case[0], case[1]) is case[2]


CLAIMS = {
    "form": ("Config location: .x/x.json", "X config path `.x/x.json`", True),
    "a fact more": ("config/app.yml holds the limits", "Never edit config/app.yml by hand", False),
    "another number": ("See a/b.md for the 3 steps", "See a/b.md for the 4 steps", False),
}


@pytest.mark.parametrize("case", CLAIMS.values(), ids=CLAIMS.keys())
def test_texts_about_one_path_say_the_same_or_not(case: tuple[str, str, bool]) -> None:
    assert same_claim(case[0], case[1]) is case[2]
    assert same_claim(case[1], case[0]) is case[2]


def test_near_needs_the_same_numbers_and_polarity() -> None:
    assert near("The API listens on port 8080 behind nginx", "The API listens on port 8080, nginx")
    assert not near("The API listens on port 8080", "The API listens on port 9090")
    assert not near("Use the npm cache for plugins", "Never use the npm cache for plugins")


TEXTS = st.text(max_size=400)


@given(TEXTS, TEXTS)
def test_any_text_can_be_compared(one: str, other: str) -> None:
    assert rivals(one, other) == rivals(other, one)
    assert not rivals(one, one)
    assert near(one, one)
    assert 0 <= overlap(content(one), content(other)) <= 1
    names_old_value(one, other)


def test_a_megabyte_of_one_letter_is_no_trap() -> None:
    for letter in ("a", "1", " ", "是", "1,", "a-"):
        rivals(letter * 1_000_000, letter * 999_999)
