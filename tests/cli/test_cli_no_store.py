"""A store that is not there: whoever only reads says so, and makes none."""

from pathlib import Path

import pytest
from support.commands import call

READING = (
    "list", "show x", "search x", "history x", "log", "tree", "profile", "conflicts", "inbox", "status",
    "forget x", "edit x --old a --new b", "promote x", "undo", "flush", "rebuild", "compact", "purge x --yes",
)  # fmt: skip


@pytest.mark.parametrize("words", READING)
def test_a_command_that_needs_a_store_says_where_there_is_none(home: Path, words: str) -> None:
    said = call(*words.split())
    store = home / "store"
    assert said.code == 1
    assert said.err == (
        f"silt: there is no store in {store}: `silt run` or `silt remember` creates one there; if yours "
        f"is elsewhere, set SILT_HOME to its folder\n"
    )
    assert not store.exists()


@pytest.mark.parametrize("words", ["uninstall", "install claude --project", "doctor"])
def test_a_folder_that_is_gone_is_named(home: Path, monkeypatch: pytest.MonkeyPatch, words: str) -> None:
    gone = home / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    said = call(*words.split())
    assert (said.code, "the current folder no longer exists" in said.err) == (1, True), said.err


@pytest.mark.parametrize("words", ["run", "remember tea", "write tea text"])
def test_a_command_that_learns_makes_one(home: Path, words: str) -> None:
    assert call(*words.split()).code == 0
    assert (home / "store" / ".git").is_dir()
    assert call("list").code == 0


def test_what_a_list_looks_for_and_does_not_find_is_named(home: Path) -> None:
    call("run")
    assert call("list").out == "no memories yet: `silt run` reads your agents' sessions\n"
    call("remember", "Deploys go out on Tuesdays only", "--type", "project")
    assert call("list", "--type", "decision").out == "there is no memory of type decision\n"
    told = call("list", "--type", "decision", "--scope", "larkspur").out
    assert told == "there is no memory of type decision in larkspur\n"
    assert call("list", "--scope", "global").out == "there is no memory in global\n"
