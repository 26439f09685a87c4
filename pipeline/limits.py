"""Ceilings of money and tokens (invariant 15): checked before the call that would pass them.

What a call may take at most is booked on the day before it is made, and put right when the reply is
there. So the day's ceiling holds for calls at one time, for several processes at one time, and for a
run that was killed in the middle of a call (which stays booked with all it may have taken).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Protocol

from pydantic import BaseModel

from siltstone.pipeline.model import Model, Reply, Turn, Usage
from siltstone.store.errors import LimitReached, SiltError
from siltstone.store.state import Day

USD_A_DAY = 1.0
TOKENS_A_RUN = 500_000
ROUNDING = 1e-9
"""USD by which sums of what was booked and put right may be off."""


class Spending(Protocol):
    """What each UTC day has come to, kept for all processes (store/state/spend.py)."""

    def add(self, now: datetime, tokens: int, usd: float) -> Day:
        """Count on the UTC day of `now`, negative to put a count right; what the day comes to."""
        ...


@dataclass(frozen=True, slots=True)
class Held:
    """What one call was booked with before it was made."""

    at: datetime
    tokens: int
    usd: float


@dataclass
class Budget:
    """What a run may still take, whichever models it asks: one budget for all of them.

    A model without a known price is held by the tokens, and `unpriced` says so; one that tells the cost
    of a call afterwards, as agents do, is not asked once the day's ceiling was passed.
    """

    spending: Spending
    clock: Callable[[], datetime]
    usd_a_day: float = USD_A_DAY
    tokens_a_run: int = TOKENS_A_RUN
    used: Usage = field(default_factory=Usage)
    """By this run, so far; its cost is None once an unpriced model was asked."""
    calls: int = 0
    """That were answered."""
    unpriced: bool = False
    _aside: int = 0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def set_aside(self, tokens: int, usd: float | None) -> Held:
        """Book what a call may take at most. Raises LimitReached instead when it would be too much."""
        with self._lock:
            taken = self.used.prompt + self.used.completion + self._aside
            if taken + tokens > self.tokens_a_run:
                raise LimitReached(
                    f"This run has taken {taken:,} tokens and the next call may take {tokens:,}, more than "
                    f"the {self.tokens_a_run:,} allowed: run again for the rest, or raise max_tokens_per_run."
                )
            held = Held(self.clock(), tokens, usd or 0.0)
            total = self.spending.add(held.at, held.tokens, held.usd).usd
            if (held.usd or usd is None) and total > self.usd_a_day + ROUNDING:
                self._put_right(held, Usage())
                more = f" and the next call may cost {_usd(held.usd)}" if held.usd else ""
                raise LimitReached(
                    f"{_usd(max(total - held.usd, 0))} USD are spent today{more}, more than the "
                    f"{_usd(self.usd_a_day)} allowed: wait for tomorrow (UTC), or raise max_usd_per_day."
                )
            self._aside += tokens
            return held

    def settle(self, held: Held, usage: Usage | None) -> None:
        """Book what the call really took in place of what it might have (None: it was refused)."""
        with self._lock:
            self._aside -= held.tokens
            self._put_right(held, usage or Usage())
            if usage is not None:
                self.used += usage
                self.calls += 1
                self.unpriced = self.unpriced or usage.cost is None

    def _put_right(self, held: Held, took: Usage) -> None:
        tokens = took.prompt + took.completion
        self.spending.add(held.at, tokens - held.tokens, (took.cost or 0.0) - held.usd)


def _usd(amount: float) -> str:
    """In cents, and what is none of them in all its digits: a ceiling of 0.001 is not 0.00."""
    return f"{amount:.2f}" if round(amount, 2) == round(amount, 6) else f"{amount:.6f}".rstrip("0")


@dataclass(frozen=True, slots=True)
class Metered:
    """A model within a budget. Every call of a run goes through one, repairs and compaction too."""

    model: Model
    budget: Budget

    @property
    def name(self) -> str:
        return self.model.name

    def ask(self, turns: Sequence[Turn], schema: type[BaseModel], max_tokens: int) -> Reply:
        """As the model's own, after the budget has been asked. Raises LimitReached too."""
        prompt = self.model.count(turns)
        held = self.budget.set_aside(prompt + max_tokens, self.model.price(prompt, max_tokens))
        try:
            reply = self.model.ask(turns, schema, max_tokens)
        except SiltError:
            self.budget.settle(held, None)
            raise
        # After anything else, Ctrl-C for one, nobody knows what the call took: it stays booked.
        self.budget.settle(held, reply.usage)
        return reply

    def count(self, turns: Sequence[Turn]) -> int:
        return self.model.count(turns)

    def price(self, prompt: int, completion: int) -> float | None:
        return self.model.price(prompt, completion)
