"""Core and working memory (docs/seeds.md B1–B3, B10–B14, and its defect)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from session_support import CWD, NOW, after, an_event, ran, typed, used
from support.table import table

from siltstone.recall.session.event import Event
from siltstone.recall.session.state import SLOTS, Pooled, SessionState, Slot
from siltstone.recall.session.tools import core_update
from siltstone.recall.session.working_memory import (
    LEAST,
    MOST,
    decisions,
    dependencies,
    mention,
    paths,
    ranked,
    score,
    slot,
    todos,
)
from siltstone.store.errors import Misuse


@pytest.mark.parametrize(("name", "most"), [("goal", 1_000), ("progress", 2_000), ("context", 1_500)])
def test_a_block_holds_its_limit_and_not_one_more(name: str, most: int) -> None:
    full = core_update(SessionState(), name, "a b" * (most // 3) + "c" * (most % 3), NOW).state
    assert len(getattr(full, name).content) == most
    with pytest.raises(
        Misuse, match=f"{name} has room for {most:,} characters, this would make it {most + 2:,}"
    ):
        core_update(full, name, "d", NOW, append=True)
    with pytest.raises(Misuse, match="there are goal, progress, context"):
        core_update(full, "persona", "x", NOW)


def test_the_pool_loses_fifteen_percent_an_event_and_a_thing_mentioned_once_is_gone_after_29() -> None:
    thing = Pooled("a.ts", 1, 1.0, 10)
    assert [score(thing, event) for event in (10, 11, 14)] == pytest.approx([1.0, 0.85, 0.85**4])
    pool = mention((), ["a.ts"], 0)
    assert [thing.text for thing in mention(pool, [], 28)] == ["a.ts"]
    assert mention(pool, [], 29) == ()


@given(st.lists(st.booleans(), max_size=60))
def test_events_one_by_one_and_at_once_come_to_the_same(mentioned: list[bool]) -> None:
    pool: tuple[Pooled, ...] = ()
    by_hand = 0.0
    for event, said in enumerate(mentioned):
        by_hand = by_hand * 0.85 + said
        by_hand = by_hand if by_hand >= LEAST else 0.0
        pool = mention(pool, ["a.ts"] if said else [], event)
    last = len(mentioned) - 1
    assert (score(pool[0], last) if pool else 0.0) == pytest.approx(by_hand)
    assert not pool or pool[0].mentions >= 1


def test_often_mentioned_comes_first_and_fades_too() -> None:
    pool = mention(mention(mention((), ["a", "b"], 1), ["b"], 2), ["c"], 3)
    assert [thing.text for thing in ranked(pool, 3)] == ["b", "c", "a"]
    assert [thing.mentions for thing in ranked(pool, 3)] == [2, 1, 1]
    assert mention(pool, [], 60) == ()


@given(st.lists(st.lists(st.text(max_size=3), max_size=30), max_size=12))
def test_the_pool_is_bounded(rounds: list[list[str]]) -> None:
    pool: tuple[Pooled, ...] = ()
    for event, texts in enumerate(rounds):
        pool = mention(pool, texts, event)
        assert len(pool) <= MOST
        assert len({thing.text for thing in pool}) == len(pool)


@pytest.mark.parametrize(("kind", "most"), [("error", 3), ("decision", 5), ("todo", 3), ("dependency", 3)])
def test_slots_keep_the_newest_of_each_kind(kind: str, most: int) -> None:
    slots: tuple[Slot, ...] = (Slot("error" if kind == "todo" else "todo", "other", 0),)
    for n in range(9):
        slots = slot(slots, kind, [f"{n}"], n)
    assert [one.text for one in slots if one.kind == kind] == [f"{n}" for n in range(9 - most, 9)]
    assert slots[0].text == "other"


def test_what_is_said_again_is_new_again() -> None:
    slots = slot(slot((), "todo", ["a", "b"], 1), "todo", ["a"], 2)
    assert slots == (Slot("todo", "b", 1), Slot("todo", "a", 2))


def test_a_file_is_one_thing_however_its_path_is_written() -> None:
    state = after([used("Edit", f"{CWD}/src/a.ts", output=f"{CWD}/src/a.ts has been updated")])
    state = after([ran("go vet", 1, "./src/a.ts:3"), typed(f"look at {CWD}/src/a.ts")], state)
    assert [(one.text, one.mentions) for one in state.pool] == [("src/a.ts", 3)]


@table("session_working", "decisions")
def test_decisions_are_found(text: str, decided: bool) -> None:
    assert bool(decisions(f"Thanks. {text}\nNow the tests.")) is decided


@table("session_working", "todos")
def test_things_to_do_are_found(text: str, found: list[str]) -> None:
    assert todos(text) == found


@table("session_working", "dependencies")
def test_dependencies_are_found(command: str, output: str, found: list[str]) -> None:
    assert dependencies(command, output) == found


def test_paths_are_found_in_what_tools_print() -> None:
    said = "src/app.ts:3:1 see ./docs/a.md and https://example.org/x.html, v1.2.3, e.g. tests/test_a.py"
    assert paths(said) == ["src/app.ts", "./docs/a.md", "tests/test_a.py"]


@pytest.mark.parametrize(
    "text",
    ["a/" * 500_000, "- [ ] " * 300_000, "\n" * 2_000_000, "x." * 900_000],
    ids=["folders", "boxes", "lines", "dots"],
)
def test_any_text_is_looked_through_in_bearable_time(text: str) -> None:
    for find in (decisions, todos, paths):
        assert len(find(text)) <= 8
    assert len(dependencies(text, text)) <= 8


def test_working_memory_fills_itself() -> None:
    state = after(
        [
            typed("We decided to use pnpm. See docs/cart.md\n- [ ] rename the cart"),
            ran("npm test", 1, "Error: Cannot find module 'left-pad'"),
            used("Edit", "src/cart.ts"),
            an_event("message", role="assistant", text="Decision: keep the cart. See src/cart.ts"),
        ]
    )
    assert {(one.kind, one.text) for one in state.slots} == {
        ("decision", "We decided to use pnpm."),
        ("todo", "rename the cart"),
        ("error", "Error: Cannot find module 'left-pad'"),
        ("dependency", "left-pad"),
        ("decision", "Decision: keep the cart."),
    }
    assert {one.text: one.mentions for one in state.pool} == {"docs/cart.md": 1, "src/cart.ts": 2}
    assert all(sum(one.kind == kind for one in state.slots) <= most for kind, most in SLOTS.items())


NO_CART, NO_RULE = "Error: no cart in src/cart.ts", "error: no rule"
FAILS, EDITED = ran("npm test", 1, NO_CART), used("Edit", "src/cart.ts")


@pytest.mark.parametrize(
    ("events", "slots"),
    [
        pytest.param([], [NO_CART], id="open"),
        pytest.param([ran("npm test", 0)], [], id="cleared"),
        pytest.param([ran("npx vitest", 0)], [], id="cleared by its category"),
        pytest.param([EDITED], [], id="perhaps fixed"),
        pytest.param([EDITED, FAILS], [NO_CART], id="back again"),
        pytest.param([ran("make", 2, NO_RULE), ran("npm test", 0)], [NO_RULE], id="another"),
    ],
)
def test_an_error_that_is_fixed_leaves_its_slot(events: list[Event], slots: list[str]) -> None:
    own = SessionState(slots=(Slot("error", "the cart is slow"),))
    found = [one.text for one in after([FAILS, *events], own).slots if one.kind == "error"]
    assert found == ["the cart is slow", *slots]
