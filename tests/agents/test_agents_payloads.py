"""What is taken out of a hook's payload, whatever a stranger put into it (`agents/hooks.py`)."""

import pytest

from siltstone.agents.hooks import LONGEST, inner, name, text, whole


@pytest.mark.parametrize(
    ("told", "taken"),
    [
        pytest.param("s1", "s1", id="a name"),
        pytest.param("x" * LONGEST, "x" * LONGEST, id="the longest"),
        pytest.param("x" * (LONGEST + 1), "", id="too long"),
        pytest.param("a\0b", "", id="what no disk takes"),
        pytest.param("café", "café", id="other letters"),
        pytest.param("a\ud800", "a?", id="half a letter"),
        pytest.param(3, "", id="another type"),
    ],
)
def test_names(told: object, taken: str) -> None:
    assert name({"key": told}, "key") == taken


@pytest.mark.parametrize(
    ("told", "taken"),
    [
        pytest.param(0, 0, id="nothing"),
        pytest.param(-2, -2, id="below nothing"),
        pytest.param(10**12, 10**12, id="the largest"),
        pytest.param(10**12 + 1, None, id="too large"),
        pytest.param(True, None, id="yes"),
        pytest.param(1.0, None, id="a fraction"),
        pytest.param("1", None, id="a text"),
    ],
)
def test_whole_numbers(told: object, taken: int | None) -> None:
    assert whole({"key": told}, "key") == taken


def test_what_is_of_another_type_is_not_told() -> None:
    assert text({"key": ["x"]}, "key") == ""
    assert inner({"key": ["x"]}, "key") == {}
    assert (text({}, "key"), inner({}, "key"), whole({}, "key")) == ("", {}, None)
