"""Doors put in and taken out: bytes and folders as they were, in whatever order."""

import os
import stat
from pathlib import Path

import pytest
from installed_home import HOOKS, SETTINGS, Home, each_agent, with_settings
from support.table import table

from siltstone.agents import install
from siltstone.agents.door import DOORS, Own
from siltstone.agents.entries import hook_words, is_our_hook
from siltstone.agents.install import RECORDS, Records
from siltstone.store.errors import Locked


@each_agent
@pytest.mark.parametrize("bare", [False, True], ids=["settings there", "nothing there"])
def test_installed_twice_is_installed_once_and_goes_without_a_trace(
    home: Home, agent: str, bare: bool, tmp_path: Path
) -> None:
    if bare:
        home.root = tmp_path / "bare"
        home.root.mkdir()
    before = home.everything()
    assert home.install(agent)
    installed = home.everything()
    assert home.install(agent) == []
    assert home.everything() == installed
    assert home.uninstall(agent)
    assert home.everything() == before
    assert home.uninstall(agent) == []
    assert list((tmp_path / "state" / RECORDS).iterdir()) == []


@each_agent
@pytest.mark.parametrize("there", [True, False], ids=["settings there", "nothing there"])
def test_for_the_user_and_for_a_project_in_any_order(home: Home, agent: str, there: bool) -> None:
    project = home.root / "src"
    project.mkdir()
    for name, _ in [] if there else SETTINGS[agent]:
        home.at(name).unlink()
    before = home.everything()
    for first, second in ((None, project), (project, None)):
        for gone, last in ((first, second), (second, first)):
            home.install(agent, first)
            alone = home.everything()
            home.install(agent, second)
            home.uninstall(agent, second)
            assert home.everything() == alone
            home.install(agent, second)
            home.uninstall(agent, gone)
            home.uninstall(agent, last)
            assert home.everything() == before


@with_settings
@pytest.mark.parametrize("text", [b"", b" \n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\r\n"])
def test_empty_settings_are_empty_again(home: Home, agent: str, text: bytes) -> None:
    for name, _ in SETTINGS[agent]:
        home.at(name).write_bytes(text)
    before = home.everything()
    home.install(agent)
    home.uninstall(agent)
    assert home.everything() == before


@pytest.mark.parametrize("silt", [("/new/bin/silt",), ("/usr/bin/python3", "-P", "-m", "siltstone")])
@each_agent
def test_a_script_that_moved_takes_the_place_of_the_older(
    home: Home, agent: str, silt: tuple[str, ...]
) -> None:
    before = home.everything()
    home.install(agent)
    home.install(agent, silt=silt)
    after = home.everything()
    assert not [name for name, data in after.items() if b"my tools" in (data or b"")]
    assert [name for name, data in after.items() if silt[0].encode() in (data or b"")]
    home.uninstall(agent)
    assert home.everything() == before


@each_agent
def test_without_the_extra_no_server_is_named(home: Home, agent: str) -> None:
    home.install(agent)
    named = home.everything()
    home.mcp = False
    assert home.install(agent)
    bare = home.everything()
    assert not [name for name, data in bare.items() if data is not None and not data.strip(b"{}\n")]
    home.mcp = True
    home.install(agent)
    assert home.everything() == named
    assert [name for name in named if named[name] != bare.get(name)]


@with_settings
def test_a_hook_of_ours_with_a_word_behind_it_is_renewed_and_goes(home: Home, agent: str) -> None:
    home.install(agent)
    installed = home.everything()
    name = HOOKS[agent]
    text = home.at(name).read_bytes()
    home.at(name).write_bytes(text.replace(f"hook {agent}".encode(), f"hook {agent} --extra".encode()))
    home.install(agent)
    assert home.everything() == installed
    home.uninstall(agent)
    assert b"silt" not in home.at(name).read_bytes()


@each_agent
@pytest.mark.parametrize("bare", [False, True], ids=["settings there", "nothing there"])
def test_without_the_records_files_of_ours_alone_go_and_what_is_left_is_known(
    home: Home, agent: str, bare: bool, tmp_path: Path
) -> None:
    if bare:
        home.root = tmp_path / "bare"
        home.root.mkdir()
    before = home.everything()
    home.install(agent)
    home.records = Records(tmp_path / "another", home.disk)
    pieces = DOORS[agent].pieces(home.place())
    changes = install.uninstall(agent, None, pieces, home.records)
    assert all(change.unrecorded for change in changes if change.is_one)
    list(install.write(changes, home.records, home.disk))
    left = {name: data for name, data in home.everything().items() if name not in before}
    assert set(left.values()) <= {None}
    assert not [name for name in left if name.endswith("/silt")]
    assert not [name for name, data in home.everything().items() if b"silt" in (data or b"")]


def test_what_an_older_version_installed_goes(home: Home) -> None:
    before = home.everything()
    older = Own(home.at(".claude/commands/silt/older.md"), "older\n")
    changes = install.install("claude", None, [older], home.records)
    assert [change.path for change, _ in install.write(changes, home.records, home.disk)] == [older.path]
    home.install("claude")
    home.uninstall("claude")
    assert home.everything() == before


def test_the_settings_of_before_are_kept_beside_the_state(home: Home, tmp_path: Path) -> None:
    home.install("claude")
    (copy,) = (tmp_path / "state" / RECORDS).glob("*/settings.json")
    assert copy.read_text(encoding="utf-8") == SETTINGS["claude"][0][1]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600


def test_two_installs_do_not_meet(home: Home) -> None:
    handle = home.records.lock()
    with pytest.raises(Locked):
        home.records.lock()
    home.disk.unlock(handle)
    os.close(home.records.lock())


@table("installing", "commands")
def test_hooks_of_ours_are_told_by_their_command(command: str, ours: bool) -> None:
    hook = {"command": command}
    assert bool(hook_words(hook, "claude")) is ours
    assert is_our_hook(hook, "claude") is ours


@pytest.mark.parametrize("command", ["silt", "bin/silt", "python3 -m siltstone"])
def test_a_hook_without_an_absolute_path_was_written_by_hand(command: str) -> None:
    hook = {"command": f"{command} hook claude || true"}
    assert hook_words(hook, "claude")
    assert not is_our_hook(hook, "claude")
