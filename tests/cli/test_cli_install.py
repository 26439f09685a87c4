"""`silt install`, `uninstall`, `package`: what a person sees, in a home with some agents."""

import json
import os
import shutil
import stat
import subprocess
import tomllib
from pathlib import Path

import pytest
from support.commands import call

from siltstone.agents.commands import COMMANDS
from siltstone.agents.hooks import AGENTS, door

FOLDERS = {"claude": ".claude", "codex": ".codex", "gemini": ".gemini", "opencode": ".config/opencode"}


@pytest.fixture
def person(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with Claude Code and Codex, and a `silt` on its PATH."""
    silt = home / "bin" / "silt"
    silt.parent.mkdir()
    silt.write_text("#!/bin/sh\n", encoding="utf-8")
    silt.chmod(0o755)
    monkeypatch.setenv("PATH", f"{silt.parent}:/usr/bin:/bin")
    monkeypatch.setattr("sys.argv", [str(silt)])
    for name in ("XDG_CONFIG_HOME", "GEMINI_CLI_HOME"):
        monkeypatch.delenv(name, raising=False)
    for agent in ("claude", "codex"):
        (home / "person" / FOLDERS[agent]).mkdir()
    return home / "person"


def everything(root: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(root.rglob("*"))}


def test_those_that_are_there_get_it_and_lose_it_again(person: Path) -> None:
    before = everything(person)
    said = call("install")
    assert said.code == 0
    assert "claude    is installed for you, in every project" in said.out
    assert "codex     by hand: start codex once and say" in said.out
    assert f'+            "command": "{person.parent}/bin/silt hook claude"' in said.out
    assert not (person / ".gemini").exists()
    assert "claude    is installed, as before" in call("install", "all").out
    assert "claude    is as it was before Siltstone" in call("uninstall").out
    assert everything(person) == before
    assert call("uninstall").out == "nothing was installed\n"


def test_files_of_ours_are_named_and_settings_are_shown(person: Path) -> None:
    (person / ".claude" / "settings.json").write_text('{"theme": "dark"}', encoding="utf-8")
    command = person / ".claude" / "commands" / "silt" / "status.md"
    said = call("install", "claude", "opencode").out
    assert f"new file {command}, 9 lines\n" in said
    assert f"new file {person}/.config/opencode/plugin/siltstone.js, " in said
    assert '-{"theme": "dark"}' in said
    assert "allowed-tools" not in said
    dry = call("uninstall", "--dry-run").out
    assert "-allowed-tools" in dry
    command.write_text("mine\n", encoding="utf-8")
    said = call("install", "claude").out
    assert "-mine" in said
    assert "+allowed-tools" in said
    assert f"gone: {command.with_name('search.md')}, " in call("uninstall").out
    assert command.read_text(encoding="utf-8") == "mine\n"


def test_files_of_an_older_version_are_named_when_they_are_renewed(
    person: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("install", "claude")
    moved = person.parent / "bin" / "new" / "silt"
    moved.parent.mkdir()
    (person.parent / "bin" / "silt").rename(moved)
    monkeypatch.setattr("sys.argv", [str(moved)])
    said = call("install", "claude").out
    assert f"renewed: {person}/.claude/commands/silt/status.md, 9 lines" in said
    assert f'+            "command": "{moved} hook claude"' in said


def test_uninstalling_says_which_file_stays_and_why(person: Path) -> None:
    call("install")
    command = person / ".claude" / "commands" / "silt" / "status.md"
    command.write_text("better", encoding="utf-8")
    said = call("uninstall").out
    assert "claude    is without Siltstone, but:\n" in said
    assert f"claude    {command} stays: it was changed since it was installed; delete it" in said
    assert "codex     is as it was before Siltstone\n" in said
    assert command.read_text(encoding="utf-8") == "better"
    assert call("uninstall").out == "nothing was installed\n"


def test_a_server_of_the_users_own_is_left_and_told(person: Path) -> None:
    config = person / ".codex" / "config.toml"
    theirs = 'a = 1\n[mcp_servers.siltstone]\ncommand = "mem" # mine\n'
    config.write_text(theirs, encoding="utf-8")
    said = call("install", "codex")
    told = f"codex     {config}, line 2: an MCP server siltstone that is not ours stands there"
    assert (said.code, told in said.out, "ours is left out; rename that one" in said.out) == (0, True, True)
    assert (person / ".codex" / "hooks.json").exists()
    assert config.read_text(encoding="utf-8") == theirs
    call("uninstall")
    assert config.read_text(encoding="utf-8") == theirs


def test_without_the_records_it_is_told_what_is_left(person: Path) -> None:
    before = everything(person)
    call("install", "claude", "opencode")
    shutil.rmtree(person.parent / "state")
    said = call("uninstall").out
    assert "claude    is without Siltstone; how it was before is not known" in said
    assert f"claude    {person}/.claude/commands is empty and stays: nothing tells who made it\n" in said
    assert "as it was before" not in said
    left = set(everything(person)) - set(before)
    assert left == {
        f"{person}/{name}" for name in (".claude/commands", ".config/opencode", ".config/opencode/plugin")
    } | ({f"{person}/.config"} - set(before))
    assert call("uninstall").out == "nothing was installed\n"


PACKAGES = {
    "claude": (
        "hooks/hooks.json",
        {
            ".claude/plugins/installed_plugins.json": '{"version": 2, "plugins": {"siltstone@siltstone": '
            '[{"scope": "user", "installPath": "%s/siltstone"}]}}',
            ".claude/settings.json": '{"enabledPlugins": {"siltstone@siltstone": true}}',
        },
    ),
    "codex": (
        "hooks/hooks.json",
        {".codex/config.toml": '[plugins."siltstone@siltstone"]\nenabled = true\n'},
    ),
    "gemini": (
        "hooks/hooks.json",
        {
            ".gemini/extensions/siltstone/.gemini-extension-install.json": '{"source": "%s", "type": "link"}',
            ".gemini/extensions/extension-enablement.json": '{"siltstone": {"overrides": ["/home/*"]}}',
        },
    ),
    "opencode": ("siltstone.js", {}),
}
"""How the agents (versions of docs/doors.md) note a package that is installed; %s: where it was written."""
COPIED = {"codex": ".codex/plugins/cache/siltstone/siltstone/0.1.0", "opencode": ".config/opencode/plugin"}
"""Where those keep a copy of it."""


@pytest.fixture(params=AGENTS)
def packaged(request: pytest.FixtureRequest, person: Path) -> str:
    """An agent in which our package is installed."""
    agent: str = request.param
    out = person / "out"
    call("package", agent, str(out))
    for name, text in PACKAGES[agent][1].items():
        path = person / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("%s", str(out)), encoding="utf-8")
    if agent in COPIED:
        below = {"codex": "plugins/siltstone", "opencode": "plugin"}[agent]
        shutil.copytree(out / below, person / COPIED[agent])
    return agent


def test_nothing_is_added_beside_a_package(packaged: str, person: Path) -> None:
    before = everything(person)
    said = call("install", packaged)
    assert (said.code, said.out.startswith(f"{packaged:<9} has Siltstone as a package, {person}/")) == (
        0,
        True,
    )
    assert PACKAGES[packaged][0] in said.out
    assert everything(person) == before
    rows = [
        (row["good"], row["told"])
        for row in call("doctor", "--json").json
        if row["what"] == f"{packaged} door"
    ]
    assert [(good, told.startswith("installed as a package, ")) for good, told in rows] == [(True, True)]
    hooks = [row["told"] for row in call("doctor", "--json").json if row["what"] == f"{packaged} hooks"]
    assert "hooks answer for you" in hooks[0]
    assert packaged in call("status", "--json").json["hooks"]
    assert everything(person) == before


OFF = {
    "claude": (".claude/settings.json", '{"enabledPlugins": {"siltstone@siltstone": false}}'),
    "codex": (".codex/config.toml", '[plugins."siltstone@siltstone"]\nenabled = false\n'),
    "gemini": (".gemini/extensions/extension-enablement.json", '{"siltstone": {"overrides": ["!/home/*"]}}'),
}


def test_a_package_that_is_switched_off_or_torn_is_none(packaged: str, person: Path) -> None:
    if packaged in OFF:
        name, text = OFF[packaged]
        (person / name).write_text(text, encoding="utf-8")
    else:
        (person / COPIED[packaged] / "siltstone.js").write_text("const SILT = 3\n", encoding="utf-8")
    assert "is installed for you" in call("install", packaged).out


def test_what_is_installed_twice_is_told(person: Path) -> None:
    call("install", "claude")
    out = person / "out"
    call("package", "claude", str(out))
    for name, text in PACKAGES["claude"][1].items():
        if "plugins" in name:
            (person / name).parent.mkdir(parents=True)
            (person / name).write_text(text.replace("%s", str(out)), encoding="utf-8")
    told = [row["told"] for row in call("doctor", "--json").json if not row["good"]]
    assert "installed twice, by `silt install` too: `silt uninstall claude`, or take the package out" in told


def test_a_folder_that_cannot_be_read_leaves_the_others_theirs(person: Path) -> None:
    (person / ".claude" / "settings.json").symlink_to("settings.json")
    said = call("install")
    assert (said.code, f"claude: {person}/.claude/settings.json cannot be used" in said.err) == (1, True)
    assert (person / ".codex" / "hooks.json").exists()
    assert "codex     is as it was before Siltstone" in call("uninstall").out


def test_servers_written_as_one_value_are_told_in_one_sentence(person: Path) -> None:
    config = person / ".codex" / "config.toml"
    config.write_text('a = 1\nmcp_servers = {x = {command = "y"}}\n', encoding="utf-8")
    said = call("install", "codex")
    assert said.code == 1
    assert said.err == (
        f"silt: {config}, line 2: mcp_servers is written as one value or with dots, to which nothing can be "
        "added: write what it holds as tables, [mcp_servers.NAME]; mend it there and try again. "
        "It was left as it is.\n"
    )


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
        ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "-qm1"],
    ):
        subprocess.run(["git", *words], cwd=project, check=True)
    exclude = project / ".git" / "info" / "exclude"
    before = everything(person)
    dry = call("install", "all", "gemini", "--project", "--dry-run").out
    assert "+/.claude/settings.local.json" in dry
    assert everything(person) == before
    said = call("install", "claude", "gemini", "--project").out
    assert "+/.claude/settings.local.json" in said
    assert "git       shows the change to .gemini/settings.json; it names the silt of this machine" in said
    told = subprocess.run(["git", "status", "--short"], cwd=project, capture_output=True, check=True).stdout
    assert told == b" M .gemini/settings.json\n"
    os.chdir(person)
    call("uninstall", "claude")
    assert "/.gemini/commands/silt/status.toml" in exclude.read_text(encoding="utf-8")
    assert "/.claude" not in exclude.read_text(encoding="utf-8")
    call("uninstall")
    (project / ".git" / "index").write_bytes(before[str(project / ".git" / "index")] or b"")
    assert everything(person) == before


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_a_dry_run_shows_the_change_and_makes_none(person: Path, command: str) -> None:
    if command == "uninstall":
        call("install")
    before = everything(person.parent)
    said = call(command, "claude", "--dry-run")
    assert "settings.json" in said.out
    assert "claude    would be" in said.out
    assert everything(person.parent) == before


def test_a_project_has_its_own(person: Path) -> None:
    project = person / "src" / "larkspur"
    (project / ".git").mkdir()
    (project / "deep").mkdir()
    os.chdir(project / "deep")
    before = everything(person)
    call("install", "claude", "codex", "--project")
    hooks = json.loads((project / ".claude" / "settings.local.json").read_text(encoding="utf-8"))["hooks"]
    assert set(hooks) == {hook.name for hook in door("claude").EVENTS}
    assert (project / ".codex" / "hooks.json").exists()
    assert not (person / ".codex" / "hooks.json").exists()
    os.chdir(person)  # from anywhere: what was installed is known
    call("uninstall")
    assert everything(person) == before


def test_one_that_is_named_and_not_there_gets_it_all_the_same(person: Path) -> None:
    said = call("install", "gemini")
    assert "Gemini CLI is not here yet" in said.err
    assert (person / ".gemini" / "settings.json").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["install", "emacs"], "there is no agent 'emacs'"),
        (["uninstall", "emacs"], "there is no agent 'emacs'"),
        (["package", "emacs", "x"], "there is no agent 'emacs'"),
        (["install", "--user", "--project"], "two things"),
        (["package", "claude", "."], "is not empty"),
    ],
)
def test_misuse_is_told(person: Path, words: list[str], told: str) -> None:
    Path("something").touch()
    said = call(*words)
    assert (said.code, told in said.err) == (2, True)


def test_broken_settings_of_one_leave_the_others_theirs(person: Path) -> None:
    settings = person / ".claude" / "settings.json"
    settings.write_text('{"a": 1,\n', encoding="utf-8")
    said = call("install")
    assert said.code == 1
    assert f"{settings}, line 2" in said.err
    assert settings.read_text(encoding="utf-8") == '{"a": 1,\n'
    assert (person / ".codex" / "hooks.json").exists()


def test_a_folder_that_cannot_be_written_is_told(person: Path) -> None:
    (person / ".claude" / "commands").touch()
    said = call("install")
    assert said.code == 1
    assert "claude: " in said.err
    assert (person / ".codex" / "hooks.json").exists()


def test_without_any_agent_it_says_so(person: Path) -> None:
    for agent in ("claude", "codex"):
        (person / FOLDERS[agent]).rmdir()
    said = call("install")
    assert (said.code, "none of claude, codex, gemini, opencode is here" in said.err) == (1, True)


def test_a_secret_beside_our_change_is_not_on_the_screen(person: Path) -> None:
    secret = "sk-" + "ant-api03-" + "Zx8" * 12
    (person / ".codex" / "hooks.json").write_text(
        json.dumps({"env": {"KEY": secret}, "hooks": {}}, indent=2), encoding="utf-8"
    )
    said = call("install", "codex")
    assert "hook codex" in said.out
    assert secret not in said.out
    assert secret in (person / ".codex" / "hooks.json").read_text(encoding="utf-8")


def test_settings_are_the_owners_alone(person: Path) -> None:
    call("install")
    made = person / ".claude" / "settings.json"
    assert stat.S_IMODE(made.stat().st_mode) == 0o600


@pytest.mark.parametrize("agent", AGENTS)
def test_a_package_offers_the_tools_that_are_chosen(person: Path, agent: str, tmp_path: Path) -> None:
    call("package", agent, str(tmp_path / "all"), "--tools", "all")
    call("package", agent, str(tmp_path / "default"))
    names = {
        "opencode": "plugin/siltstone.js",
        "gemini": "gemini-extension.json",
        "claude": "siltstone/.mcp.json",
    }
    name = names.get(agent, "plugins/siltstone/.mcp.json")
    assert '"--tools"' in (tmp_path / "all" / name).read_text(encoding="utf-8")
    assert '"--tools"' not in (tmp_path / "default" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("agent", AGENTS)
def test_a_package_comes_from_the_same_tables(person: Path, agent: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert call("package", agent, str(out)).code == 0
    files = [path for path in out.rglob("*") if path.is_file()]
    texts = {str(path.relative_to(out)): path.read_text(encoding="utf-8") for path in files}
    told = {name: json.loads(text) for name, text in texts.items() if name.endswith(".json")}
    for name, text in texts.items():
        if name.endswith(".toml"):
            assert set(tomllib.loads(text)) == {"description", "prompt"}
    tables = [set(one["hooks"]) for name, one in told.items() if name.endswith("hooks.json")]
    events = {hook.name for hook in door(agent).EVENTS}
    if agent == "opencode":
        assert texts["plugin/siltstone.js"].startswith('const SILT = ["silt"]\n')
        return
    assert tables == [events]
    everything_told = "\n".join(texts.values())
    assert f"silt hook {agent}" in everything_told
    assert all(f"silt {command.name}" in everything_told for command in COMMANDS)
    assert str(person.parent) not in everything_told
