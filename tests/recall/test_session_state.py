"""The JSON of a session's state: read back as it was, read whatever stands in it, migrated."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from session_support import NOW, after, an_event, ran, typed, used
from support.table import table
from test_session_event import EVENTS

from siltstone.recall.session.event import Event
from siltstone.recall.session.state import (
    VERSION,
    NewerState,
    SessionState,
    dump,
    load,
)


@given(st.lists(EVENTS, max_size=12))
def test_what_is_written_is_read_back(events: list[Event]) -> None:
    state = after(events)
    assert dump(state).isascii()
    assert load(dump(state)) == state


@pytest.mark.parametrize("body", [None, "", "{", "[]", "3", "null", '{"files": 3}', "[" * 100_000])
def test_what_is_no_state_is_a_fresh_one(body: str | None) -> None:
    assert load(body) == SessionState()


def test_a_field_that_is_new_or_gone_harms_no_state() -> None:
    state = after([typed("We decided to use pnpm."), ran("npm test", 1, "Error: x")])
    older = json.loads(dump(state))
    del older["summaries"], older["pressure"]["hushed"], older["errors"][0]["maybe_fixed"]
    assert load(json.dumps(older | {"gone": [1]})) == state


def test_a_newer_form_is_left_alone() -> None:
    with pytest.raises(NewerState, match="this siltstone knows"):
        load(json.dumps({"version": VERSION + 1}))


def test_a_compaction_takes_nothing_but_the_context() -> None:
    before = after([typed("We decided to use pnpm."), used("Edit", "a.ts"), ran("npm test", 1, "Error: x")])
    state = after([an_event("compaction", text="all done", at=NOW + 5)], before)
    assert (state.compactions, state.compacted) == (1, NOW + 5)
    same = ("turn", "files", "errors", "decisions", "pending", "goal", "progress", "context", "slots", "pool")
    assert [getattr(state, name) for name in same] == [getattr(before, name) for name in same]
    assert state.pressure.chars == len("all done")


def test_the_newest_decisions_and_pending_memories_stay() -> None:
    state = after(typed(f"Remember this: rule number {n} of this shop") for n in range(15))
    assert [one.text for one in state.pending] == [f"rule number {n} of this shop" for n in range(3, 15)]
    state = after(typed(f"We decided to use tool number {n}.") for n in range(10))
    assert [one.text for one in state.decisions] == [
        f"We decided to use tool number {n}." for n in range(2, 10)
    ]


def test_in_the_middle_of_a_long_prompt_nothing_is_decided() -> None:
    pasted = "Let's use Bring for the rates.\n- [ ] read the manual\nsee src/pasted.py\n"
    paste = f"{'It is so. ' * 350}\n{pasted}{'It is so. ' * 350}"
    asked = f"We decided to use tabs.\n{paste}\nTODO: mend src/cart.py"
    state = after([typed(asked)])
    assert [one.text for one in state.decisions] == ["We decided to use tabs."]
    assert [one.text for one in state.slots if one.kind == "todo"] == ["mend src/cart.py"]
    assert [one.text for one in state.pool] == ["src/cart.py"]
    state = after([an_event("message", role="assistant", text=asked)])
    assert "Let's use Bring for the rates." in [one.text for one in state.decisions]


@pytest.mark.parametrize("cut", range(2_940, 3_060, 6))
@table("session_state", "across")
def test_half_a_sentence_of_a_long_prompt_is_no_sentence(across: str, cut: int) -> None:
    whole = after([typed(across)])
    for text in (f"{'x' * cut}\n{across}\n{'y' * 4_000}", f"{'x' * 4_000}\n{across}\n{'y' * cut}"):
        state = after([typed(text)])
        assert {one.text for one in state.decisions} <= {one.text for one in whole.decisions}
        assert {one.text for one in state.pool} <= {one.text for one in whole.pool}
