"""What goes wrong around the four agents: they go on as if Siltstone were not there, and nothing is lost.

All four are asked at once, each its own prompt, in one home.
"""

import fcntl
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from real_desk import AGENTS, DECISIONS, FACTS, HEADLESSLY, Desk, desk, kill
from real_homes import without_packages
from real_model import Step
from real_wait import eventually

PROMPTS = {agent: f"Please remember: {fact}." for agent, fact in FACTS.items()}
Env = Mapping[str, str]


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Desk]:
    """All four with Siltstone in them, which knows one thing."""
    with desk(tmp_path) as one:
        one.silt("remember", "Nothing goes out on Fridays", "--type", "project")
        one.silt("install", "all")
        yield one


@contextmanager
def store_held(here: Desk) -> Iterator[Env]:
    """As a run holds it that writes what it learned."""
    with (here.store / ".git" / "silt-lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield {}


@contextmanager
def state_held(here: Desk) -> Iterator[Env]:
    held = sqlite3.connect(here.state / "state.sqlite3", isolation_level=None)
    held.execute("begin exclusive")
    yield {}
    held.close()


@contextmanager
def no_store(here: Desk) -> Iterator[Env]:
    shutil.rmtree(here.store)
    yield {}
    assert "no longer exists" in here.log


@contextmanager
def no_state_folder(here: Desk) -> Iterator[Env]:
    """Nobody can write there: a file stands in its place."""
    shutil.rmtree(here.state)
    here.state.write_text("")
    yield {}


@contextmanager
def damaged_state(here: Desk) -> Iterator[Env]:
    for name in ("state.sqlite3", "recall.sqlite3"):
        (here.state / name).write_bytes(b"hello" * 500)
    yield {}
    assert "silt rebuild" in here.log


@contextmanager
def no_git(here: Desk) -> Iterator[Env]:
    """PATH leads to what agents need, and to no git."""
    folder = here.home / "few"
    folder.mkdir()
    for name in ("node", "sh", "bash", "env", "ps", "uname"):
        if found := shutil.which(name):
            (folder / name).symlink_to(found)
    programs = [str(path.parent) for path in here.programs.values()]
    yield {"PATH": os.pathsep.join([*programs, str(folder)])}


@contextmanager
def no_silt(here: Desk) -> Iterator[Env]:
    """It was deleted, and not uninstalled before."""
    (here.home / "bin" / "silt").unlink()
    yield {}


def go_on(here: Desk, env: Env) -> None:
    """All four are asked, answer, and end well."""
    ran = here.ask_all(PROMPTS, env)
    found = {agent: (one.code, "OK." in one.out) for agent, one in ran.items()}
    assert found == dict.fromkeys(AGENTS, (0, True)), ran
    for prompt in PROMPTS.values():
        here.turn(prompt)


@pytest.mark.parametrize("broken", [state_held, no_store, no_state_folder, damaged_state, no_git, no_silt])
def test_the_agents_go_on(here: Desk, broken: Callable[[Desk], AbstractContextManager[Env]]) -> None:
    with broken(here) as env:
        go_on(here, env)


def test_what_a_locked_store_could_not_take_is_learned_later(here: Desk) -> None:
    with store_held(here) as env:
        go_on(here, env)
        assert len(here.memories()) == 1
    for prompt in PROMPTS.values():
        assert "when this session is read" in here.turn(prompt).everything
    here.env["SILT_IDLE_MS"] = "0"
    here.silt("run")
    assert here.knows(*FACTS.values())
    here.check_store()


def test_what_was_told_to_agents_that_were_killed_is_learned_later(here: Desk) -> None:
    here.model.on("decided", Step(stall=True))
    prompts = {agent: f"By the way, {said}." for agent, said in DECISIONS.items()}
    going = {agent: here.start(agent, prompt) for agent, prompt in prompts.items()}
    eventually(lambda: all(any(p in one.everything for one in here.model.turns) for p in prompts.values()))
    for process in going.values():
        kill(process)
        process.communicate()
    here.check_store()
    here.env["SILT_IDLE_MS"] = "0"
    here.silt("run")
    assert here.knows(*DECISIONS.values()), here.silt("status")
    here.check_store()


def test_a_session_that_is_deleted_takes_no_memory_with_it(tmp_path: Path) -> None:
    with desk(tmp_path, "opencode") as here:
        here.silt("install", "opencode")
        here.ask(
            "opencode", "We decided that the API listens on port 7100, because the proxy forwards to it."
        )
        here.learns("the API listens on port 7100")
        session = here.memory("port 7100")["evidence"][0]["session"]
        assert session in here.silt("session")
        deleted = here.ask("opencode", session, ["session", "delete"])
        assert deleted.code == 0, deleted
        eventually(lambda: session not in here.silt("session"), lambda: here.log)
        assert here.knows("the API listens on port 7100")
        assert here.failures == []
        here.check_store()


def test_settings_that_are_broken_keep_their_bytes_and_the_others_are_installed(tmp_path: Path) -> None:
    with desk(tmp_path, "claude", "codex") as here:
        settings = here.home / ".claude" / "settings.json"
        settings.write_text('{"hooks": {\n')
        here.silt("remember", "Nothing goes out on Fridays", "--type", "project")
        said = here.silt("install", "claude", "codex", code=1)
        assert f"{settings}" in said
        assert settings.read_text() == '{"hooks": {\n'
        assert here.ask("codex", "What goes out?").code == 0
        assert "on Fridays" in here.turn("What goes out?").everything


def test_hooks_of_codex_that_nobody_approved_do_not_run(tmp_path: Path) -> None:
    with desk(tmp_path, "codex") as here:
        here.silt("remember", "Nothing goes out on Fridays", "--type", "project")
        said = here.silt("install", "codex")
        assert "Trust all" in said
        words = [word for word in HEADLESSLY["codex"] if "trust" not in word]
        assert here.ask("codex", "What goes out?", words).code == 0
        assert "on Fridays" not in here.turn("What goes out?").everything
        assert "Codex does not run SessionStart" in here.silt("doctor", code=1)


def test_installed_for_the_user_and_for_the_project_it_is_shown_once(here: Desk) -> None:
    with (here.home / ".codex" / "config.toml").open("a") as settings:
        settings.write(f'\n[projects."{here.project}"]\ntrust_level = "trusted"\n')
    without_packages(here.project / ".opencode")
    here.silt("install", "all", "--project")
    prompts = {agent: f"What goes out, {agent}?" for agent in AGENTS}
    here.ask_all(prompts)
    for prompt in prompts.values():
        assert here.turn(prompt).everything.count("Nothing goes out on Fridays") == 1
