"""Ceilings hold before the call that would pass them, whatever the number of callers and runs."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from support.fake_model import FakeModel
from support.table import table

from siltstone.pipeline.extraction.reply import WireReply
from siltstone.pipeline.model.budget import TOKENS_A_RUN, USD_A_DAY, Budget, Metered
from siltstone.pipeline.model.port import Reply, Turn, Usage
from siltstone.store.errors import LimitReached, Unavailable
from siltstone.store.state import State
from siltstone.store.state.ledger import Spend

TURNS = (Turn("user", "x" * 400),)  # 100 tokens to the fake


NOW = datetime(2026, 11, 20, 23, 59, tzinfo=UTC)
Budgets = Callable[..., Budget]


@pytest.fixture
def spend(tmp_path: Path) -> Iterator[Spend]:
    """The spending of a state of its own."""
    with State.open(tmp_path) as state:
        yield state.spend


@pytest.fixture
def budget(spend: Spend) -> Budgets:
    """Budgets on that spending; `spent_today` is there already."""

    def made(spent_today: float = 0.0, **limits: Any) -> Budget:
        spend.add(NOW, 0, spent_today)
        return Budget(spend, lambda: NOW, **limits)

    return made


def ask(metered: Metered) -> Reply:
    return metered.ask(TURNS, WireReply, 50)


def test_the_defaults_are_finite(budget: Budgets) -> None:
    made = budget()
    assert (made.usd_a_day, made.tokens_a_run) == (USD_A_DAY, TOKENS_A_RUN) == (1.0, 500_000)


def test_what_a_call_took_is_counted_not_what_was_set_aside(budget: Budgets, spend: Spend) -> None:
    metered = Metered(FakeModel([Reply("[]", Usage(90, 7, 5, 0.25))]), budget(spent_today=0.5))
    ask(metered)
    assert metered.budget.used == Usage(90, 7, 5, 0.25)
    assert (spend.on(NOW).tokens, spend.on(NOW).usd) == (97, 0.75)
    ask(Metered(FakeModel(["[]"]), metered.budget))
    assert (metered.budget.used.prompt, metered.budget.calls) == (190, 2)


@table("budget", "ceilings")
def test_the_call_that_would_pass_a_ceiling_is_not_made(
    budget: Budgets, spend: Spend, limits: dict[str, float], words: str
) -> None:
    model = FakeModel(["[]"], usd_per_token=0.001)
    with pytest.raises(LimitReached, match=words):
        ask(Metered(model, budget(**limits)))
    assert model.asked == []
    assert (spend.on(NOW).tokens, spend.on(NOW).usd) == (0, limits.get("spent_today", 0.0))


def test_an_unpriced_model_is_held_by_tokens_and_says_so(budget: Budgets) -> None:
    made = budget(usd_a_day=0.0, tokens_a_run=260)
    metered = Metered(FakeModel(["[]", "[]"], usd_per_token=None), made)
    ask(metered)
    assert made.used.cost is None
    assert made.used.cost is None
    ask(metered)
    with pytest.raises(LimitReached, match="260 allowed"):
        ask(metered)


def test_a_model_that_tells_its_cost_afterwards_is_not_asked_beyond_the_day(budget: Budgets) -> None:
    """An agent's price is known when it was asked, not before."""
    dear = Reply("[]", Usage(90, 7, 0, 0.6))
    metered = Metered(FakeModel([dear, dear, dear], usd_per_token=None), budget())
    ask(metered)
    ask(metered)
    with pytest.raises(LimitReached, match=r"1\.20 USD have been spent today, more than the 1\.00 allowed"):
        ask(metered)


def test_a_failed_call_gives_back_what_was_set_aside_and_one_that_just_fits_is_made(
    budget: Budgets, spend: Spend
) -> None:
    model = FakeModel([Unavailable("away"), "[]"], usd_per_token=0.001)
    metered = Metered(model, budget(usd_a_day=0.15, tokens_a_run=150))
    with pytest.raises(Unavailable):
        ask(metered)
    assert (spend.on(NOW).tokens, spend.on(NOW).usd) == (0, 0.0)
    ask(metered)
    assert len(model.asked) == 2


def test_a_call_that_nobody_saw_the_end_of_stays_booked_with_all_it_may_have_taken(
    budget: Budgets, spend: Spend
) -> None:
    def killed(_: object) -> str:
        assert (spend.on(NOW).tokens, spend.on(NOW).usd) == (150, 0.15), "booked before it is made"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(Metered(FakeModel([killed], usd_per_token=0.001), budget(usd_a_day=0.2)))
    assert (spend.on(NOW).tokens, spend.on(NOW).usd) == (150, 0.15)
    with pytest.raises(LimitReached, match=r"0\.15 USD have been spent today"):
        ask(Metered(FakeModel(["[]"], usd_per_token=0.001), budget(usd_a_day=0.2)))


def test_two_runs_at_one_time_share_the_day(budget: Budgets) -> None:
    """A call that is running counts with all it may take, for its own run and for another."""
    own = budget(usd_a_day=0.2, tokens_a_run=299)
    other = Metered(FakeModel(usd_per_token=0.001), budget(usd_a_day=0.2))
    refused: list[str] = []

    def meanwhile(_: object) -> str:
        with pytest.raises(LimitReached, match=r"0\.15 USD have been spent today") as caught:
            ask(other)
        refused.append(str(caught.value))
        with pytest.raises(LimitReached, match="more than the 299 allowed") as caught:
            ask(Metered(FakeModel(), own))
        refused.append(str(caught.value))
        return "[]"

    ask(Metered(FakeModel([meanwhile], usd_per_token=0.001), own))
    assert len(refused) == 2


def test_a_call_over_midnight_belongs_to_the_day_it_began(spend: Spend) -> None:
    at = [NOW]
    made = Budget(spend, lambda: at[0])

    def long(_: object) -> Reply:
        at[0] = NOW + timedelta(minutes=2)
        return Reply("[]", Usage(90, 7, 0, 0.25))

    ask(Metered(FakeModel([long], usd_per_token=0.001), made))
    assert [(day.day.day, day.tokens, day.usd) for day in spend.days()] == [(20, 97, 0.25)]


def test_calls_at_one_time_are_all_counted(budget: Budgets) -> None:
    together = Barrier(4)

    def answer(_: object) -> str:
        together.wait()
        return "[]"

    metered = Metered(FakeModel(otherwise=answer), budget(tokens_a_run=4 * 150))
    with ThreadPoolExecutor(4) as pool:
        assert [reply.text for reply in pool.map(lambda _: ask(metered), range(4))] == ["[]"] * 4
    assert metered.budget.used.prompt == 400
