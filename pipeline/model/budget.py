"""Ceilings of money and tokens (invariant 15), checked before the call that would pass them.

The most that a call may take is booked before it is made, and corrected when the reply arrives. So the day's
ceiling holds for parallel calls and for parallel processes. A run killed in the middle of a call stays booked
with the most that the call may have taken.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from pydantic import BaseModel

from siltstone.pipeline.model.port import Model, Reply, Turn, Usage
from siltstone.store.errors import LimitReached, SiltError, StoreError
from siltstone.store.state import Spend

USD_A_DAY = 1.0
TOKENS_A_RUN = 500_000
ROUNDING = 1e-9
"""Rounding error in USD of sums of booked and corrected amounts."""


class Held(NamedTuple):
    """What was booked for one call before it was made."""

    at: datetime
    tokens: int
    usd: float


@dataclass
class Budget:
    """What a run may still spend, one budget for all the models it asks.

    A model without a known price is limited by tokens alone. A model that reports
    its cost after the call, as agents do, is not asked any more once the day's ceiling was passed.
    """

    spending: Spend
    clock: Callable[[], datetime]
    usd_a_day: float = USD_A_DAY
    tokens_a_run: int = TOKENS_A_RUN
    used: Usage = field(default_factory=Usage)
    """By this run, so far; its cost is None once an unpriced model was asked."""
    calls: int = 0
    """That were answered."""
    _aside: int = 0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def set_aside(self, tokens: int, usd: float | None) -> Held:
        """Book the most that a call may take. Raises LimitReached when that would be too much."""
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
                    f"{_usd(max(total - held.usd, 0))} USD have been spent today{more}, more than the "
                    f"{_usd(self.usd_a_day)} allowed: wait for tomorrow (UTC), or raise max_usd_per_day."
                )
            self._aside += tokens
            return held

    def settle(self, held: Held, usage: Usage | None) -> None:
        """Replace what was booked by what the call took (None: the call was refused)."""
        with self._lock:
            self._aside -= held.tokens
            self._put_right(held, usage or Usage())
            if usage is not None:
                self.used += usage
                self.calls += 1

    def _put_right(self, held: Held, took: Usage) -> None:
        tokens = took.prompt + took.completion
        self.spending.add(held.at, tokens - held.tokens, (took.cost or 0.0) - held.usd)


def _usd(amount: float) -> str:
    """USD in cents, or with more digits where cents would hide the amount: 0.001 is not 0.00."""
    return f"{amount:.2f}" if round(amount, 2) == round(amount, 6) else f"{amount:.6f}".rstrip("0")


@dataclass(frozen=True, slots=True)
class Metered:
    """A model within a budget. Every call of a run goes through one: extraction, repair, compaction."""

    model: Model
    budget: Budget
    keep: Path | None = None
    """The folder that prompts are written to as they are sent (`--keep-prompts DIR`)."""
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    @property
    def name(self) -> str:
        return self.model.name

    def ask(self, turns: Sequence[Turn], schema: type[BaseModel], max_tokens: int) -> Reply:
        """Like the model's own `ask`, within the budget. Raises LimitReached too, and StoreError when the
        prompt cannot be written: then nothing is sent."""
        prompt = self.model.count(turns)
        held = self.budget.set_aside(prompt + max_tokens, self.model.price(prompt, max_tokens))
        try:
            if self.keep is not None:
                self._write(turns, self.keep)
            reply = self.model.ask(turns, schema, max_tokens)
        except SiltError:
            self.budget.settle(held, None)
            raise
        # After any other exception, such as Ctrl-C, the cost is unknown, so the call stays booked.
        self.budget.settle(held, reply.usage)
        return reply

    def _write(self, turns: Sequence[Turn], folder: Path) -> None:
        parts = [f"# {turn.role}\n\n{turn.content}\n" for turn in turns]
        try:
            folder.mkdir(parents=True, exist_ok=True)
            while (path := folder / f"{next(self._numbers):04d}.md").exists():
                continue
            path.write_text("\n".join(parts), encoding="utf-8", errors="replace")
        except OSError as error:
            raise StoreError(
                f"{folder} cannot be written ({error.strerror}), so nothing was sent; name another."
            ) from error

    def count(self, turns: Sequence[Turn]) -> int:
        return self.model.count(turns)

    def price(self, prompt: int, completion: int) -> float | None:
        return self.model.price(prompt, completion)
