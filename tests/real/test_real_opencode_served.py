"""One `opencode serve` for several clients, projects and worktrees; messages undone, sessions deleted."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from real_model import ScriptedModel, Step
from real_opencode import SILT, Project
from real_silt import FakeSilt, failures
from real_wait import eventually
from support.endpoint import LOOPBACK

pytestmark = pytest.mark.block_network(allowed_hosts=LOOPBACK)


@pytest.fixture
def here(opencode: Project, silt: FakeSilt) -> Project:
    """With the plugin, and a program that stands in for silt."""
    silt.answers({"system": {"context": "<the block>"}, "chat.message": {"context": "<hits>"}})
    opencode.plug([str(silt.path)])
    return opencode


def test_each_client_is_served_in_its_own_project_and_once(
    here: Project, model: ScriptedModel, silt: FakeSilt
) -> None:
    worktree = here.worktree(here.path.parent / "worktree")
    worktree.plug([str(silt.path)])
    places = [here, here, worktree]

    def client(n: int) -> str:
        session = places[n].ask(f"Client {n} asks")
        return places[n].ask(f"Client {n} again", session)

    with ThreadPoolExecutor(len(places)) as pool:
        sessions = list(pool.map(client, range(len(places))))
    eventually(lambda: silt.events.count("session.idle") == 2 * len(places), lambda: silt.events)
    for session, place in zip(sessions, places, strict=True):
        told = [one for one in silt.told if one["session"] == session]
        assert {one["cwd"] for one in told} == {str(place.path)}
        events = Counter(one["hook_event_name"] for one in told)
        assert (events["chat.message"], events["session.idle"]) == (2, 2)
    assert len(model.turns) == 2 * len(places)
    # Nothing twice; and nothing at all where this machine was too busy to answer in time.
    assert max(asked.system.count("<the block>") for asked in model.turns) == 1
    assert max(asked.user.count("<hits>") for asked in model.turns) == 1


def test_an_undone_message_is_told_with_the_next(here: Project, model: ScriptedModel, silt: FakeSilt) -> None:
    session = here.ask("Keep this")
    here.ask("Undo this", session)
    typed = [one["info"]["id"] for one in here.messages(session) if one["info"]["role"] == "user"]
    here.undo(session, typed[-1])
    here.ask("Go on", session)
    assert "Undo this" not in model.turns[-1].everything
    told = [one.get("undone") for one in silt.told if one["hook_event_name"] == "chat.message"]
    assert told == [None, None, True]


def test_a_turn_that_is_broken_off_is_over_and_the_next_goes_as_ever(
    here: Project, model: ScriptedModel, silt: FakeSilt
) -> None:
    model.on("Stall", Step(stall=True))
    session = here.session()
    stalled = threading.Thread(target=here.ask, args=("Stall", session))
    stalled.start()
    eventually(lambda: len(model.turns) == 1)
    here.break_off(session)
    stalled.join()
    eventually(lambda: "session.idle" in silt.events)
    here.ask("Go on", session)
    assert (model.turns[-1].system.count("<the block>"), model.turns[-1].user.count("<hits>")) == (1, 1)


def test_of_a_session_deleted_before_it_was_read_stays_what_was_asked_to_be_kept(
    opencode: Project, model: ScriptedModel
) -> None:
    """Its messages are gone when OpenCode tells of it, and nothing of them is kept elsewhere to be mined."""
    state = opencode.home.root / "state"
    log = state / "hooks.log"
    opencode.plug(SILT)
    session = opencode.ask("Please remember: ports start at 7000.")
    opencode.ask("By the way, we decided to hash passwords with argon2, because it resists GPUs.", session)
    opencode.delete(session)
    eventually(lambda: log.exists() and "batch: run:" in log.read_text(), lambda: failures(state))
    # Kept while it was typed, or in the background where this machine was too busy for that.
    eventually(lambda: "ports start at 7000" in opencode.silt("list"))
    opencode.ask("Which port?")
    assert "ports start at 7000" in model.turns[-1].everything
    assert "argon2" not in opencode.silt("list")
    assert failures(state) == []
