"""Which failures are tried again, how often, and after how long. No test waits."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

import pytest
from support.table import table

from siltstone.pipeline.model.retry import ATTEMPTS, Policy, Unanswered, is_passing, seconds_asked
from siltstone.store.errors import ModelError, Overflow, SiltError

NOW = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)


def failing(*errors: SiltError) -> Callable[[], str]:
    left = list(errors)

    def call() -> str:
        if left:
            raise left.pop(0)
        return "answered"

    return call


def test_statuses_that_pass_by_themselves() -> None:
    passing = [status for status in (None, *range(100, 700)) if is_passing(status)]
    assert passing == [408, 409, 425, 429, *range(500, 600)]


@table("retry", "headers", ({"retry-after": "9" * 5000}, None))
def test_retry_after(headers: Mapping[str, str], seconds: float | None) -> None:
    assert seconds_asked(headers, NOW) == seconds


def test_it_goes_on_until_there_is_an_answer_and_waits_longer_each_time() -> None:
    slept: list[float] = []
    assert Policy(sleep=slept.append).run(failing(*[Unanswered("away")] * 4)) == "answered"
    assert len(slept) == 4
    assert all(2**n <= waited <= 2**n + 1 for n, waited in enumerate(slept))


def test_it_gives_up_with_the_last_error() -> None:
    slept: list[float] = []
    with pytest.raises(Unanswered, match=f"away {ATTEMPTS}"):
        Policy(sleep=slept.append).run(failing(*[Unanswered(f"away {n}") for n in range(1, 9)]))
    assert len(slept) == ATTEMPTS - 1


def test_it_waits_as_long_as_it_is_asked_to() -> None:
    slept: list[float] = []
    assert (
        Policy(sleep=slept.append).run(failing(Unanswered("busy", 7.0), Unanswered("busy", 0.0)))
        == "answered"
    )
    assert slept == [7.0, 0.0]


@pytest.mark.parametrize(
    "error",
    [ModelError("wrong key"), Overflow("too large"), Unanswered("come back tomorrow", 3_600.0)],
    ids=["for-good", "overflow", "asked-to-wait-an-hour"],
)
def test_what_is_not_tried_again(error: SiltError) -> None:
    slept: list[float] = []
    with pytest.raises(type(error)) as caught:
        Policy(sleep=slept.append).run(failing(error))
    assert caught.value is error
    assert slept == []
