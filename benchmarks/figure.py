"""What a benchmark comes back with."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class Budget:
    """A bound that a figure should keep."""

    bound: Literal["at most", "at least"]
    limit: float

    def excess(self, value: float) -> float:
        """By what share of the limit the value misses it; 0 or less when it keeps it."""
        over = (value - self.limit) / self.limit if self.limit else value - self.limit
        return over if self.bound == "at most" else -over


def at_most(limit: float) -> Budget:
    return Budget("at most", limit)


def at_least(limit: float) -> Budget:
    return Budget("at least", limit)


@dataclass(frozen=True, slots=True)
class Figure:
    """One number, its budget, and where it comes from."""

    what: str
    value: float
    unit: str
    """Stands right after the number: "×", "%", " ms", " calls"."""
    budget: Budget | None
    detail: str = ""
    """The sizes and times behind it."""
    why: str = ""
    """What stands in the way; told when the budget is missed."""

    @property
    def missed(self) -> bool:
        return self.budget is not None and self.budget.excess(self.value) > 0


@dataclass(frozen=True, slots=True)
class Benchmark:
    """One budget of docs/benchmarks.md."""

    name: str
    title: str
    how: str
    """What is measured and against what, in a sentence or two for docs/benchmarks.md."""
    measure: Callable[[Path, float], list[Figure]]
    """Called with an empty folder to work in and a scale: 1.0 is the size that the budget names, the
    suite's tests take a hundredth and less."""


def scaled(size: int, scale: float, least: int = 1) -> int:
    """A size of the budget at a scale."""
    return max(least, round(size * scale))
