"""Every benchmark runs, at a toy's size; what it measures there means nothing and is not looked at."""

from datetime import date
from pathlib import Path

import pytest

from benchmarks.figure import Benchmark, Figure, at_least, at_most
from benchmarks.report import document
from benchmarks.suite import ALL, chosen

TOY = 0.003


@pytest.mark.parametrize("benchmark", ALL, ids=lambda benchmark: benchmark.name)
def test_each_benchmark_comes_back_with_figures(benchmark: Benchmark, tmp_path: Path) -> None:
    figures = benchmark.measure(tmp_path, TOY)

    assert figures
    assert all(figure.what and figure.value >= 0 for figure in figures)
    assert len({figure.what for figure in figures}) == len(figures)


def test_names_choose_benchmarks() -> None:
    assert [one.name for one in chosen(["search", "reading"])] == ["search", "reading"]
    assert chosen([]) == list(ALL)
    with pytest.raises(KeyError):
        chosen(["none"])


def test_the_document_names_what_is_missed_and_why() -> None:
    def never(folder: Path, scale: float) -> list[Figure]:
        raise AssertionError(folder, scale)

    figures = [
        Figure("fast", 1.0, "×", at_most(2), "1 ms against 1 ms"),
        Figure("slow", 3.0, "×", at_most(2), why="it waits"),
        Figure("low", 45.0, "%", at_least(60), why="it reads twice"),
        Figure("late", 2.4, "×", at_most(2), why="it waits"),
        Figure("asked", 7.0, " calls", at_most(0), why="it asks again"),
        Figure("told", 1234.5, " tokens", None),
    ]
    text = document([(Benchmark("one", "One thing", "How.", never), figures)], date(2026, 11, 21))

    assert "| [One thing](#one-thing) | 1 of 5 | asked, by 7 calls |" in text
    assert "- Missed: slow by 50%; late by 20%. Why: it waits." in text
    assert "- Missed: low by 25%. Why: it reads twice." in text
    assert "- Missed: asked by 7 calls. Why: it asks again." in text
    assert "| fast | 1× | at most 2× | met | 1 ms against 1 ms |" in text
    assert "| told | 1,234 tokens | none |" in text
    assert "2026-11-21" in text
