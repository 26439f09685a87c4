"""What is shown: strongest first within caps and budget, every type with a share, the same all day."""

from collections import Counter
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.recalled import BOTH, LARKSPUR, NOW, block, memory, prepare, view_of
from support.table import table

from siltstone.recall.layouts import LAYOUTS
from siltstone.recall.prepared import View
from siltstone.recall.retention import half_life
from siltstone.recall.selection import CAPS, TITLES, Budget, by_strength
from siltstone.store.entry import GLOBAL, TYPES, Stored, Type


def many(count: int, type: Type, **how: object) -> list[Stored]:
    made = (memory(f"{type} number {n:02}", type, **how) for n in range(count))  # type: ignore[arg-type]
    return list(made)


def view(folder: Path, stored: list[Stored]) -> View:
    prepare(folder, stored)
    return view_of(folder)


def kinds(folder: Path, stored: list[Stored], **how: object) -> Counter[str]:
    shown = block(view(folder, stored), **how).receipt.shown  # type: ignore[arg-type]
    return Counter(one.type for one in shown)


@table("selection", "caps")
def test_caps(tmp_path: Path, there: dict[Type, int], shown: dict[str, int]) -> None:
    stored = [one for type, count in there.items() for one in many(count, type)]
    assert kinds(tmp_path, stored) == shown


def test_caps_are_of_both_scopes_together(tmp_path: Path) -> None:
    """A39: the budget of a block."""
    assert Budget() == (3600, 28)
    stored = [*many(8, "feedback"), *many(8, "feedback", scope=GLOBAL)]
    assert kinds(tmp_path, stored) == {"feedback": 10}


@table("selection", "stronger")
def test_the_stronger_stands_first(tmp_path: Path, there: list[dict[str, Any]], first: str) -> None:
    stored = [memory(**one) for one in there]
    ordered = by_strength(view(tmp_path, stored), NOW.timestamp())
    assert ordered[0].line == first
    prepare(tmp_path, reversed(stored))
    assert by_strength(view_of(tmp_path), NOW.timestamp()) == ordered


def test_an_order_that_turns_does_so_at_midnight(tmp_path: Path) -> None:
    """Twice as strong at first, but fading faster, the one falls behind the other at noon of the day."""
    crossing = 1 / (1 / half_life(0) - 1 / half_life(6))
    midnight = NOW.replace(hour=0)
    days = crossing + (NOW - midnight - timedelta(hours=12)) / timedelta(days=1)
    seen = view(
        tmp_path,
        [
            memory("Fades", "decision", days=days, source="explicit"),
            memory("Lasts", "decision", days=days, repeats=6),
            memory("Keeps the project in use", "reference"),
        ],
    )
    first = [
        by_strength(seen, (midnight + timedelta(minutes=minutes)).timestamp())[0].line
        for minutes in (-1, 1, 11 * 60, 13 * 60, 24 * 60 - 1)
    ]
    assert first == ["Fades", "Lasts", "Lasts", "Lasts", "Lasts"]


def test_a_dormant_project_ages_more_slowly(tmp_path: Path) -> None:
    """A24, by what was told in the scope, not by who looks at it: 100 days old, idle for as long."""
    old = memory("Kept", "project", days=100, repeats=6)
    fresh = memory("Fresh", "reference", scope=GLOBAL)
    ordered = by_strength(view(tmp_path, [old, fresh]), NOW.timestamp())
    assert [one.line for one in ordered] == ["Kept", "Fresh"]
    busy = [old, fresh, memory("Also here", "reference", days=1, name="busy")]
    ordered = by_strength(view(tmp_path, busy), NOW.timestamp())
    assert [one.line for one in ordered] == ["Fresh", "Also here", "Kept"]


STORED = st.lists(
    st.builds(
        memory,
        st.integers(0, 60).map(lambda n: f"Fact {n} " + "and more words " * (n % 17)),
        st.sampled_from(TYPES),
        scope=st.sampled_from(BOTH),
        name=st.integers(0, 60).map(str),
        days=st.integers(0, 400),
        repeats=st.integers(0, 6),
        hot=st.booleans(),
    ),
    max_size=70,
    unique_by=lambda one: one.path,
)
BUDGETS = st.builds(Budget, st.integers(0, 5000), st.integers(0, 40))


@given(STORED, BUDGETS, st.sampled_from(sorted(LAYOUTS)))
def test_a_budget_is_never_exceeded(
    tmp_path_factory: pytest.TempPathFactory, stored: list[Stored], budget: Budget, layout: str
) -> None:
    cold = [one for one in stored if not one.pinned]
    made = block(view(tmp_path_factory.mktemp("v"), cold), budget=budget, layout=layout)
    assert len(made.text) <= budget.chars + int(TITLES * budget.chars)
    assert len(made.receipt.shown) <= budget.entries
    counts = Counter(one.type for one in made.receipt.shown)
    assert all(counts[type] <= CAPS[type] for type in TYPES)


@given(STORED, st.integers(1500, 5000), st.sampled_from(sorted(LAYOUTS)))
def test_every_type_that_is_there_is_shown(
    tmp_path_factory: pytest.TempPathFactory, stored: list[Stored], chars: int, layout: str
) -> None:
    cold = [one for one in stored if not one.pinned]
    made = block(view(tmp_path_factory.mktemp("v"), cold), layout=layout, budget=Budget(max(chars, 3600)))
    assert {one.type for one in made.receipt.shown} == {one.entry.type for one in cold}


@given(STORED, st.integers(0, 86_399), st.integers(0, 86_399), st.sampled_from(sorted(LAYOUTS)))
def test_all_day_the_same_bytes_are_shown_whatever_is_learned_elsewhere_and_the_receipt_adds_up(
    tmp_path_factory: pytest.TempPathFactory, stored: list[Stored], one: int, other: int, layout: str
) -> None:
    folder = tmp_path_factory.mktemp("v")
    seen, midnight = view(folder, stored), NOW.replace(hour=0)
    sooner, later = (block(seen, now=midnight + timedelta(seconds=s), layout=layout) for s in (one, other))
    assert sooner.text == later.text
    elsewhere = view(folder, [*stored, memory("Elsewhere", scope="projects/heron")])
    assert block(elsewhere, now=midnight, layout=layout).text == sooner.text
    told = sooner.receipt
    assert told.total == len(stored) == len(told.shown) + sum(told.left.values())
    paths = [one.path for one in told.shown] + [path for path, _ in told.named]
    assert len(paths) == len(set(paths))
    assert all(count > 0 for count in told.left.values())


def test_a_shown_memory_is_no_weaker_than_one_of_its_type_that_is_not(tmp_path: Path) -> None:
    stored = [memory(f"Fact {n}", "decision", days=n, scope=LARKSPUR if n % 2 else GLOBAL) for n in range(30)]
    shown = [one.path for one in block(view(tmp_path, stored)).receipt.shown]
    order = [one.path for one in by_strength(view_of(tmp_path), NOW.timestamp())]
    assert shown == order[:10]
    assert all(order.index(a) < order.index(b) for a, b in pairwise(shown))
