"""Ceilings hold before the call that would pass them, whatever the number of callers."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from support.fake_model import FakeModel

from siltstone.pipeline.limits import TOKENS_A_RUN, USD_A_DAY, Budget, Metered
from siltstone.pipeline.model import Model, Reply, Turn, Usage
from siltstone.pipeline.wire import WireReply
from siltstone.store.errors import LimitReached, Unavailable

TURNS = (Turn("user", "x" * 400),)  # 100 tokens to the fake


def ask(metered: Metered) -> Reply:
    return metered.ask(TURNS, WireReply, 50)


def test_the_defaults_are_finite() -> None:
    assert (Budget().usd_a_day, Budget().tokens_a_run) == (USD_A_DAY, TOKENS_A_RUN) == (1.0, 500_000)


def test_what_a_call_took_is_counted_not_what_was_set_aside() -> None:
    metered = Metered(FakeModel([Reply("[]", Usage(90, 7, 5, 0.25))]), Budget(spent_today=0.5))
    ask(metered)
    assert metered.budget.used == Usage(90, 7, 5, 0.25)
    assert metered.budget.spent_today == 0.75
    ask(Metered(FakeModel(["[]"]), metered.budget))
    assert metered.budget.used.prompt == 190


@pytest.mark.parametrize(
    ("budget", "words"),
    [
        (Budget(tokens_a_run=149), "more than the 149 allowed.*max_tokens_per_run"),
        (Budget(tokens_a_run=0), "more than the 0 allowed"),
        (Budget(usd_a_day=0.14), r"may cost 0\.15, more than the 0\.14 allowed.*max_usd_per_day"),
        (Budget(spent_today=0.9), r"0\.90 USD are spent today"),
        (Budget(usd_a_day=0.0), r"more than the 0\.00 allowed"),
    ],
    ids=["tokens", "no-tokens", "one-call-too-dear", "day-nearly-spent", "no-money"],
)
def test_the_call_that_would_pass_a_ceiling_is_not_made(budget: Budget, words: str) -> None:
    model = FakeModel(["[]"], usd_per_token=0.001)
    with pytest.raises(LimitReached, match=words):
        ask(Metered(model, budget))
    assert model.asked == []


def test_a_call_that_just_fits_is_made() -> None:
    model = FakeModel(["[]"], usd_per_token=0.001)
    ask(Metered(model, Budget(usd_a_day=0.15, tokens_a_run=150)))
    assert len(model.asked) == 1


def test_an_unpriced_model_is_held_by_tokens_and_says_so() -> None:
    budget = Budget(usd_a_day=0.0, tokens_a_run=260)
    metered = Metered(FakeModel(["[]", "[]"], usd_per_token=None), budget)
    ask(metered)
    assert budget.unpriced
    assert budget.used.cost is None
    ask(metered)
    with pytest.raises(LimitReached, match="260 allowed"):
        ask(metered)


def test_a_failed_call_gives_back_what_was_set_aside() -> None:
    metered = Metered(FakeModel([Unavailable("away"), "[]"]), Budget(tokens_a_run=150))
    with pytest.raises(Unavailable):
        ask(metered)
    ask(metered)


def test_calls_at_one_time_are_all_counted() -> None:
    together = Barrier(4)

    def answer(_: object) -> str:
        together.wait()
        return "[]"

    metered = Metered(FakeModel(otherwise=answer), Budget(tokens_a_run=4 * 150))
    with ThreadPoolExecutor(4) as pool:
        assert [reply.text for reply in pool.map(lambda _: ask(metered), range(4))] == ["[]"] * 4
    assert metered.budget.used.prompt == 400


def test_a_call_that_is_running_counts_with_all_it_may_take() -> None:
    inner: list[str] = []
    budget = Budget(tokens_a_run=299)

    def meanwhile(_: object) -> str:
        with pytest.raises(LimitReached):
            ask(Metered(FakeModel(["[]"]), budget))
        inner.append("refused while the first call was running")
        return "[]"

    ask(Metered(FakeModel([meanwhile]), budget))
    assert inner


def test_a_metered_model_is_a_model() -> None:
    metered: Model = Metered(FakeModel(name="fake/two", usd_per_token=0.5), Budget())
    assert (metered.name, metered.count(TURNS), metered.price(1, 1)) == ("fake/two", 100, 1.0)
