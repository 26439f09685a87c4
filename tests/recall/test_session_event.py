"""The vocabulary of events: whatever is handed over is an event or a sentence."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from session_support import NOW, an_event, typed
from support.events import dump
from support.table import table

from siltstone.recall.session.event import KINDS, Event, Misread, parse

TEXT = st.text(max_size=40)
EVENTS = st.builds(
    Event,
    kind=st.sampled_from(KINDS),
    agent=st.text(min_size=1, max_size=9),
    session=st.text(min_size=1, max_size=9),
    at=st.floats(0, 4e9),
    role=st.sampled_from(["", "user", "assistant"]),
    text=TEXT,
    name=TEXT,
    input=TEXT,
    output=TEXT,
    command=TEXT,
    exit=st.none() | st.integers(-5, 300),
    failed=st.booleans(),
    model=TEXT,
    tokens=st.none() | st.integers(0, 10**7),
    limit=st.none() | st.integers(0, 10**7),
    reserve=st.none() | st.integers(0, 10**7),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=6,
)


@given(EVENTS)
def test_what_is_written_is_read_back(event: Event) -> None:
    assert parse(dump(event), NOW) == event


@given(st.dictionaries(st.sampled_from([*Event._fields, "event"]), JSON))
def test_any_object_is_an_event_or_misread(found: dict[str, object]) -> None:
    try:
        event = parse(json.dumps(found), NOW)
    except Misread:
        return
    for value, like in zip(event, an_event("idle"), strict=True):
        assert isinstance(value, (type(like), int, type(None)))


@table("session_event", "misread", ("[" * 100000, "one JSON object"))
def test_what_is_no_event_says_why(text: str, says: str) -> None:
    with pytest.raises(Misread, match=says):
        parse(text, NOW)


def test_fields_of_another_type_are_not_told() -> None:
    event = parse(
        '{"event": "tool", "agent": "a", "session": "s", "at": "noon", "exit": "1", "failed": 1,'
        ' "tokens": -4, "limit": true, "reserve": 1e99, "output": {"a": 1}, "input": {"path": "x"}}',
        NOW,
    )
    assert event == Event("tool", "a", "s", NOW, input='{"path":"x"}')


@table("session_event", "commands")
def test_a_shell_s_command_may_stand_in_its_input(name: str, given: object, command: str) -> None:
    told = {"event": "tool", "agent": "a", "session": "s", "name": name, "input": given}
    assert parse(json.dumps(told), NOW).command == command
    assert parse(json.dumps(told | {"command": "make"}), NOW).command == "make"


def test_a_status_below_zero_is_one() -> None:
    assert parse(dump(an_event("tool", exit=-9)), NOW).exit == -9


def test_half_a_surrogate_pair_survives() -> None:
    assert parse(dump(typed("\ud83d")), NOW).text == "\ud83d"
