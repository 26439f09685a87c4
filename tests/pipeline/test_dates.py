"""Relative time words, and the dates that may stand in their place."""

from datetime import date

import pytest

from siltstone.pipeline.proof.dates import near, relative

SAID = [date(2026, 9, 9)]


@pytest.mark.parametrize(
    "text",
    [
        "since last Monday the queue is NATS",
        "we moved it yesterday",
        "frozen until Friday",
        "changed two weeks ago",
        "seit letzter Woche auf Fly",
        "depuis hier",
        "desde ayer",
        "上周换成了 pnpm",
        "先週から NATS",
        "지난주부터 NATS",
    ],
)
def test_relative_words(text: str) -> None:
    assert relative(text)


@pytest.mark.parametrize(
    "text", ["since 2026-09-07 the queue is NATS", "Mondays are for planning", "the last release", ""]
)
def test_other_words(text: str) -> None:
    assert not relative(text)


@pytest.mark.parametrize(
    ("handle", "fits"),
    [
        ("2026-09-07", True),
        ("2026-10-10", True),
        ("2026-10-11", False),
        ("2026-08-09", True),
        ("2026-08-08", False),
        ("2026-09-31", False),
        ("2026-09", False),
        ("9090", False),
        ("٢٠٢٦-09-07", False),
    ],
)
def test_a_date_is_near_the_day_it_was_said(handle: str, fits: bool) -> None:
    assert near(handle, SAID) is fits
    assert not near(handle, [])
