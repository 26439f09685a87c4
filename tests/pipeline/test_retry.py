"""Which failures are tried again, how often, and after how long. No test waits."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from support.table import table

from siltstone.pipeline.model.retry import Policy, Unanswered, is_passing, seconds_asked
from siltstone.store.errors import SiltError

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


def test_it_waits_as_long_as_it_is_asked_to() -> None:
    slept: list[float] = []
    assert (
        Policy(sleep=slept.append).run(failing(Unanswered("busy", 7.0), Unanswered("busy", 0.0)))
        == "answered"
    )
    assert slept == [7.0, 0.0]
