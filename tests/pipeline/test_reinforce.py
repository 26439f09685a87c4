"""Reinforcement (docs/seeds.md A25): repeats count slowly, and nothing that stands is dropped."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from merge_support import DAY

from siltstone.pipeline.merging.outcomes import reinforced
from siltstone.store.entry import MAX_COUNT, Evidence, reinforcements


def told(at: datetime, session: str, message: str = "m") -> Evidence:
    return Evidence(at, "claude", session, message, "use pnpm here")


FIRST = told(DAY, "a")
LATE = datetime.fromisoformat("2026-05-12T23:45Z")

REPEATS = {
    "another day and session": (FIRST, told(DAY + timedelta(days=1), "b"), 1),
    "the same session": (FIRST, told(DAY + timedelta(days=8), "a"), 0),
    "the same UTC day": (FIRST, told(DAY + timedelta(hours=3), "b"), 0),
    "under an hour, over midnight": (told(LATE, "a"), told(LATE + timedelta(minutes=30), "b"), 0),
    "an hour, over midnight": (told(LATE, "a"), told(LATE + timedelta(minutes=60), "b"), 1),
    "just under it": (told(LATE, "a"), told(LATE + timedelta(minutes=59), "b"), 0),
    "the same words again": (FIRST, FIRST, 0),
    "read later, told earlier": (FIRST, told(DAY - timedelta(days=2), "b"), 1),
}


@pytest.mark.parametrize("case", REPEATS.values(), ids=REPEATS.keys())
def test_a_repeat_counts_once_a_session_and_day(case: tuple[Evidence, Evidence, int]) -> None:
    first, repeat, count = case
    evidence = reinforced([first], [repeat])
    assert reinforcements(evidence) == count
    assert len(evidence) == 1 + count


def test_the_first_telling_does_not_reinforce_itself() -> None:
    proposal, yes = told(DAY, "a", "m1"), told(DAY, "a", "m2")
    assert reinforced([], [yes, proposal]) == (proposal, yes)
    assert reinforcements([proposal, yes]) == 0


def test_six_repeats_are_enough() -> None:
    evidence: tuple[Evidence, ...] = (FIRST,)
    for day in range(1, 20):
        evidence = reinforced(evidence, [told(DAY + timedelta(days=day), f"s{day}")])
    assert reinforcements(evidence) == MAX_COUNT == len(evidence) - 1


TELLINGS = st.builds(
    lambda hours, session: told(DAY + timedelta(hours=hours), session, f"{session}{hours}"),
    st.integers(0, 200),
    st.sampled_from("abcdefgh"),
)


@given(st.lists(TELLINGS, min_size=1), st.lists(TELLINGS))
def test_no_evidence_is_ever_dropped(old: list[Evidence], new: list[Evidence]) -> None:
    after = reinforced(old, new)
    assert set(old) <= set(after)
    assert list(after) == sorted(after)
    assert reinforced(after, new) == after


@given(st.lists(TELLINGS, max_size=5), st.randoms())
def test_one_batch_counts_the_same_in_any_order(new: list[Evidence], random: object) -> None:
    shuffled = sorted(new, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert reinforced([FIRST], new) == reinforced([FIRST], shuffled)
