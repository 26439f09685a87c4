"""What agents write is taken apart whatever it is."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.agents.ask import ASKED, agent_model, last_record
from siltstone.agents.child import Ended


def documents() -> st.SearchStrategy[Any]:
    keys = st.sampled_from(["type", "item", "part", "usage", "result", "error", "response", "stats", "x"])
    values = ["result", "text", "step_finish", "turn.completed", "item.completed", "error", "agent_message"]
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(values) | st.text()
    return st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(keys, inner), max_leaves=9)


@given(name=st.sampled_from(ASKED), told=st.lists(documents() | st.text()), code=st.integers(-9, 255))
def test_no_report_makes_it_crash(name: str, told: list[Any], code: int) -> None:
    text = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in told)
    agent = agent_model(f"agent:{name}", Path("/none"), {}).agent
    report = agent.report(Ended(text, text, code))
    assert report is None or isinstance(report.text, (str, type(None)))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('noise\n{\n "a": {\n  "b": 1\n }\n}\n', {"a": {"b": 1}}),
        ('{broken\n{"a": 1}', {"a": 1}),
        ('{"a": 1} and more', {}),
        ("", {}),
    ],
)
def test_the_object_a_text_ends_with(text: str, found: dict[str, Any]) -> None:
    assert last_record(text) == found
