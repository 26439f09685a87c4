"""Pressure: levels, the line, and when the agent is told (docs/seeds.md B16–B20, and "Source")."""

from typing import Any

import pytest
from session_support import after, an_event, typed
from support.table import table

from siltstone.recall.session.event import Event
from siltstone.recall.session.pressure import intervention, level, line, moved, percent
from siltstone.recall.session.state import Pressure, SessionState


@table("session_pressure", "levels")
def test_levels(at: float, name: str) -> None:
    assert level(at) == name


@table("session_pressure", "percent")
def test_percent(told: dict[str, Any], at: float) -> None:
    pressure = Pressure(**told)
    assert percent(pressure) == pytest.approx(at)
    assert moved(pressure).level == level(at)


def test_the_line_and_three_of_advice() -> None:
    said = line(SessionState(pressure=Pressure(chars=156_600, level="high"))).splitlines()
    assert said[0] == "[Memory Pressure: 87% (high) - 156,600/180,000 chars]"
    assert len(said) == 4
    assert line(SessionState(pressure=Pressure(chars=5))) == ""


@pytest.mark.parametrize(("tokens", "over"), [(200_000, False), (200_001, True), (12_000_000, True)])
def test_no_percentage_is_beyond_a_hundred(tokens: int, over: bool) -> None:
    state = SessionState(pressure=Pressure(tokens=tokens, limit=200_000, level="critical"))
    how = "100%, over its window" if over else "100%"
    assert line(state).startswith(f"[Memory Pressure: {how} (critical) - {tokens:,}/200,000 tokens]\n")


@pytest.mark.parametrize(
    ("chars", "said"),
    [(152_999, "84% (moderate)"), (153_000, "85% (high)"), (170_999, "94% (high)"), (171_000, "95% (crit")],
)
def test_the_percentage_that_is_said_is_of_the_level_that_is_said(chars: int, said: str) -> None:
    state = after([an_event("message", role="assistant", text="x" * chars)])
    assert f": {said}" in line(state)


def used(tokens: int, limit: int = 100) -> Event:
    return an_event("idle", tokens=tokens, limit=limit)


def told(events: list[Event]) -> list[bool]:
    """After which of the events the agent is told something."""
    state, said = SessionState(), []
    for event in events:
        new = after([event], state)
        said.append(intervention(state, new) != "")
        state = new
    return said


def test_the_agent_is_told_once_when_it_becomes_critical_and_when_it_does_so_again() -> None:
    assert told([used(60), used(90), used(95), used(99), used(96)]) == [False, False, True, False, False]
    events = [used(95), an_event("compaction"), used(30), used(97), used(98)]
    assert told(events) == [True, False, False, True, False]


def test_right_after_a_change_of_model_nothing_is_told() -> None:
    first, other = an_event("model", model="a"), an_event("model", model="b")
    assert told([first, used(10), other, used(96), used(97)]) == [False] * 5
    assert told([first, used(96)]) == [False, True]
    assert told([first, used(10), an_event("model", model="a"), used(96)])[-1]


def test_what_was_told_of_the_context_holds_until_something_else_is_or_the_model_is_another() -> None:
    state = after([an_event("idle", tokens=10, limit=100, reserve=5), an_event("idle", tokens=20)])
    assert state.pressure[1:4] == (20, 100, 5)
    state = after([an_event("model", model="a"), used(96), an_event("model", model="b")])
    assert (state.pressure.tokens, state.pressure.limit) == (None, None)


def test_visible_characters_are_counted_and_end_with_a_compaction() -> None:
    talk = [typed("x" * 1_000), an_event("tool", input="{}", output="y" * 500)]
    assert after(talk).pressure.chars == 1_502
    assert after([*talk, an_event("compaction", text="z" * 40)]).pressure.chars == 40
