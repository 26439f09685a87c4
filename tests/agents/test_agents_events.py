"""The state of a session from its transcript is the state that hooks would have made, for every agent."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.events import dump

from siltstone.agents.events import events, rebuilt
from siltstone.agents.hooks import AGENTS
from siltstone.agents.readers import readers
from siltstone.pipeline import detector
from siltstone.pipeline.messages import Filtered, Message, ToolCall
from siltstone.recall.session.apply import apply
from siltstone.recall.session.event import Event, parse
from siltstone.recall.session.render import block
from siltstone.recall.session.state import SessionState, load
from siltstone.recall.session.state import dump as dump_state
from siltstone.recall.settings import RecallSettings

START = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
TEXTS = st.one_of(
    st.sampled_from(
        [
            "We decided to use pnpm.",
            "Remember this: releases are cut on Tuesdays only",
            "- [ ] rename src/cart.ts",
            "Memory candidates:\n- [decision] Use the npm cache for plugin loading, not npm link",
            "<system-reminder>We decided to obey</system-reminder>",
        ]
    ),
    st.text(max_size=30),
)
CALLS = st.builds(
    ToolCall,
    name=st.sampled_from(["Bash", "Edit", "Read", "apply_patch"]),
    input=st.sampled_from(['{"file_path": "/p/src/cart.ts"}', "{}", "no json"]),
    output=st.sampled_from(["", "Error: x in src/cart.ts", "a.ts(1,2): error TS1: x", "\ud800"]),
    command=st.sampled_from([None, "npm test", "tsc", "cat a.log", "npm install vitest"]),
    exit=st.sampled_from([None, 0, 1, 127]),
    failed=st.booleans(),
)
ITEMS = st.lists(
    st.one_of(
        st.builds(lambda text: ("user", text), TEXTS),
        st.builds(lambda text: ("assistant", text), TEXTS),
        CALLS,
        st.sampled_from([Filtered("compaction"), Filtered("hook")]),
    ),
    max_size=25,
)


def made(items: list[object]) -> list[Message | Filtered]:
    """Messages a second apart."""
    found: list[Message | Filtered] = []
    for n, item in enumerate(items):
        at = START + timedelta(seconds=n)
        if isinstance(item, ToolCall):
            found.append(Message(f"m{n}", f"k{n}", "tool", "", at, item))
        elif isinstance(item, Filtered):
            found.append(item)
        elif isinstance(item, tuple):
            found.append(Message(f"m{n}", f"k{n}", item[0], item[1], at))
    return found


def fed(told: list[Event]) -> SessionState:
    """The state as `silt event` makes it: each event and each state goes through its JSON."""
    body = None
    for event in told:
        body = dump_state(apply(load(body), parse(dump(event), 0.0), detector, RecallSettings()))
    return load(body)


@given(ITEMS)
def test_rebuilt_and_fed_are_the_same(items: list[object]) -> None:
    told = list(events("claude", "s1", "/p", made(items)))
    assert rebuilt("claude", "s1", "/p", made(items), RecallSettings()) == fed(told)


def sessions(agent: str, root: Path) -> Iterator[tuple[str, str, list[Message | Filtered]]]:
    for reader in readers({agent: root}, {}):
        for source in reader.discover():
            reading = reader.read(source, None)
            if reading is not None:
                session = reading.session
                yield session.id, session.cwd, [step.item for step in reading.steps]


@pytest.mark.parametrize("agent", AGENTS)
def test_every_sample_of_an_agent(agent: str, roots: dict[str, Path]) -> None:
    count = 0
    for session, cwd, items in sessions(agent, roots[agent]):
        told = list(events(agent, session, cwd, items))
        state = rebuilt(agent, session, cwd, items, RecallSettings())
        assert fed(told) == state
        assert isinstance(block(state), str)
        count += 1
    assert count > 3


def test_a_compaction_of_several_records_is_one() -> None:
    items = made(
        [
            ("user", "go on"),
            Filtered("compaction"),
            Filtered("compaction"),
            ("user", "next"),
            Filtered("hook"),
        ]
    )
    assert [event.kind for event in events("opencode", "s", "", items)] == [
        "message",
        "compaction",
        "message",
    ]
