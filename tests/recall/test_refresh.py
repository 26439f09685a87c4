"""When a block is made anew: the cases of the system we learn from, and what holds for all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.table import table

from siltstone.recall.refresh import Moment, decide, line
from siltstone.recall.settings import RecallSettings, milliseconds
from siltstone.store.state import Last

NOW = 1_795_168_800.0
CACHED = Last("old", at=NOW - 60, served=NOW - 1, forced=0, compactions=0, paths=())
CALM = Moment(NOW, usage=10.0, answered=NOW - 1)
RULES = RecallSettings()
LATE = CACHED._replace(served=NOW - 600)


@pytest.mark.parametrize(
    ("cached", "same", "moment", "reason"),
    [
        pytest.param(None, False, CALM, "first", id="nothing shown yet"),
        pytest.param(None, False, CALM._replace(forced=3, usage=99.0), "first", id="first before all else"),
        pytest.param(CACHED, True, CALM, "", id="nothing changed"),
        pytest.param(CACHED, False, CALM, "", id="changed, but too early"),
        pytest.param(CACHED, False, CALM._replace(forced=1, source="flush"), "forced:flush", id="forced"),
        pytest.param(
            CACHED, True, CALM._replace(forced=1, source="promote"), "forced:promote", id="forced, same"
        ),
        pytest.param(CACHED, False, CALM._replace(usage=70.0), "pressure", id="pressure"),
        pytest.param(CACHED, False, CALM._replace(usage=65.0), "pressure", id="pressure begins at 65"),
        pytest.param(CACHED, False, CALM._replace(usage=64.9), "", id="below"),
        pytest.param(CACHED, True, CALM._replace(usage=70.0), "", id="pressure, nothing changed"),
        pytest.param(LATE, False, CALM._replace(answered=NOW - 600), "ttl", id="ten minutes"),
        pytest.param(LATE, False, CALM._replace(answered=0.0), "ttl", id="answers unknown"),
        pytest.param(LATE, True, CALM._replace(answered=NOW - 600), "", id="ten minutes, nothing changed"),
        pytest.param(LATE, False, CALM._replace(answered=NOW - 300), "", id="just remembered"),
        pytest.param(LATE, False, CALM, "", id="answered meanwhile"),
        pytest.param(
            CACHED,
            False,
            CALM._replace(forced=2, source="demote", usage=90.0),
            "forced:demote",
            id="forced first",
        ),
        pytest.param(CACHED, False, CALM._replace(answered=NOW - 600), "", id="shown again meanwhile"),
        pytest.param(CACHED, True, CALM._replace(compactions=1), "forced:compaction", id="compacted since"),
    ],
)
def test_the_ladder(cached: Last | None, same: bool, moment: Moment, reason: str) -> None:
    assert decide(cached, same, moment, RULES).reason == reason


@given(
    st.booleans(),
    st.floats(0, 200),
    st.floats(0, 1e5),
    st.floats(0, 1e5),
    st.integers(0, 2),
    st.integers(0, 2),
)
def test_the_same_bytes_unless_there_is_a_reason(
    same: bool, usage: float, since: float, age: float, forced: int, compactions: int
) -> None:
    cached = Last("x", NOW - age, NOW - age, 1, 1, ())
    moment = Moment(NOW, usage, NOW - since, forced, "flush", compactions)
    made = decide(cached, same, moment, RULES)
    asked_for = forced != 1 or compactions != 1
    worth = usage >= 65 or min(since, age) > 300
    assert bool(made.reason) == (asked_for or (not same and worth))
    assert made.reason in ("", "forced:flush", "forced:compaction", "pressure", "ttl")


def test_a_line_of_the_log_says_what_was_decided_and_by_what() -> None:
    first = decide(None, False, CALM._replace(usage=12.44), RULES)
    assert line(first, 1234) == "refreshed reason=first usage=12.4% chars=1234"
    cached = decide(CACHED, True, CALM._replace(now=NOW + 7.333, usage=12.4), RULES)
    assert line(cached, 9) == (
        "served cached hash_match=true age=67s since_last_response=8s ttl=300s usage=12.4% chars=9"
    )
    forced = decide(CACHED, False, CALM._replace(forced=1, source="flush"), RULES)
    assert line(forced, 9).startswith("refreshed reason=forced:flush hash_match=false ")


@table("refresh", "spans")
def test_a_span_of_time(said: object, expected: int) -> None:
    assert milliseconds(said) == expected


@pytest.mark.parametrize(
    "said",
    [float("inf"), float("nan"), None, {}, "", "m", "five minutes", "-5m", -1, True, "1e3s", "9" * 40],
)
def test_no_span_of_time(said: object) -> None:
    with pytest.raises(ValueError, match="expects a duration"):
        milliseconds(said)
