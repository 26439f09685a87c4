"""One `opencode serve` for several clients, projects and worktrees; messages undone, sessions deleted."""

import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from real_model import ScriptedModel, Step
from real_opencode import OpenCodeHome, Server
from real_silt import FakeSilt
from real_wait import eventually
from support.endpoint import LOOPBACK

pytestmark = pytest.mark.block_network(allowed_hosts=LOOPBACK)
SILT = [sys.executable, "-m", "siltstone"]


def silt_says(home: OpenCodeHome, *words: str) -> str:
    done = subprocess.run(
        [*SILT, *words], cwd=home.project, env=home.env, capture_output=True, text=True, check=True
    )
    return done.stdout


def log_of(home: OpenCodeHome) -> str:
    log = home.root / "state" / "hooks.log"
    return log.read_text() if log.exists() else ""


@pytest.fixture
def server(opencode: OpenCodeHome, silt: FakeSilt) -> Iterator[Server]:
    """With the plugin, and a program that stands in for silt."""
    silt.answers({"system": {"context": "<the block>"}, "chat.message": {"context": "<hits>"}})
    opencode.plug([str(silt.path)])
    with opencode.serving() as one:
        yield one


def test_each_client_is_served_in_its_own_project_and_once(
    server: Server, opencode: OpenCodeHome, model: ScriptedModel, silt: FakeSilt
) -> None:
    worktree = opencode.root / "worktree"
    subprocess.run(
        ["git", "worktree", "add", "-q", str(worktree)], cwd=opencode.project, env=opencode.env, check=True
    )
    folders = [opencode.project, opencode.project, worktree]

    def client(n: int) -> str:
        session = server.session(folders[n])
        server.say(session, f"Client {n} asks", folders[n])
        server.say(session, f"Client {n} again", folders[n])
        return session

    with ThreadPoolExecutor(len(folders)) as pool:
        sessions = list(pool.map(client, range(len(folders))))
    eventually(lambda: silt.events.count("session.idle") == 2 * len(folders), lambda: silt.events)
    for session, folder in zip(sessions, folders, strict=True):
        told = [one for one in silt.told if one["session"] == session]
        assert {one["cwd"] for one in told} == {str(folder)}
        events = Counter(one["hook_event_name"] for one in told)
        assert (events["chat.message"], events["session.idle"]) == (2, 2)
    assert len(model.turns) == 2 * len(folders)
    # Nothing twice; and nothing at all where this machine was too busy to answer in time.
    assert max(asked.system.count("<the block>") for asked in model.turns) == 1
    assert max(asked.user.count("<hits>") for asked in model.turns) == 1


def test_an_undone_message_is_told_with_the_next(
    server: Server, opencode: OpenCodeHome, model: ScriptedModel, silt: FakeSilt
) -> None:
    here = opencode.project
    session = server.session(here)
    server.say(session, "Keep this", here)
    server.say(session, "Undo this", here)
    messages = server.ask("GET", f"/session/{session}/message", here)
    undone = [one["info"]["id"] for one in messages if one["info"]["role"] == "user"][-1]
    server.ask("POST", f"/session/{session}/revert", here, {"messageID": undone})
    server.say(session, "Go on", here)
    assert "Undo this" not in model.turns[-1].everything
    told = [one.get("undone") for one in silt.told if one["hook_event_name"] == "chat.message"]
    assert told == [None, None, True]


def test_a_turn_that_is_broken_off_is_over_and_the_next_goes_as_ever(
    server: Server, opencode: OpenCodeHome, model: ScriptedModel, silt: FakeSilt
) -> None:
    here = opencode.project
    model.on("Stall", Step(stall=True))
    session = server.session(here)
    stalled = threading.Thread(target=server.say, args=(session, "Stall", here))
    stalled.start()
    eventually(lambda: len(model.turns) == 1)
    server.ask("POST", f"/session/{session}/abort", here)
    stalled.join()
    eventually(lambda: "session.idle" in silt.events)
    server.say(session, "Go on", here)
    assert (model.turns[-1].system.count("<the block>"), model.turns[-1].user.count("<hits>")) == (1, 1)


def test_of_a_session_deleted_before_it_was_read_stays_what_was_asked_to_be_kept(
    opencode: OpenCodeHome, model: ScriptedModel
) -> None:
    """Its messages are gone when OpenCode tells of it, and nothing of them is kept elsewhere to be mined."""
    opencode.plug(SILT)
    here = opencode.project
    with opencode.serving() as server:
        session = server.session(here)
        server.say(session, "Please remember: ports start at 7000.", here)
        server.say(session, "By the way, we decided to hash passwords with argon2.", here)
        server.ask("DELETE", f"/session/{session}", here)
        eventually(lambda: "batch: run:" in log_of(opencode), lambda: log_of(opencode))
        # Kept while it was typed, or in the background where this machine was too busy for that.
        eventually(lambda: "ports start at 7000" in silt_says(opencode, "list"))
        server.say(server.session(here), "Which port?", here)
    assert "ports start at 7000" in model.turns[-1].everything
    assert "argon2" not in silt_says(opencode, "list")
    told = [line for line in log_of(opencode).splitlines() if " batch: " not in line]
    assert [line for line in told if "is kept in the background" not in line] == []
