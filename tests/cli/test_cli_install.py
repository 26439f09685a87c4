"""`silt install` and `uninstall`: what a person sees, in a home with some agents."""

import json
import os
import stat
import tomllib
from pathlib import Path

import pytest
from support.commands import call
from support.folder import everything
from support.git import git

from siltstone.agents.entries import QUIETLY
from siltstone.agents.hooks import hooks_of


def test_those_that_are_there_get_it_and_lose_it_again(person: Path) -> None:
    before = everything(person)
    said = call("install", "--diff")
    assert said.code == 0
    assert "claude    Siltstone is installed for you, in every project" in said.out
    by_hand, then = said.out.splitlines()[-2:]
    assert by_hand.startswith("by hand: Codex needs you to approve the hooks once: start codex and choose")
    assert then.startswith("next: ")
    assert f'+            "command": "{person.parent}/bin/silt hook claude {QUIETLY}"' in said.out
    assert not (person / ".gemini").exists()
    assert "claude    Siltstone is already installed" in call("install", "all").out
    assert "claude    is as it was before Siltstone" in call("uninstall").out
    assert everything(person) == before
    assert call("uninstall").out == "nothing was installed\n"


def test_files_of_ours_are_named_and_settings_are_shown(person: Path) -> None:
    (person / ".claude" / "settings.json").write_text('{"theme": "dark"}', encoding="utf-8")
    command = person / ".claude" / "commands" / "silt" / "status.md"
    said = call("install", "claude", "opencode", "--diff").out
    assert f"new file {command}, 9 lines\n" in said
    assert f"new file {person}/.config/opencode/plugin/siltstone.js, " in said
    assert '-{"theme": "dark"}' in said
    assert "allowed-tools" not in said
    dry = call("uninstall", "--dry-run").out
    assert "-allowed-tools" in dry
    command.write_text("mine\n", encoding="utf-8")
    assert f"gone: {command.with_name('search.md')}, " in call("uninstall", "--diff").out
    assert command.read_text(encoding="utf-8") == "mine\n"


def test_files_of_an_older_version_are_named_when_they_are_renewed(
    person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("install", "claude")
    moved = person.parent / "bin" / "new" / "silt"
    moved.parent.mkdir()
    (person.parent / "bin" / "silt").rename(moved)
    monkeypatch.setattr("sys.argv", [str(moved)])
    said = call("install", "claude", "--diff").out
    assert f"renewed: {person}/.claude/commands/silt/status.md, 9 lines" in said
    assert f'+            "command": "{moved} hook claude {QUIETLY}"' in said


def test_the_tools_that_are_chosen_stay_chosen(person: Path) -> None:
    def args() -> list[list[str]]:
        claude = json.loads((person / ".claude.json").read_text(encoding="utf-8"))["mcpServers"]["siltstone"]
        codex = tomllib.loads((person / ".codex" / "config.toml").read_text(encoding="utf-8"))
        plugin = (person / ".config/opencode/plugin/siltstone.js").read_text(encoding="utf-8").splitlines()
        mcp = json.loads(plugin[1].removeprefix("const MCP = "))
        return [claude["args"], codex["mcp_servers"]["siltstone"]["args"], mcp]

    agents = ["claude", "codex", "opencode"]
    before = everything(person)
    call("install", *agents)
    assert args() == [["mcp"]] * 3
    for words, told in ((["--tools", "all"], "all"), ([], "all"), (["--tools", "session"], "session")):
        call("install", *agents, *words)
        assert args() == [["mcp", "--tools", told]] * 3
    assert call("install", "claude", "--tools", "many").code == 2
    call("uninstall")
    assert everything(person) == before


def test_a_project_shows_nothing_in_git_but_what_was_there(person: Path) -> None:
    project = person / "src" / "larkspur"
    (project / ".gemini").mkdir()
    (project / ".gemini" / "settings.json").write_text("{}", encoding="utf-8")
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["commit", "-qm1"],
    ):
        git(project, *words)
    exclude = project / ".git" / "info" / "exclude"
    before = everything(person)
    dry = call("install", "all", "gemini", "--project", "--dry-run").out
    assert "+/.claude/settings.local.json" in dry
    assert everything(person) == before
    said = call("install", "claude", "gemini", "--project", "--diff").out
    assert "+/.claude/settings.local.json" in said
    assert (
        "git       shows the change to .gemini/settings.json; it contains this machine's path to silt" in said
    )
    assert git(project, "status", "--short") == " M .gemini/settings.json\n"
    os.chdir(person)
    call("uninstall", "claude")
    assert "/.gemini/commands/silt/status.toml" in exclude.read_text(encoding="utf-8")
    assert "/.claude" not in exclude.read_text(encoding="utf-8")
    call("uninstall")
    index = project / ".git" / "index"
    index.write_bytes(before[str(index.relative_to(person))] or b"")
    assert everything(person) == before


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_dry_run_shows_the_change_and_makes_none(person: Path, command: str) -> None:
    if command == "uninstall":
        call("install")
    before = everything(person.parent)
    said = call(command, "claude", "--dry-run")
    assert "settings.json" in said.out
    assert " would be installed" in said.out or " would be as it was" in said.out
    assert everything(person.parent) == before


def test_a_project_has_its_own(person: Path) -> None:
    project = person / "src" / "larkspur"
    (project / ".git").mkdir()
    (project / "deep").mkdir()
    os.chdir(project / "deep")
    before = everything(person)
    call("install", "claude", "codex", "--project")
    hooks = json.loads((project / ".claude" / "settings.local.json").read_text(encoding="utf-8"))["hooks"]
    assert set(hooks) == {hook.name for hook in hooks_of("claude").hooks}
    assert (project / ".codex" / "hooks.json").exists()
    assert not (person / ".codex" / "hooks.json").exists()
    os.chdir(person)  # from anywhere: what was installed is known
    call("uninstall")
    assert everything(person) == before


def test_one_that_is_named_and_not_there_gets_it_all_the_same(person: Path) -> None:
    said = call("install", "gemini")
    assert "Gemini CLI is not installed yet" in said.err
    assert (person / ".gemini" / "settings.json").exists()


def test_settings_are_the_owners_alone(person: Path) -> None:
    call("install")
    made = person / ".claude" / "settings.json"
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
