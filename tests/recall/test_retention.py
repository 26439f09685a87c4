"""Retention (docs/seeds.md A20–A26): the numbers of the Source, and what time does to them."""

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.table import table

from siltstone.recall.prepared_writer import ages
from siltstone.recall.retention import (
    DAY,
    HALF_LIFE,
    TYPES,
    days_old,
    half_life,
    initial,
    is_stale,
    rank,
    strength,
)

NOW = datetime(2026, 9, 3, 12, tzinfo=UTC).timestamp()


@table("retention", "initial")
def test_initial_strength(of: tuple[str, str, str], value: float) -> None:
    assert initial(*of) == pytest.approx(value)


@pytest.mark.parametrize(
    ("repeats", "days"),
    [(0, 45), (1, 45 / 0.85), (6, 119.31607528496347), (99, 119.31607528496347), (-1, 45)],
)
def test_half_life_grows_with_repeats_up_to_six(repeats: int, days: float) -> None:
    assert half_life(repeats) == pytest.approx(days)


@table("retention", "dormant")
def test_dormant_days_count_a_quarter(age: float, idle: float, days: float) -> None:
    left = strength(1.0, 0, NOW - age * DAY, NOW, NOW - idle * DAY)
    assert left == pytest.approx(2 ** (-days / HALF_LIFE))


def test_a_note_without_a_date_does_not_fade() -> None:
    assert strength(1.4, 0, None, NOW, None) == 1.4
    assert not is_stale("decision", days_old(None, NOW))


@table("retention", "stale")
def test_what_goes_stale(type: str, days: int, stale: bool) -> None:
    assert is_stale(type, days) == stale


@table("retention", "states_people_versions_and_dates_age")
def test_states_people_versions_and_dates_age(text: str) -> None:
    assert ages(text)


@table("retention", "what_holds_by_nature_does_not_age")
def test_what_holds_by_nature_does_not_age(text: str) -> None:
    assert not ages(text)


def test_age_is_told_in_whole_days_of_utc() -> None:
    evening = datetime(2026, 9, 2, 23, 59, tzinfo=UTC).timestamp()
    assert [days_old(evening, NOW), days_old(evening, evening + 30), days_old(NOW + DAY, NOW)] == [1, 0, 0]


CLOCKS = st.floats(NOW - 3000 * DAY, NOW)
STARTS = st.sampled_from([initial(type, source) for type in TYPES for source in ("extraction", "explicit")])


@given(
    st.integers(0, 6), st.lists(st.tuples(STARTS, CLOCKS), min_size=2), st.floats(0, 2000), st.floats(0, 900)
)
def test_the_order_of_a_class_is_the_same_at_every_time(
    repeats: int, told: list[tuple[float, float]], later: float, idle: float
) -> None:
    """What lets the best of each class be kept ready (recall/prepared.py)."""
    ordered = sorted(told, key=lambda one: rank(one[0], repeats, one[1]), reverse=True)
    now = NOW + later * DAY
    activity = max(max(clock for _, clock in told), now - idle * DAY)
    values = [strength(start, repeats, clock, now, activity) for start, clock in ordered]
    assert all(one >= other * (1 - 1e-9) for one, other in pairwise(values))


@given(STARTS, st.integers(0, 6), CLOCKS, st.floats(0, 4000), st.floats(0, 4000))
def test_strength_is_never_negative_and_never_grows(
    start: float, repeats: int, clock: float, one: float, other: float
) -> None:
    sooner, later = sorted((NOW + one * DAY, NOW + other * DAY))
    values = [strength(start, repeats, clock, now, clock) for now in (sooner, later)]
    assert 0 <= values[1] <= values[0] <= start
