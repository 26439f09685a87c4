"""What compaction looks at: when it is due, what belongs together, and what it sees without a model."""

import random
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from merge_support import NOW, applied, entries, entry, said, store
from support.table import table

from siltstone.pipeline.compaction.apply import changes
from siltstone.pipeline.compaction.check import check
from siltstone.pipeline.compaction.due import RETRY, When, due, ends, expired
from siltstone.pipeline.compaction.groups import BUDGET, NEIGHBOURHOOD, Group, plan_groups, size
from siltstone.pipeline.compaction.plan import CompactView, Flag, Merge
from siltstone.pipeline.compaction.without_model import propose
from siltstone.pipeline.conflicts import flag
from siltstone.store.entry import Stored
from siltstone.store.state import Churn

# due

HOURS = timedelta(hours=1)


@pytest.mark.parametrize(
    ("writes", "tried", "done", "over", "expected"),
    [
        pytest.param(8, None, 1 * HOURS, 0, True, id="eight writes"),
        pytest.param(7, None, 1 * HOURS, 0, False, id="seven writes"),
        pytest.param(1, None, 12 * HOURS, 0, True, id="one write, twelve hours"),
        pytest.param(1, None, 11 * HOURS, 0, False, id="one write, eleven hours"),
        pytest.param(0, None, 99 * HOURS, 0, False, id="nothing changed"),
        pytest.param(0, None, 99 * HOURS, 1, True, id="something expired"),
        pytest.param(1, None, None, 0, True, id="never yet"),
        pytest.param(9, RETRY / 2, None, 0, False, id="failed just now"),
        pytest.param(9, RETRY, None, 0, True, id="failed a while ago"),
        pytest.param(9, RETRY / 2, RETRY / 2, 0, True, id="tried and done just now"),
    ],
)
def test_when_compaction_is_due(
    writes: int, tried: timedelta | None, done: timedelta | None, over: int, expected: bool
) -> None:
    churn = Churn("global", writes, *(None if ago is None else NOW - ago for ago in (tried, done)))
    assert (due(churn, 20, over, NOW, When()) is not None) is expected
    assert due(churn, 1, 1, NOW, When()) is None, "a single memory"
    rested = done is None or done >= 12 * HOURS
    assert (due(churn, 20, over, NOW, When(rest=12 * HOURS)) is not None) is (expected and rested)


# expiry


@table("compaction", "ends")
def test_only_a_day_that_ends_something_expires_it(text: str, over: bool) -> None:
    assert expired(text, NOW) is over


@given(st.text(max_size=200))
def test_any_text_ends_or_does_not(text: str) -> None:
    assert ends(text) is None or "20" in text


# groups

WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in "aeiou" for c in "bdgklmnprst"]


def many(count: int, seed: int = 1) -> list[Stored]:
    """A store of facts with words of a natural spread."""
    chance = random.Random(seed)  # noqa: S311
    weights = [1 / (n + 3) for n in range(len(WORDS))]
    return [
        store(entry(" ".join(chance.choices(WORDS, weights, k=12)), name=f"n{n}", day=n % 50))
        for n in range(count)
    ]


def members(groups: list[Group]) -> list[str]:
    return [s.path for group in groups for s in group.entries]


def hashes(groups: list[Group]) -> set[str]:
    return {mark for group in groups for mark in group.hashes}


def test_a_small_scope_is_judged_as_one_and_never_with_another() -> None:
    stored = [store(entry("Use pnpm.", name="a")), store(entry("包管理器是npm", name="b"))]
    (group,) = plan_groups(stored, ())
    assert group.numbered == {1: stored[0], 2: stored[1]}
    stored[1] = store(entry("Use pnpm.", name="a", scope="global"))
    assert [group.scope for group in plan_groups(stored, ())] == ["global", "projects/larkspur"]


def test_what_shares_rare_words_stands_in_one_prompt() -> None:
    pair = [
        store(entry("The zeppelin hangar gauge counts 90 rivets.", name="one")),
        store(entry("Zeppelin hangar: a gauge of 180 rivets.", name="two")),
    ]
    groups = plan_groups([*many(150), *pair], ())
    assert len(groups) > 1
    assert [pair[1] in group.entries for group in groups if pair[0] in group.entries] == [True]


def test_what_was_judged_is_not_asked_again_and_a_change_asks_little() -> None:
    stored = many(400)
    first = plan_groups(stored, ())
    assert len(first) <= 1 + sum(map(size, stored)) // (BUDGET // 2), "little more than the store itself"
    judged = hashes(first)
    assert plan_groups(stored, judged) == []
    changed = [*stored[:-1], store(stored[-1].entry._replace(body=stored[-1].entry.body + " more"))]
    again = plan_groups(changed, judged)
    assert changed[-1].path in members(again)
    assert sum(size(s) for g in again for s in g.entries) <= NEIGHBOURHOOD


def test_new_entries_ask_about_their_own_neighbourhood_alone() -> None:
    """Words become more common with them, and clusters fall out otherwise: nobody pays for that."""
    stored, new = many(600), [store(s.entry._replace(name=f"new-{s.entry.name}")) for s in many(5, seed=2)]
    again = plan_groups([*stored, *new], hashes(plan_groups(stored, ())))
    assert {s.path for s in new} <= set(members(again))
    assert sum(size(s) for g in again for s in g.entries) <= len(new) * NEIGHBOURHOOD


def test_an_entry_too_large_for_a_prompt_is_left_out() -> None:
    huge = store(entry("word " * 4_000, name="huge")._replace(limit=50_000))
    assert members(plan_groups([huge, *many(3)], ())) == [s.path for s in many(3)]


@given(st.integers(0, 60), st.integers(300, 3_000), st.integers(0, 5))
@settings(max_examples=25, deadline=None)
def test_each_entry_is_asked_about_once_within_the_budget(count: int, budget: int, seed: int) -> None:
    stored = many(count, seed)
    groups = plan_groups(stored, (), budget)
    assert sorted(members(groups)) == sorted(s.path for s in stored)
    for group in groups:
        assert sum(map(size, group.entries)) <= budget
        assert list(group.numbered) == list(range(1, len(group.entries) + 1))
    assert plan_groups(stored[::-1], (), budget) == groups


def test_a_side_whose_rival_is_not_shown_is_still_in_conflict() -> None:
    one, other = (store(entry(f"The limit is {n}.", name=f"n{n}")) for n in (40, 50))
    sections = flag([], {s.path: s.entry for s in (one, other)}, one.path, other.path)
    alone = Group(one.entry.scope, (one,))
    assert alone.disputed(sections) == {1: []}
    assert Group(one.entry.scope, (one, other)).disputed(sections) == {1: [2], 2: [1]}
    assert alone.disputed([]) == {}


# without a model

PORT = store(entry("The admin port is 8080.", name="port"))
COPY = store(entry("the admin port is 8080", name="copy", day=3))
OTHER = store(entry("The admin port is 9090.", name="other", day=5))


def test_duplicates_become_one() -> None:
    (op,) = propose([PORT, COPY])
    assert isinstance(op, Merge)
    seen = CompactView(NOW, {s.path: s for s in (PORT, COPY)})
    checked = check([op], seen)
    assert checked.refused == ()
    (made,) = entries(applied([PORT, COPY], changes(checked.accepted, seen))).values()
    assert made.evidence == (said(PORT.entry.body, 0), said(COPY.entry.body, 3))
    guide = store(entry("Docs: https://x.test/guide", type="reference", name="guide"))
    again = store(entry("The docs: https://X.test/guide/", type="reference", name="again"))
    assert [type(op) for op in propose([guide, again])] == [Merge], "by what they name"


QUIET = {
    "flagged already": ([PORT, OTHER], True),
    "agreed": ([store(PORT.entry._replace(agrees_with=(OTHER.path,))), OTHER], False),
    "the user's own": ([PORT._replace(user_written=True), COPY], False),
    "another scope": ([PORT, store(COPY.entry._replace(scope="global"))], False),
    "another origin": ([PORT, store(COPY.entry._replace(origin="tool-observed"))], False),
    "archived": ([PORT, COPY._replace(archived=True)], False),
}


@pytest.mark.parametrize("case", QUIET.values(), ids=QUIET.keys())
def test_everything_else_is_left_alone(case: tuple[list[Stored], bool]) -> None:
    stored, asked = case
    live = {s.path: s.entry for s in stored}
    sections = flag([], live, stored[0].path, stored[1].path) if asked else []
    assert propose(stored, sections) == []


@given(st.lists(st.sampled_from([PORT, COPY, OTHER, *many(6)]), unique_by=lambda s: s.path))
@settings(deadline=None)
def test_what_is_proposed_passes_the_check_and_comes_to_rest(stored: list[Stored]) -> None:
    seen = CompactView(NOW, {s.path: s for s in stored})
    checked = check(propose(stored), seen)
    assert checked.refused == ()
    files = applied(stored, changes(checked.accepted, seen))
    after = [store(made) for made in entries(files).values()]
    flags = [op for op in checked.accepted if isinstance(op, Flag)]
    assert [op for op in propose(after) if not isinstance(op, Flag)] == []
    assert len(propose(after)) == len(flags)
