"""What a resident watch does when: tables over what it saw and the time, and what holds for any course."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siltstone.pipeline.watching import (
    COOLDOWN,
    FIRST_PAUSE,
    LONGEST_PAUSE,
    Commit,
    Decision,
    Heard,
    Pace,
    Run,
    Seen,
    Trouble,
    Watching,
    committed,
    decide,
    ran,
)

T = 1_790_000_000.0
PACE = Pace(quiet=2, idle=60, poll=600)
ONE, TWO = ("claude", "one"), ("codex", "two")
CALM = Watching(tree=1, since=T - 100, settled=1, begun=T - 100)
"""Nothing changed and nothing goes on."""


def heard(ago: float, stamp: str = "a") -> Heard:
    return Heard(stamp, T - ago)


def runs(decision: Decision) -> list[str]:
    return [act.why for act in decision.acts if isinstance(act, Run)]


@pytest.mark.parametrize(
    ("state", "seen", "acts"),
    [
        pytest.param(CALM, Seen(), (), id="nothing to do"),
        pytest.param(CALM, Seen(tree=1, sessions={}), (), id="nothing changed"),
        pytest.param(CALM, Seen(tree=2), (), id="an edit just seen"),
        pytest.param(replace(CALM, tree=2, since=T - 1.9), Seen(), (), id="an edit not yet quiet"),
        pytest.param(replace(CALM, tree=2, since=T - 2), Seen(), (Commit(),), id="a quiet edit"),
        pytest.param(replace(CALM, tree=2, since=T - 2), Seen(tree=3), (), id="an edit that goes on"),
        pytest.param(replace(CALM, tree=2, since=T + 9000), Seen(), (), id="the clock was set back"),
        pytest.param(CALM, Seen(sessions={ONE: heard(59)}), (), id="a session not yet idle"),
        pytest.param(
            CALM, Seen(sessions={ONE: heard(60)}), (Run("1 session quiet for 60 s"),), id="an idle session"
        ),
        pytest.param(
            CALM,
            Seen(sessions={ONE: heard(60), TWO: heard(1e6)}),
            (Run("2 sessions quiet for 60 s"),),
            id="two idle sessions",
        ),
        pytest.param(
            replace(CALM, taken={ONE: "a"}), Seen(sessions={ONE: heard(90)}), (), id="a session dealt with"
        ),
        pytest.param(
            replace(CALM, taken={ONE: "a"}),
            Seen(sessions={ONE: heard(90, "b")}),
            (Run("1 session quiet for 60 s"),),
            id="a session that went on",
        ),
        pytest.param(CALM, Seen(sessions={ONE: heard(-900)}), (), id="a session of the future"),
        pytest.param(
            replace(CALM, begun=None), Seen(), (Run("the first one after the start"),), id="after the start"
        ),
        pytest.param(
            replace(CALM, ticked=True), Seen(), (Run("conflicts were edited"),), id="a conflict ticked"
        ),
        pytest.param(replace(CALM, begun=T - 599), Seen(), (), id="before the poll"),
        pytest.param(
            replace(CALM, begun=T - 600), Seen(), (Run("10 minutes since the last one"),), id="the poll (C23)"
        ),
        pytest.param(replace(CALM, begun=T + 9000), Seen(), (), id="the last run is in the future"),
        pytest.param(
            replace(CALM, tree=2, since=T - 2, begun=T - 600),
            Seen(),
            (Commit(), Run("10 minutes since the last one")),
            id="edits are committed before a run",
        ),
        pytest.param(
            replace(CALM, runs=Trouble(1, T)), Seen(), (Run("the last one failed"),), id="a failed run again"
        ),
    ],
)
def test_what_is_done_when(state: Watching, seen: Seen, acts: tuple[Run | Commit, ...]) -> None:
    assert decide(state, seen, T, PACE).acts == acts


@pytest.mark.parametrize(
    ("state", "waits"),
    [
        pytest.param(
            replace(CALM, tree=2, since=T - 5, commits=Trouble(1, T + 40)),
            "edits wait: committing failed; next try at 14:14:00Z",
            id="committing failed",
        ),
        pytest.param(
            replace(CALM, running=True, unread={ONE: heard(60)}),
            "a run waits for the one that is going on (1 session quiet for 60 s)",
            id="a run is going on",
        ),
        pytest.param(
            replace(CALM, runs=Trouble(1, T + 40), unread={ONE: heard(60)}),
            "a run waits: the last one failed; next try at 14:14:00Z (1 session quiet for 60 s)",
            id="the last run failed",
        ),
    ],
)
def test_what_waits_says_why(state: Watching, waits: str) -> None:
    decision = decide(state, Seen(), T, PACE)
    assert (decision.acts, decision.waits) == ((), (waits,))


@pytest.mark.parametrize(
    ("pace", "acts"),
    [
        pytest.param(replace(PACE, reads=False), ["10 minutes since the last one"], id="reading is off"),
        pytest.param(replace(PACE, compacts=False), ["1 session quiet for 60 s"], id="compaction is off"),
        pytest.param(replace(PACE, reads=False, compacts=False), [], id="both are off"),
    ],
)
def test_stages_that_are_switched_off(pace: Pace, acts: list[str]) -> None:
    state = replace(CALM, begun=T - 600, unread={ONE: heard(60)})
    assert runs(decide(state, Seen(), T, pace)) == acts


def test_a_session_is_left_alone_for_a_while_after_a_batch() -> None:
    pace = replace(PACE, idle=0)
    state = decide(CALM, Seen(sessions={ONE: heard(1)}), T, pace).state
    state = ran(state, False, T + 1)
    again = Seen(sessions={ONE: Heard("b", T + 2)})
    soon = decide(state, again, T + COOLDOWN - 1, pace)
    assert soon.acts == ()
    assert runs(decide(soon.state, Seen(), T + COOLDOWN, pace)) == ["1 session quiet for 0 s"]
    other = Seen(sessions={ONE: Heard("b", T + 2), TWO: Heard("a", T + 2)})
    assert runs(decide(state, other, T + 3, pace)) == ["1 session quiet for 0 s"]


def test_a_session_that_writes_while_a_batch_runs_is_read_by_the_next() -> None:
    state = decide(CALM, Seen(sessions={ONE: heard(60), TWO: heard(10)}), T, PACE).state
    assert state.running
    state = decide(state, Seen(sessions={ONE: Heard("b", T + 5), TWO: heard(10)}), T + 6, PACE).state
    state = ran(state, False, T + 7)
    assert runs(decide(state, Seen(), T + 50, PACE)) == ["1 session quiet for 60 s"]
    later = decide(state, Seen(), T + 65, PACE)
    assert runs(later) == ["2 sessions quiet for 60 s"]


def test_pauses_double_and_end_with_success() -> None:
    state, pauses = CALM, []
    for _ in range(9):
        state = ran(state, True, T)
        pauses.append(state.runs.until - T)
    assert pauses == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600]
    assert (pauses[0], pauses[-1]) == (FIRST_PAUSE, LONGEST_PAUSE)
    assert ran(state, False, T).runs == Trouble()


def test_a_commit_that_failed_is_tried_again_after_its_pause() -> None:
    state = decide(replace(CALM, tree=2, since=T - 2), Seen(), T, PACE).state
    assert decide(state, Seen(), T + 5, PACE).acts == ()
    state = committed(state, True, False, T)
    assert decide(state, Seen(), T + 59, PACE).acts == ()
    assert decide(state, Seen(), T + 60, PACE).acts == (Commit(),)


def test_a_ticked_conflict_asks_for_one_run() -> None:
    state = committed(CALM, False, True, T)
    decision = decide(state, Seen(), T, PACE)
    assert runs(decision) == ["conflicts were edited"]
    assert runs(decide(ran(decision.state, False, T + 1), Seen(), T + 2, PACE)) == []


seen = st.builds(
    Seen,
    st.none() | st.integers(0, 3),
    st.none()
    | st.dictionaries(
        st.sampled_from([ONE, TWO]),
        st.builds(Heard, st.sampled_from("abc"), st.floats(T - 200, T + 2000)),
    ),
)


@given(st.lists(st.tuples(seen, st.floats(-30, 120), st.booleans(), st.booleans()), max_size=40))
def test_runs_never_overlap_and_every_edit_and_session_has_its_turn(
    course: list[tuple[Seen, float, bool, bool]],
) -> None:
    """Whatever is seen, whatever fails and wherever the clock goes: in the end nothing is left over."""
    state, now = Watching(), T
    for one, step, ends, fails in course:
        was_running = state.running
        now += step
        decision = decide(state, one, now, PACE)
        state = decision.state
        assert not (was_running and runs(decision))
        if Commit() in decision.acts:
            state = committed(state, fails, False, now)
        if state.running and ends:
            state = ran(state, fails, now)
    last = Seen(tree=7, sessions={ONE: Heard("end", now)})
    state = ran(state, False, now) if state.running else state
    acts: list[Run | Commit] = []
    for step in (0, 30, 61, LONGEST_PAUSE + 62, 2 * LONGEST_PAUSE):
        decision = decide(state, last, now + step, PACE)
        acts += decision.acts
        state = ran(decision.state, False, now + step) if decision.state.running else decision.state
    assert state.settled == 7
    assert state.taken[ONE] == "end"


def test_a_session_cools_down_no_longer_when_the_clock_is_set_back() -> None:
    ahead = replace(CALM, cooling={ONE: T + 9000}, taken={ONE: "a"})
    first = decide(ahead, Seen(sessions={ONE: heard(61, "b")}), T, PACE)
    assert runs(first) == []
    assert runs(decide(first.state, Seen(), T + COOLDOWN, PACE)) == ["1 session quiet for 60 s"]


def test_a_clock_that_was_set_back_puts_nothing_off() -> None:
    ahead = replace(CALM, tree=2, since=T + 9000, begun=T + 9000, runs=Trouble(1, T + 9000))
    first = decide(ahead, Seen(), T, PACE)
    assert runs(first) == ["the last one failed"]
    state = ran(first.state, False, T + 1)
    assert decide(state, Seen(), T + 2, PACE).acts == (Commit(),)
    assert runs(decide(state, Seen(), T + 600, PACE)) == ["10 minutes since the last one"]
