"""Results as lines for a terminal, and as docs/benchmarks.md."""

import os
import platform
import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from benchmarks.figure import Benchmark, Figure
from benchmarks.suite import Results

COMMAND = "make bench"


def lines(benchmark: Benchmark, figures: Sequence[Figure]) -> str:
    """One line a figure, below the benchmark's title."""
    told = [
        f"  {one.what:<24} {number(one):>16}   {_budget(one):<16} {verdict(one):<8} {one.detail}"
        for one in figures
    ]
    return "\n".join([benchmark.title, *told])


def document(results: Results, today: date) -> str:
    """The whole of docs/benchmarks.md."""
    parts = [
        "# Benchmarks",
        "What Siltstone costs, against the budgets it was designed with. Written by "
        f"`{COMMAND}` (`python -m benchmarks --write`) on {today.isoformat()}, on {_machine()}. "
        f"Transcripts, dialogue and stores are generated from a seed, the transcripts from ones that "
        f"the real agents left; each benchmark is a module in `benchmarks/`, and `python -m "
        f"benchmarks NAME` measures one. "
        "When two things are compared, they ran in turn, round after round, and the median counts, so "
        "that a busy machine changes little. Commands run as installed: by the script that pip wrote, "
        "with an interpreter that loads nothing by itself. Nothing here is a test: times on "
        "another machine differ, ratios little.",
        _summary(results),
    ]
    for benchmark, figures in results:
        parts += [f"## {benchmark.title}", benchmark.how, _table(figures), _reasons(figures)]
    return "\n\n".join(part for part in parts if part) + "\n"


def number(figure: Figure) -> str:
    """ "61 %", "0.8 ms", "5,200 tokens": three digits are enough, counts are whole."""
    value = figure.value
    if value == round(value) or abs(value) >= 100:
        return f"{value:,.0f}{figure.unit}"
    return f"{value:.3g}{figure.unit}"


def verdict(figure: Figure) -> str:
    return "" if figure.budget is None else "missed" if figure.missed else "met"


def excess(figure: Figure) -> str:
    """By how much a missed budget is missed."""
    if figure.budget is None or not figure.budget.limit:
        return number(figure)
    return f"{100 * figure.budget.excess(figure.value):.0f}%"


def _summary(results: Results) -> str:
    """How many budgets each benchmark meets, and which one it misses most."""
    rows = ["| | Budgets met | Missed most |", "|---|---|---|"]
    for benchmark, figures in results:
        bound = [one for one in figures if one.budget is not None]
        missed = [one for one in bound if one.missed]
        worst = max(missed, key=_share, default=None)
        told = f"{worst.what}, by {excess(worst)}" if worst else ""
        met = f"{len(bound) - len(missed)} of {len(bound)}"
        rows.append(f"| [{benchmark.title}](#{_anchor(benchmark.title)}) | {met} | {told} |")
    return "\n".join(rows)


def _reasons(figures: Sequence[Figure]) -> str:
    """What stands in the way of each budget that is missed; figures with one reason share a line."""
    by_reason = defaultdict[str, list[str]](list)
    for one in figures:
        if one.missed:
            by_reason[one.why].append(f"{one.what} by {excess(one)}")
    return "\n".join(f"- Missed: {'; '.join(missed)}. Why: {why}." for why, missed in by_reason.items())


def _share(figure: Figure) -> float:
    return figure.budget.excess(figure.value) if figure.budget is not None else 0.0


def _anchor(title: str) -> str:
    """The name under which a page links to a heading."""
    return re.sub(r"[^\w-]", "", title.lower().replace(" ", "-"))


def _table(figures: Sequence[Figure]) -> str:
    rows = ["| | Measured | Budget | | Behind it |", "|---|---|---|---|---|"]
    rows += [f"| {f.what} | {number(f)} | {_budget(f)} | {verdict(f)} | {f.detail} |" for f in figures]
    return "\n".join(rows)


def _budget(figure: Figure) -> str:
    if figure.budget is None:
        return "none"
    return f"{figure.budget.bound} {figure.budget.limit:,g}{figure.unit}"


def _machine() -> str:
    return (
        f"{os.cpu_count()} cores ({platform.machine()}), {platform.system()}, "
        f"{platform.python_implementation()} {platform.python_version()}"
    )
