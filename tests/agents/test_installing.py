"""Doors put in and taken out: bytes, modes, links and folders as they were, whatever happens in between."""

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path

import pytest

from siltstone.agents import doors, installing
from siltstone.agents.commands import COMMANDS
from siltstone.agents.hooks import AGENTS, hooks_of
from siltstone.agents.installed import FOLDER, Records
from siltstone.agents.pieces import Own, Place, mine
from siltstone.agents.settings_edit.hooks import commands
from siltstone.store.disk import Disk
from siltstone.store.errors import Locked, SettingsError, Stale

SILT = ("/opt/my tools/silt",)
SETTINGS = {
    "claude": [(".claude/settings.json", '{\n\t"theme": "dark"\n}'), (".claude.json", '{"numStartups": 3}')],
    "codex": [(".codex/config.toml", 'model = "m" # mine'), (".codex/hooks.json", '{"hooks": {}}\n')],
    "gemini": [(".gemini/settings.json", "\ufeff{\r\n  // mine\r\n}\r\n")],
    "opencode": [(".config/opencode/plugin/mine.js", "export const a = 1\n")],
}
each_agent = pytest.mark.parametrize("agent", AGENTS)
with_settings = pytest.mark.parametrize("agent", [agent for agent in AGENTS if agent != "opencode"])


class Home:
    """A person's home with the settings of all agents."""

    def __init__(self, root: Path) -> None:
        self.root = root / "home"
        self.mcp = True
        self.disk = Disk()
        self.records = Records(root / "state", self.disk)
        for name, text in [row for rows in SETTINGS.values() for row in rows]:
            self.at(name).parent.mkdir(parents=True, exist_ok=True)
            self.at(name).write_bytes(text.encode())

    def at(self, name: str) -> Path:
        return self.root / name

    def place(self, project: Path | None = None, silt: tuple[str, ...] = SILT) -> Place:
        return Place({}, self.root, project, silt, self.mcp, {"SILT_HOME": "/srv/memory"})

    def install(self, agent: str, project: Path | None = None, silt: tuple[str, ...] = SILT) -> list[Path]:
        pieces = doors.door(agent).pieces(self.place(project, silt))
        changes = installing.install(agent, project, pieces, self.records)
        return [change.path for change, _ in installing.write(changes, self.records, self.disk)]

    def uninstall(self, agent: str, project: Path | None = None) -> list[Path]:
        pieces = doors.door(agent).pieces(self.place(project))
        changes = installing.uninstall(agent, project, pieces, self.records)
        return [change.path for change, _ in installing.write(changes, self.records, self.disk)]

    def everything(self) -> Mapping[str, bytes | None]:
        return {
            str(path.relative_to(self.root)): path.read_bytes() if path.is_file() else None
            for path in sorted(self.root.rglob("*"))
        }


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


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
    assert list((tmp_path / "state" / FOLDER).iterdir()) == []


@each_agent
def test_for_the_user_and_for_a_project_in_any_order(home: Home, agent: str) -> None:
    project = home.root / "src"
    project.mkdir()
    before = home.everything()
    for first, second in ((None, project), (project, None)):
        home.install(agent, first)
        alone = home.everything()
        home.install(agent, second)
        home.uninstall(agent, second)
        assert home.everything() == alone
        home.install(agent, second)
        home.uninstall(agent, first)
        home.uninstall(agent, second)
        assert home.everything() == before


@each_agent
def test_files_that_were_not_there_go_whoever_is_taken_out_first(home: Home, agent: str) -> None:
    project = home.root / "src"
    project.mkdir()
    for name, _ in SETTINGS[agent]:
        home.at(name).unlink()
    before = home.everything()
    for first, second in ((None, project), (project, None)):
        for gone, last in ((None, project), (project, None)):
            home.install(agent, first)
            home.install(agent, second)
            home.uninstall(agent, gone)
            home.uninstall(agent, last)
            assert home.everything() == before


@with_settings
def test_empty_settings_are_empty_again(home: Home, agent: str) -> None:
    for name, _ in SETTINGS[agent]:
        home.at(name).write_bytes(b"")
    before = home.everything()
    home.install(agent)
    home.uninstall(agent)
    assert home.everything() == before


@with_settings
def test_every_hook_of_the_table_is_registered_by_absolute_path(home: Home, agent: str) -> None:
    home.install(agent)
    name = {"codex": "hooks.json"}.get(agent, "settings.json")
    text = home.at(f".{agent}/{name}").read_text(encoding="utf-8-sig")
    told = json.loads(text.replace("// mine", ""))
    found = commands(told, mine(agent))
    # Gemini CLI refuses the prompt when there is no such program.
    line = f"'{SILT[0]}' hook {agent}" + (" || true" if agent == "gemini" else "")
    assert found == dict.fromkeys((hook.name for hook in hooks_of(agent).EVENTS), line)


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
def test_what_was_written_in_between_stays(home: Home, agent: str) -> None:
    home.install(agent)
    written = {}
    for name, _ in SETTINGS[agent]:
        path = home.at(name)
        text = path.read_bytes().decode()
        more = "[later]\na = 1\n" if name.endswith("toml") else '"later": 1, '
        text = text + "\n" + more if name.endswith("toml") else text.replace("{", "{" + more, 1)
        path.write_bytes(text.encode())
        written[name] = more
    home.uninstall(agent)
    for name, more in written.items():
        left = home.at(name).read_bytes().decode()
        assert more.strip(", \n") in left
        assert "silt" not in left


@with_settings
def test_without_the_records_our_entries_go_all_the_same(home: Home, agent: str, tmp_path: Path) -> None:
    home.install(agent)
    home.records = Records(tmp_path / "another", home.disk)
    home.uninstall(agent)
    assert not [name for name, data in home.everything().items() if b"silt" in (data or b"")]
    assert not [name for name in home.everything() if name.endswith("silt/status.md")]


SERVERS = {
    "claude": (".claude.json", '{"mcpServers": {"siltstone": {"command": "/opt/silt", "args": ["mcp"]}}}'),
    "codex": (".codex/config.toml", '[mcp_servers.siltstone]\ncommand = "/opt/silt"\nargs = ["mcp"]'),
    "gemini": (".gemini/settings.json", '{"mcpServers":{"siltstone":{"command":"silt","args":["mcp"]}}}'),
}


@with_settings
def test_a_server_written_by_hand_before_the_first_install_stays_to_the_byte(home: Home, agent: str) -> None:
    name, text = SERVERS[agent]
    home.at(name).write_text(text, encoding="utf-8")
    before = home.everything()
    pieces = doors.door(agent).pieces(home.place())
    for _ in range(2):
        changes = installing.install(agent, None, pieces, home.records)
        (remark,) = filter(None, (change.remark for change in changes))
        assert remark.startswith(f"{home.at(name)}, line 1: an MCP server siltstone that is not ours")
        list(installing.write(changes, home.records, home.disk))
        assert home.at(name).read_text(encoding="utf-8").count("/opt/my tools/silt mcp") == 0
    home.install(agent, silt=("/new/silt",))
    home.uninstall(agent)
    assert home.everything() == before


@with_settings
def test_a_server_written_by_hand_stays_when_it_is_changed_later(home: Home, agent: str) -> None:
    name, text = SERVERS[agent]
    home.at(name).write_text(text, encoding="utf-8")
    home.install(agent)
    installed = home.at(name).read_text(encoding="utf-8")
    changed = installed.replace('"mcp"', '"mcp", "--tools", "all"')
    home.at(name).write_text(changed, encoding="utf-8")
    home.install(agent)
    assert home.at(name).read_text(encoding="utf-8") == changed
    home.uninstall(agent)
    assert '"--tools"' in home.at(name).read_text(encoding="utf-8")


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
    pieces = doors.door(agent).pieces(home.place())
    changes = installing.uninstall(agent, None, pieces, home.records)
    assert all(change.unrecorded for change in changes if change.is_one)
    list(installing.write(changes, home.records, home.disk))
    left = {name: data for name, data in home.everything().items() if name not in before}
    assert set(left.values()) <= {None}
    assert not [name for name in left if name.endswith("/silt")]


def test_without_the_records_a_server_with_more_beside_ours_is_the_users(home: Home, tmp_path: Path) -> None:
    home.install("codex")
    config = home.at(".codex/config.toml")
    config.write_text(config.read_text(encoding="utf-8") + "\nrequired = true\n", encoding="utf-8")
    home.records = Records(tmp_path / "another", home.disk)
    home.uninstall("codex")
    assert "required = true" in config.read_text(encoding="utf-8")
    assert not home.at(".codex/skills/silt").exists()


def test_a_file_that_somebody_made_read_only_is_refused(home: Home) -> None:
    settings = home.at(".claude/settings.json")
    settings.chmod(0o400)
    before = home.everything()
    with pytest.raises(SettingsError, match="made it read-only; make it writable and try again"):
        home.install("claude")
    assert home.everything() == before
    settings.chmod(0o600)
    home.install("claude")
    settings.chmod(0o400)
    assert home.install("claude") == []
    with pytest.raises(SettingsError, match="made it read-only"):
        home.uninstall("claude")


def test_mode_and_links_are_kept(home: Home) -> None:
    real = home.root / "dotfiles.json"
    real.write_text("{}", encoding="utf-8")
    real.chmod(0o640)
    link = home.at(".claude/settings.json")
    link.unlink()
    link.symlink_to(real)
    home.install("claude")
    assert link.is_symlink()
    assert "hooks" in json.loads(real.read_text(encoding="utf-8"))
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    home.uninstall("claude")
    assert (real.read_text(encoding="utf-8"), stat.S_IMODE(real.stat().st_mode)) == ("{}", 0o640)


@pytest.mark.parametrize(
    ("agent", "name", "text", "told"),
    [
        ("claude", ".claude/settings.json", b'{\n "a": 1\n "b": 2}', "line 3: a comma or } is missing"),
        ("claude", ".claude/settings.json", b"{\n// why\n}", "line 2: a comment"),
        ("claude", ".claude/settings.json", b'{"a": "\n\xff"}', "line 2: the text is not UTF-8"),
        ("codex", ".codex/config.toml", b"a = 1\nb =\n", "line 2: "),
        ("gemini", ".gemini/settings.json", b'{"hooks": []}', "line 1: hooks is no object"),
    ],
)
def test_settings_that_are_broken_are_left_alone(
    home: Home, agent: str, name: str, text: bytes, told: str
) -> None:
    home.at(name).write_bytes(text)
    before = home.everything()
    with pytest.raises(SettingsError, match="It was left as it is") as caught:
        home.install(agent)
    assert f"{home.at(name)}, {told}" in str(caught.value)
    assert home.everything() == before


def test_settings_that_are_no_plain_file_are_left_alone(home: Home) -> None:
    home.at(".claude/settings.json").unlink()
    os.mkfifo(home.at(".claude/settings.json"))
    with pytest.raises(SettingsError, match="is no plain file"):
        home.install("claude")


def test_what_somebody_has_under_our_name_comes_back(home: Home) -> None:
    theirs = home.at(".claude/commands/silt/status.md")
    theirs.parent.mkdir(parents=True)
    theirs.write_text("my own", encoding="utf-8")
    home.install("claude")
    assert "my own" not in theirs.read_text(encoding="utf-8")
    home.uninstall("claude")
    assert home.everything()[".claude/commands/silt/status.md"] == b"my own"


def test_a_command_that_the_user_changed_stays(home: Home) -> None:
    home.install("claude")
    changed = home.at(f".claude/commands/silt/{COMMANDS[0].name}.md")
    changed.write_text("better", encoding="utf-8")
    home.uninstall("claude")
    assert changed.read_text(encoding="utf-8") == "better"


def test_what_an_older_version_installed_goes(home: Home) -> None:
    before = home.everything()
    older = Own(home.at(".claude/commands/silt/older.md"), "older\n")
    changes = installing.install("claude", None, [older], home.records)
    assert [change.path for change, _ in installing.write(changes, home.records, home.disk)] == [older.path]
    home.install("claude")
    home.uninstall("claude")
    assert home.everything() == before


def test_a_file_that_changes_under_our_hands_is_not_written(home: Home) -> None:
    pieces = doors.door("claude").pieces(home.place())
    changes = installing.install("claude", None, pieces, home.records)
    home.at(".claude/settings.json").write_text("{}", encoding="utf-8")
    with pytest.raises(Stale):
        list(installing.write(changes, home.records, home.disk))
    assert home.at(".claude/settings.json").read_text(encoding="utf-8") == "{}"


def test_the_settings_of_before_are_kept_beside_the_state(home: Home, tmp_path: Path) -> None:
    home.install("claude")
    (copy,) = (tmp_path / "state" / FOLDER).glob("*/settings.json")
    assert copy.read_text(encoding="utf-8") == SETTINGS["claude"][0][1]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600


def test_two_installs_do_not_meet(home: Home) -> None:
    handle = home.records.lock()
    with pytest.raises(Locked):
        home.records.lock()
    home.disk.unlock(handle)
    os.close(home.records.lock())


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        ("/opt/silt hook claude", True),
        ("'/opt/my tools/silt' hook claude", True),
        ("/usr/bin/python3 -P -m siltstone hook claude", True),
        ("C:/tools/silt.exe hook claude", True),
        ("/opt/silt hook claude || true", True),
        ("silt hook codex", False),
        ("silt hook codex || true", False),
        ("silt hook claude | tee log", False),
        ("basilt hook claude", False),
        ("echo silt hook claude", False),
        ("'", False),
        ("", False),
    ],
)
def test_hooks_of_ours_are_told_by_their_command(command: str, ours: bool) -> None:
    assert mine("claude")(command) is ours
