"""Siltstone in each of the four agents, from its installation to the day it is taken out again.

Each agent lives through the same once, in a home of its own in which the user has hooks, servers and
instructions too; the tests look at what was noted on the way. The embedded rules learn, no model does.
"""

import json
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import pytest
from real_desk import AGENTS, Desk, Ran, at_once
from real_model import Asked
from real_wait import eventually

ASKED = (
    "We decided that the API listens on port 7100, because the proxy forwards to it. "
    "And please remember: releases are tagged by Marta."
)
"""In one line: of `claude -p` no other counts as typed."""
SAVED, DECIDED = "releases are tagged by Marta", "the API listens on port 7100"
CONTRADICTED = "We decided that the API listens on port 8200, because the proxy forwards to it."
COMMANDS: dict[str, tuple[str, Sequence[str] | None]] = {
    "claude": ("/silt:status", None),
    "codex": ("$silt status", None),
    "gemini": ("/silt:status", None),
    "opencode": ("status", ("run", "--format", "json", "--command", "silt", "--")),
}


@dataclass(frozen=True, slots=True)
class Life:
    """What was noted of one agent."""

    agent: str
    before: dict[str, bytes]
    """Settings by path, before anything was installed."""
    installed: str
    ran: tuple[Ran, ...]
    first: Asked
    """What the model saw with the first prompt, in the first session."""
    commits: str
    """What had been done to the store when the session had been read."""
    later: list[dict[str, Any]]
    """Memories when the session had been read."""
    fresh: Asked
    """What the model saw in a new session, in which the user contradicts what was learned."""
    command: str
    """What the model saw of one of our commands, typed by the user."""
    conflicts: str
    failures: list[str]
    marks: set[str]
    after: dict[str, bytes]
    """Settings when everything was taken out again."""


def live(agent: str, here: Desk) -> Life:
    here.silt("remember", "Nothing goes out on Fridays", "--type", "project")
    before = here.settings()
    installed = here.silt("install", agent)
    first = here.ask(agent, ASKED)
    here.learns(SAVED, DECIDED)
    commits = here.commits
    later = here.memories()
    fresh = here.ask(agent, CONTRADICTED)
    conflicts = here.store / "_CONFLICTS.md"
    eventually(conflicts.exists, lambda: (here.log, here.memories()))
    marks = set((here.home / "marks").read_text().split())
    failures = here.failures
    typed = here.ask(agent, *COMMANDS[agent])
    here.silt("uninstall", agent)
    return Life(
        agent=agent,
        before=before,
        installed=installed,
        ran=(first, fresh, typed),
        first=here.turn("tagged by Marta"),
        commits=commits,
        later=later,
        fresh=here.turn(CONTRADICTED),
        command=here.model.turns[-1].everything,
        conflicts=conflicts.read_text(),
        failures=failures,
        marks=marks,
        after=here.settings(),
    )


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, "Future[Life]"]]:
    with at_once(AGENTS, tmp_path_factory.mktemp, live) as going:
        yield going


@pytest.fixture(params=AGENTS)
def life(request: pytest.FixtureRequest, lives: dict[str, "Future[Life]"]) -> Life:
    return lives[request.param].result()


def test_it_works_as_ever_beside_what_the_user_has(life: Life) -> None:
    assert [one.code for one in life.ran] == [0, 0, 0], life.ran
    assert all("OK." in one.out for one in life.ran)
    assert life.marks == {"hook", "server"}
    assert life.failures == []


def test_a_session_begins_with_what_is_known(life: Life) -> None:
    told = life.first.everything
    assert told.count("Nothing goes out on Fridays") == 1
    assert "(1 of 1 shown, 0 stale, 0 in conflict)" in told


def test_what_is_asked_to_be_remembered_is_kept_while_it_is_typed_and_told(life: Life) -> None:
    assert "Silt-Op: save" in life.commits, "not by reading the session"
    # Told at once, unless this machine was too busy for two seconds.
    told = ("Kept for this project, as the user asked", "asked to remember is being saved")
    assert any(one in life.first.everything for one in told)


def test_what_was_said_in_passing_is_learned_when_the_session_has_ended(life: Life) -> None:
    (decided,) = [one for one in life.later if DECIDED in one["body"]]
    (evidence,) = decided["evidence"]
    assert (evidence["agent"], decided["origin"]) == (life.agent, "user-said")
    assert evidence["session"]
    assert DECIDED in evidence["quote"]


def test_reading_the_session_doubles_nothing_that_was_kept(life: Life) -> None:
    (saved,) = [one for one in life.later if SAVED in one["body"]]
    (evidence,) = saved["evidence"]
    (decided,) = [one for one in life.later if DECIDED in one["body"]]
    assert evidence["session"] == decided["evidence"][0]["session"]
    assert not evidence["message"].startswith("hook:")


def test_a_fresh_session_is_shown_it_once(life: Life) -> None:
    memories = life.fresh.everything.partition("(3 of 3 shown")[0]
    for one in (SAVED, f"We decided that {DECIDED}"):
        # What fits the prompt is told with how well it does, and of when it is.
        assert len(re.findall(rf"- (?:\[\d+%, [\d-]+\] )?{one}", memories)) == 1
    assert "(3 of 3 shown, 0 stale, 0 in conflict)" in life.fresh.everything


def test_what_is_contradicted_is_a_conflict(life: Life) -> None:
    assert DECIDED in life.conflicts
    assert CONTRADICTED.rstrip(".") in life.conflicts


def test_a_command_that_is_typed_reaches_silt(life: Life) -> None:
    # Codex has a skill: its model is told what to call.
    found = r"/silt status`" if life.agent == "codex" else r"memories +\d+ +larkspur"
    assert re.search(found, life.command)


def test_uninstalled_it_leaves_nothing(life: Life) -> None:
    ours = [name for name, data in life.after.items() if b"siltstone" in data.lower() or "silt" in name]
    assert ours == []
    assert b"/silt hook" not in b"".join(life.after.values())
    changed = {name for name in life.before if life.after.get(name) != life.before[name]}
    assert changed <= {".claude.json"}, "which Claude Code writes itself at every start"
    assert set(life.after) <= set(life.before) | {".claude.json"}
    if life.agent == "claude":
        assert set(json.loads(life.after[".claude.json"])["mcpServers"]) == {"mem"}, "which is the user's"
