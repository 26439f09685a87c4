"""Timing in interleaved rounds: whatever else the machine does falls on all that is compared."""

import gc
import resource
import time
import tracemalloc
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import Literal, NamedTuple

from benchmarks.figure import Budget, Figure

TRIES = 3
"""Whatever else the machine does falls on some of them."""

Kind = Literal["cpu", "wall"]
"""Processor time, for what works alone; time on the wall, for what waits for the disk or is judged in
seconds."""


class Took(NamedTuple):
    """Seconds of one call."""

    cpu: float
    """Of this process and the children it waited for: hardly touched by what else runs."""
    wall: float

    def of(self, kind: Kind) -> float:
        return self.cpu if kind == "cpu" else self.wall


@dataclass(slots=True)
class Rounds:
    """What each task took, round by round."""

    took: dict[str, list[Took]] = field(default_factory=dict)

    def seconds(self, name: str, kind: Kind = "cpu") -> float:
        """The median over the rounds."""
        return median(took.of(kind) for took in self.took[name])

    def ratio(self, one: str, other: str, kind: Kind = "cpu") -> float:
        """How many times as long `one` took as `other`: the median of each round's own ratio."""
        pairs = zip(self.took[one], self.took[other], strict=True)
        return median(a.of(kind) / b.of(kind) for a, b in pairs)


def interleaved(rounds: int, tasks: Mapping[str, Callable[[], object]]) -> Rounds:
    """Run all tasks in turn, round after round; of more than one round the first is not measured."""
    found = Rounds({name: [] for name in tasks})
    if rounds > 1:
        for task in tasks.values():
            task()
    for _ in range(rounds):
        for name, task in tasks.items():
            found.took[name].append(timed(task))
    return found


def timed(task: Callable[[], object]) -> Took:
    """One call, on a swept heap."""
    gc.collect()
    cpu, wall = _cpu(), time.perf_counter()
    task()
    return Took(_cpu() - cpu, time.perf_counter() - wall)


def answering(
    what: str, search: Callable[[str], object], queries: Sequence[str], budget: Budget, things: str
) -> Figure:
    """The time within which half of all queries for made-up `things` are answered; wall time, the best of
    TRIES of each."""

    def milliseconds(query: str) -> float:
        began = time.perf_counter()
        search(query)
        return 1e3 * (time.perf_counter() - began)

    took = [min(milliseconds(query) for _ in range(TRIES)) for query in queries]
    detail = f"{len(queries)} queries, 95% of them within {quantiles(took, n=20)[-1]:.1f} ms"
    why = f"made-up {things} share one small vocabulary: every word is common"
    return Figure(what, median(took), " ms", budget, detail, why)


def peak(task: Callable[[], object]) -> int:
    """The most bytes that Python holds during one call."""
    tracemalloc.start()
    try:
        task()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _cpu() -> float:
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, who))
