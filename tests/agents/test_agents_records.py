"""Values out of outside JSON: always of the type asked for."""

from datetime import UTC, datetime

import pytest

from siltstone.agents.values import instant
from siltstone.pipeline.messages import Source

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("2026-11-21T12:00:00Z", NOON, id="Z"),
        pytest.param("2026-11-21T12:00:00.000Z", NOON, id="milliseconds"),
        pytest.param("2026-11-21T13:00:00+01:00", NOON, id="offset"),
        pytest.param("2026-11-21T12:00:00", NOON, id="naive is UTC"),
        pytest.param(1795262400, NOON, id="seconds"),
        pytest.param(1795262400000, NOON, id="milliseconds since 1970"),
        pytest.param(True, None, id="true"),
        pytest.param("yesterday", None, id="words"),
        pytest.param("0001-01-01T00:00:00+23:00", None, id="before the first year"),
        pytest.param(float("nan"), None, id="not a number"),
        pytest.param(1e300, None, id="endless"),
    ],
)
def test_instant(value: object, expected: datetime | None) -> None:
    assert instant(value) == expected


@pytest.mark.parametrize("seconds", [-1e20, -1.0, 0.0, 1e12, 1e300], ids=str)
def test_a_file_may_say_that_it_changed_at_any_time(seconds: float) -> None:
    changed = Source("plain", "a", "/a", "", seconds).changed
    assert datetime(1970, 1, 1, tzinfo=UTC) <= changed <= datetime.max.replace(tzinfo=UTC)
