"""What stands in the way of `silt install` and `uninstall` is told, and nothing else is lost."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from agents_home import FOLDERS
from support.commands import call
from support.faulty_disk import FaultyDisk
from support.folder import everything

from siltstone.cli.install import Work
from siltstone.cli.settings import configure


def links_to_itself(person: Path) -> str:
    (person / ".claude" / "settings.json").symlink_to("settings.json")
    return f"claude: {person}/.claude/settings.json cannot be used"


def is_broken(person: Path) -> str:
    (person / ".claude" / "settings.json").write_text('{"a": 1,\n', encoding="utf-8")
    return f"{person}/.claude/settings.json, line 2"


def has_a_file_for_a_folder(person: Path) -> str:
    (person / ".claude" / "commands").touch()
    return "claude: "


@pytest.mark.parametrize("trouble", [links_to_itself, is_broken, has_a_file_for_a_folder])
def test_settings_that_will_not_do_are_told_and_leave_the_others_theirs(
    person: Path, trouble: Callable[[Path], str]
) -> None:
    told = trouble(person)
    before = everything(person / ".claude")
    said = call("install")
    assert (said.code, told in said.err) == (1, True)
    assert "by hand: Codex needs you" in said.out
    assert everything(person / ".claude") == before
    assert (person / ".codex" / "hooks.json").exists()
    assert "codex     is as it was before Siltstone" in call("uninstall").out


def test_without_any_agent_it_says_so(person: Path) -> None:
    for agent in ("claude", "codex"):
        (person / FOLDERS[agent]).rmdir()
    said = call("install")
    assert (said.code, "none of claude, codex, gemini, opencode was found" in said.err) == (1, True)


def test_a_secret_beside_our_change_is_not_on_the_screen(person: Path) -> None:
    secret = "sk-" + "ant-api03-" + "Zx8" * 12
    (person / ".codex" / "hooks.json").write_text(
        json.dumps({"env": {"KEY": secret}, "hooks": {}}, indent=2), encoding="utf-8"
    )
    said = call("install", "codex", "--diff")
    assert "hook codex" in said.out
    assert secret not in said.out
    assert secret in (person / ".codex" / "hooks.json").read_text(encoding="utf-8")


def test_a_server_of_the_users_own_is_left_and_told(person: Path) -> None:
    config = person / ".codex" / "config.toml"
    theirs = 'a = 1\n[mcp_servers.siltstone]\ncommand = "mem" # mine\n'
    config.write_text(theirs, encoding="utf-8")
    said = call("install", "codex")
    told = f"codex     {config}, line 2: an MCP server named siltstone that somebody else wrote is there"
    assert (
        said.code,
        told in said.out,
        "Siltstone's is not installed; rename or remove that one" in said.out,
    ) == (0, True, True)
    assert (person / ".codex" / "hooks.json").exists()
    assert config.read_text(encoding="utf-8") == theirs
    call("uninstall")
    assert config.read_text(encoding="utf-8") == theirs


def test_without_the_records_it_is_told_what_is_left(person: Path) -> None:
    before = everything(person)
    call("install", "claude", "opencode")
    shutil.rmtree(person.parent / "state")
    said = call("uninstall").out
    assert "claude    is without Siltstone; its earlier state is unknown" in said
    assert f"claude    {person}/.claude/commands is empty and stays: it may be somebody else's\n" in said
    assert "as it was before" not in said
    left = set(everything(person)) - set(before)
    made = {".claude/commands", ".config", ".config/opencode", ".config/opencode/plugin"}
    assert left == made - set(before)
    assert call("uninstall").out == "nothing was installed\n"


def test_who_reads_no_further_has_it_installed_whole(person: Path) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    words = [sys.executable, "-P", "-m", "siltstone", "install"]
    with os.fdopen(writes, "wb") as pipe:
        subprocess.run(words, stdout=pipe, check=False)
    assert (person / ".codex" / "hooks.json").exists()
    again = subprocess.run(words, capture_output=True, text=True, check=True)
    assert "claude    Siltstone is already installed" in again.stdout


def test_a_folder_in_which_nothing_can_be_written_is_named(tmp_path: Path) -> None:
    work = Work(configure(), dry_run=True)
    with work.trying("claude"):
        FaultyDisk(1, "full").write(tmp_path / "settings.json", b"{}")
    told = f"claude: {tmp_path} cannot be used (No space left on device); fix that"
    assert str(work.refused[0]).startswith(told)
