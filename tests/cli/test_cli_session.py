"""`silt session`: what is known of running sessions, and what an agent keeps there (B4, B14, B24)."""

import os
import time
from pathlib import Path

import pytest
from support.commands import Said, call
from support.events import happens as taken

from siltstone.recall.session.event import Event, Kind
from siltstone.store.state.sessions import SUMMARY_AGE

NOW = time.time()
S1 = "claude/s1"


@pytest.fixture
def begun(home: Path) -> None:
    """A session that has begun."""
    happens(home, event("idle"))


@pytest.mark.usefixtures("home")
def test_without_an_event_no_session_is_known() -> None:
    assert call("session").out.startswith("no sessions yet")
    said = call("session", "update", S1, "goal", "Move the cart to the new rates")
    assert (said.code, said.out) == (2, "")
    assert "nothing is known about a session 'claude/s1'" in said.err
    assert call("session").out.startswith("no sessions yet")


@pytest.mark.usefixtures("begun")
def test_core_memory_by_command() -> None:
    said = call("session", "update", S1, "goal", "Move the cart to the new rates")
    assert (said.code, said.out) == (0, "goal replaced: 30 of 1,000 characters\n")
    call("session", "update", S1, "progress", "- the cart")
    call("session", "update", S1, "progress", "- totals next", "--append")
    shown = call("session", "show", S1)
    assert '<progress chars="24/2000">\n  - the cart\n  - totals next\n</progress>' in shown.out
    assert call("session", "show", S1, "--json").json["progress"]["content"] == "- the cart\n- totals next"
    assert "claude/s1  Move the cart to the new rates" in call("session").out
    assert [one["session"] for one in call("session", "--json").json] == [S1]
    said = call("session", "update", S1, "goal", "Log in with " + "ghp_" + "x1Y2" * 9)
    assert "looked like a secret" in said.err
    assert "[REDACTED]" in call("session", "show", S1).out


@pytest.mark.usefixtures("begun")
def test_working_memory_by_command() -> None:
    call("session", "add", S1, "todo", "Update the price tests")
    call("session", "add", S1, "other", "src/cart.ts")
    found = call("session", "show", S1, "--json").json
    assert [(one["kind"], one["text"]) for one in found["slots"]] == [("todo", "Update the price tests")]
    assert [one["text"] for one in found["pool"]] == ["src/cart.ts"]
    assert call("session", "remove", S1, "Update the price tests").out == "removed\n"
    assert call("session", "clear", S1).out == "cleared: 1 item of any kind\n"
    assert call("session", "show", S1).out == "nothing is kept of this session yet\n"


def happens(home: Path, *events: Event) -> None:
    for event in events:
        taken(event, home / "state", NOW)


def event(kind: Kind, **told: object) -> Event:
    fields: dict[str, object] = {"kind": kind, "agent": "claude", "session": "s1", "at": NOW}
    return Event(**(fields | {"cwd": os.getcwd()} | told))  # type: ignore[arg-type]


def test_a_running_session_is_shown_where_it_stands(home: Path, kept: Said) -> None:
    """E7, E16: Progress & Status holds the latest summary alone."""
    happens(home, *(event("message", role="user", text=f"Request number {n}") for n in range(1, 12)))
    said = call("inject", "--agent", "claude", "--session", "s1", "--layout", "sections", "--receipt")
    assert "## Progress & Status\nMachine-made (5 turns, turn 10), unverified:\n  Goal: Request" in said.out
    assert "Last asked: Request number 10\n" in said.out
    assert "shown beside them: progress, summarized by rules" in said.err
    assert len(call("session", "show", S1, "--json").json["summaries"]) == 2


def test_the_next_session_of_a_project_is_shown_the_last_one_and_a_resumed_one_not_itself(
    home: Path, kept: Said
) -> None:
    """E7, E16: Last Session, for a week, where the project is the same."""
    happens(home, event("message", role="user", text="Move the cart"), event("end"))
    said = call("inject", "--agent", "codex", "--session", "s9", "--layout", "sections", "--receipt")
    assert "## Last Session\nMachine-made by rules of a session with claude on " in said.out
    assert "\n  Goal: Move the cart\n" in said.out
    assert "last session, summarized by rules" in said.err
    assert "Move the cart" in call("inject").out
    assert "Move the cart" not in call("inject", "--cwd", str(home)).out
    assert "Move the cart" not in call("inject", "--agent", "claude", "--session", "s1").out
    happens(home, event("compaction"))
    assert "last session" not in call("inject", "--agent", "claude", "--session", "s1").out
    assert "Move the cart" in call("inject", "--agent", "claude", "--session", "s2").out


def test_compactions_and_interventions_are_told(home: Path) -> None:
    """B18, B25: what was counted can be looked up."""
    happens(home, event("idle", tokens=96_000, limit=100_000), event("idle"))
    found = call("session", "show", S1, "--json").json
    assert (found["compactions"], found["pressure"]["interventions"]) == (0, 1)
    happens(home, event("compaction"))
    found = call("session", "show", S1, "--json").json
    assert (found["compactions"], found["compacted"]) == (1, NOW)


def test_a_session_in_which_nobody_typed_or_of_long_ago_is_not_shown(home: Path, kept: Said) -> None:
    happens(home, event("tool", name="Read", input='{"file_path": "a.ts"}'), event("end"))
    assert "last session" not in call("inject").out
    happens(home, event("message", role="user", text="Move the cart"))
    taken(event("end"), home / "state", NOW - SUMMARY_AGE - 60)
    assert "Move the cart" not in call("inject").out


RECORDED = Path(__file__).parents[1] / "data" / "claude"
TALK = "claude/f3595df5-3a34-4332-a0e8-b608a88e4dc5"


def test_a_state_that_was_lost_is_made_from_the_transcript(home: Path) -> None:
    said = call("session", "rebuild", TALK, "--root", f"claude={RECORDED}")
    assert (said.code, "14 events, 4 turns" in said.err) == (0, True)
    assert "active_files:\n- app.js (" in said.out
    assert call("session", "show", TALK).out == said.out
    call("session", "update", TALK, "goal", "Move the cart to the new rates")
    again = call("session", "rebuild", TALK, "--root", f"claude={RECORDED}")
    assert "Move the cart to the new rates" in again.out


@pytest.mark.parametrize("which", ["claude/nobody", "codex/f3595df5-3a34-4332-a0e8-b608a88e4dc5"])
@pytest.mark.usefixtures("home")
def test_no_state_is_made_without_a_transcript(which: str) -> None:
    said = call("session", "rebuild", which, "--root", f"claude={RECORDED}")
    assert (said.code, "there is no transcript of a session" in said.err) == (2, True)
    assert call("session").out.startswith("no sessions yet")
