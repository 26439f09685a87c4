"""Ceilings of money and tokens (invariant 15): checked before the call that would pass them.

Windows of several scopes are asked at once, so what a call may take is set aside while it runs and
settled when it is known.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

from pydantic import BaseModel

from siltstone.pipeline.model import Model, Reply, Turn, Usage
from siltstone.store.errors import LimitReached

USD_A_DAY = 1.0
TOKENS_A_RUN = 500_000


@dataclass
class Budget:
    """What a run may still take. `spent_today` is what the ledger says of this UTC day, in USD.

    A model without a known price is held by the tokens alone, and `unpriced` says so.
    """

    usd_a_day: float = USD_A_DAY
    tokens_a_run: int = TOKENS_A_RUN
    spent_today: float = 0.0
    used: Usage = field(default_factory=Usage)
    """By this run, so far; its cost is None once an unpriced model was asked."""
    unpriced: bool = False
    _aside_usd: float = 0.0
    _aside_tokens: int = 0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def set_aside(self, tokens: int, usd: float | None) -> None:
        """Reserve what a call may take at most. Raises LimitReached instead when it would be too much."""
        with self._lock:
            taken = self.used.prompt + self.used.completion + self._aside_tokens
            if taken + tokens > self.tokens_a_run:
                raise LimitReached(
                    f"This run has taken {taken:,} tokens and the next call may take {tokens:,}, more than "
                    f"the {self.tokens_a_run:,} allowed: run again for the rest, or raise max_tokens_per_run."
                )
            spent = self.spent_today + self._aside_usd
            if usd and spent + usd > self.usd_a_day:
                raise LimitReached(
                    f"{spent:.2f} USD are spent today and the next call may cost {usd:.2f}, more than the "
                    f"{self.usd_a_day:.2f} allowed: wait for tomorrow (UTC), or raise max_usd_per_day."
                )
            self._aside_tokens += tokens
            self._aside_usd += usd or 0.0

    def settle(self, tokens: int, usd: float | None, usage: Usage | None) -> None:
        """Give back what was set aside, and count what the call really took (None: it failed)."""
        with self._lock:
            self._aside_tokens -= tokens
            self._aside_usd -= usd or 0.0
            if usage is not None:
                self.used += usage
                self.spent_today += usage.cost or 0.0
                self.unpriced = self.unpriced or usage.cost is None


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
        tokens, usd = prompt + max_tokens, self.model.price(prompt, max_tokens)
        self.budget.set_aside(tokens, usd)
        usage: Usage | None = None
        try:
            reply = self.model.ask(turns, schema, max_tokens)
            usage = reply.usage
        finally:
            self.budget.settle(tokens, usd, usage)
        return reply

    def count(self, turns: Sequence[Turn]) -> int:
        return self.model.count(turns)

    def price(self, prompt: int, completion: int) -> float | None:
        return self.model.price(prompt, completion)
