"""Legacy rollouts keep what a rollback took back, and say afterwards how many turns are gone."""

from pathlib import Path

import pytest
from agents_outline import outline
from codex_home import Home, call, event, opened, output

from siltstone.agents.values import Record

BEGIN, END = event("task_started"), event("task_complete", last_agent_message=None)
ABORTED = event("turn_aborted", reason="interrupted")


def turn(word: str, *between: Record) -> list[Record]:
    """A typed text and its answer."""
    answer = event("agent_message", message=f"{word} done", phase="final_answer")
    return [BEGIN, event("user_message", message=word), *between, answer, END]


def back(turns: object) -> Record:
    return event("thread_rolled_back", num_turns=turns)


@pytest.mark.parametrize(
    ("records", "typed"),
    [
        pytest.param([*turn("a"), *turn("b"), back(1), *turn("c")], ["a", "c"], id="the last turn"),
        pytest.param([*turn("a"), *turn("b"), *turn("c"), back(2)], ["a"], id="two turns"),
        pytest.param([*turn("a"), *turn("b"), back(1), *turn("c"), back(2)], [], id="one after another"),
        pytest.param([*turn("a"), back(9), *turn("b")], ["b"], id="more than there are"),
        pytest.param([back(1), *turn("a")], ["a"], id="before any turn"),
        pytest.param(
            [*turn("a"), BEGIN, event("user_message", message="b"), ABORTED, back(1), *turn("c")],
            ["a", "c"],
            id="an interrupted turn",
        ),
        pytest.param(
            [*turn("a"), event("user_message", message="<environment_context>x"), back(1), *turn("b")],
            ["b"],
            id="what was injected is no turn",
        ),
        pytest.param([*turn("a"), back("x"), back(-1), back(None), *turn("b")], ["a", "b"], id="no number"),
        pytest.param([*turn('say "thread_rolled_back"'), *turn("b")], None, id="only words"),
    ],
)
def test_what_was_rolled_back_is_reverted(
    tmp_path: Path, records: list[Record], typed: list[str] | None
) -> None:
    home = Home(tmp_path)
    path = home.write(*records)
    told = outline(opened(home, path).steps)
    if typed is None:
        assert not any("reverted" in one for one in told)
    else:
        assert [one for one in told if one.startswith("user")] == [f"user: {word}" for word in typed]


def test_tool_calls_go_with_their_turn_and_are_counted(tmp_path: Path) -> None:
    home = Home(tmp_path)
    path = home.write(*turn("a"), *turn("b", call("call_1", "make"), output("call_1", "ok")), back(1))

    assert "(3 reverted)" in outline(opened(home, path).steps)


def test_a_rollback_of_what_was_read_before_changes_nothing_now(tmp_path: Path) -> None:
    home = Home(tmp_path)
    path = home.write(*turn("a"), *turn("b"))
    token = list(opened(home, path).steps)[-1].resume
    before = path.read_bytes()
    after = home.write(*turn("a"), *turn("b"), back(1), *turn("c")).read_bytes()
    path.write_bytes(after)

    assert after.startswith(before)
    told = outline(opened(home, path, token).steps)
    assert [one for one in told if one.startswith("user")] == ["user: c"]


def test_a_paginated_rollout_goes_back_by_segments_alone(tmp_path: Path) -> None:
    home = Home(tmp_path)
    path = home.write(*turn("a"), back(1), history_mode="paginated")

    assert "user: a" in outline(opened(home, path).steps)
