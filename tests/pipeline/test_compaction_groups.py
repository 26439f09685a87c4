"""What compaction looks at: when it is due, what belongs together, and what it sees without a model."""

import random
from dataclasses import replace
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
DUE = {
    "eight writes": (Churn("global", 8, None, NOW - HOURS), 20, 0, True),
    "seven writes": (Churn("global", 7, None, NOW - HOURS), 20, 0, False),
    "one write, twelve hours": (Churn("global", 1, None, NOW - 12 * HOURS), 20, 0, True),
    "one write, eleven hours": (Churn("global", 1, None, NOW - 11 * HOURS), 20, 0, False),
    "nothing changed": (Churn("global", 0, None, NOW - 99 * HOURS), 20, 0, False),
    "something expired": (Churn("global", 0, None, NOW - 99 * HOURS), 20, 1, True),
    "never yet": (Churn("global", 1), 20, 0, True),
    "one entry": (Churn("global", 9), 1, 1, False),
    "failed just now": (Churn("global", 9, NOW - RETRY / 2), 20, 0, False),
    "failed a while ago": (Churn("global", 9, NOW - RETRY), 20, 0, True),
    "tried and done just now": (Churn("global", 9, NOW - RETRY / 2, NOW - RETRY / 2), 20, 0, True),
}


@pytest.mark.parametrize("case", DUE.values(), ids=DUE.keys())
def test_when_compaction_is_due(case: tuple[Churn, int, int, bool]) -> None:
    state, count, over, expected = case
    assert (due(state, count, over, NOW, When()) is not None) is expected


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
    return [s.path for group in groups for cluster in group.clusters for s in cluster]


def hashes(groups: list[Group]) -> set[str]:
    return {mark for group in groups for mark in group.hashes}


def test_a_small_scope_is_judged_as_one() -> None:
    stored = [store(entry("Use pnpm.", name="a")), store(entry("包管理器是npm", name="b"))]
    (group,) = plan_groups(stored, ())
    assert group.numbered == {1: stored[0], 2: stored[1]}
    assert len(group.clusters) == 1


def test_scopes_are_never_judged_together() -> None:
    stored = [store(entry("Use pnpm.", name="a")), store(entry("Use pnpm.", name="a", scope="global"))]
    assert [group.scope for group in plan_groups(stored, ())] == ["global", "projects/larkspur"]


def test_what_shares_rare_words_stands_in_one_cluster() -> None:
    pair = [
        store(entry("The zeppelin hangar gauge counts 90 rivets.", name="one")),
        store(entry("Zeppelin hangar: a gauge of 180 rivets.", name="two")),
    ]
    groups = plan_groups([*many(150), *pair], ())
    holding = [c for g in groups for c in g.clusters if pair[0] in c]
    assert [pair[1] in cluster for cluster in holding] == [True]


def test_what_was_judged_is_not_asked_again_and_a_change_asks_little() -> None:
    stored = many(400)
    first = plan_groups(stored, ())
    judged = hashes(first)
    assert plan_groups(stored, judged) == []
    changed = [*stored[:-1], store(replace(stored[-1].entry, body=stored[-1].entry.body + " more"))]
    again = plan_groups(changed, judged)
    assert changed[-1].path in members(again)
    assert sum(size(s) for g in again for s in g.entries) <= NEIGHBOURHOOD
    assert members(plan_groups(changed, ())) != []


def test_new_entries_ask_about_their_own_neighbourhood_alone() -> None:
    """Words become more common with them, and clusters fall out otherwise: nobody pays for that."""
    stored, new = many(600), [store(replace(s.entry, name=f"new-{s.entry.name}")) for s in many(5, seed=2)]
    again = plan_groups([*stored, *new], hashes(plan_groups(stored, ())))
    assert {s.path for s in new} <= set(members(again))
    assert sum(len(group.clusters) for group in again) <= len(new)


def test_an_entry_too_large_for_a_prompt_is_left_out() -> None:
    huge = store(replace(entry("word " * 4_000, name="huge"), limit=50_000))
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


def test_a_cold_store_costs_little_more_than_itself() -> None:
    stored = many(300)
    groups = plan_groups(stored, ())
    assert len(groups) <= 1 + sum(map(size, stored)) // (BUDGET // 2)


def test_a_side_whose_rival_is_not_shown_is_still_in_conflict() -> None:
    one, other = (store(entry(f"The limit is {n}.", name=f"n{n}")) for n in (40, 50))
    sections = flag([], {s.path: s.entry for s in (one, other)}, one.path, other.path)
    alone = Group(one.entry.scope, ((one,),))
    assert alone.disputed(sections) == {1: []}
    assert Group(one.entry.scope, ((one, other),)).disputed(sections) == {1: [2], 2: [1]}
    assert alone.disputed([]) == {}


# without a model

PORT = store(entry("The admin port is 8080.", name="port"))
COPY = store(entry("the admin port is 8080", name="copy", day=3))
OTHER = store(entry("The admin port is 9090.", name="other", day=5))


def test_exact_duplicates_become_one() -> None:
    (op,) = propose([PORT, COPY])
    assert isinstance(op, Merge)
    seen = CompactView(NOW, {s.path: s for s in (PORT, COPY)})
    checked = check([op], seen)
    assert checked.refused == ()
    (made,) = entries(applied([PORT, COPY], changes(checked.accepted, seen))).values()
    assert made.evidence == (said(PORT.entry.body, 0), said(COPY.entry.body, 3))


def test_identity_duplicates_become_one() -> None:
    guide = store(entry("Docs: https://x.test/guide", type="reference", name="guide"))
    again = store(entry("The docs: https://X.test/guide/", type="reference", name="again"))
    assert [type(op) for op in propose([guide, again])] == [Merge]


def test_plain_contradictions_are_flagged() -> None:
    assert propose([PORT, OTHER]) == [Flag(OTHER, PORT)]


QUIET = {
    "flagged already": ([PORT, OTHER], True),
    "agreed": ([store(replace(PORT.entry, agrees_with=(OTHER.path,))), OTHER], False),
    "the user's own": ([replace(PORT, user_written=True), COPY], False),
    "another scope": ([PORT, store(replace(COPY.entry, scope="global"))], False),
    "another origin": ([PORT, store(replace(COPY.entry, origin="tool-observed"))], False),
    "archived": ([PORT, replace(COPY, archived=True)], False),
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
