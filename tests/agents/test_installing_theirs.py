"""What is the user's stays theirs when doors are put in and taken out: servers, files, modes, links."""

import json
import os
import stat
import subprocess

import pytest
from installed_home import HOOKS, SETTINGS, Home, each_agent, with_settings

from siltstone.agents import install, settings_json
from siltstone.agents.door import DOORS
from siltstone.agents.entries import handlers
from siltstone.agents.install import leftovers
from siltstone.store.disk import TEMP_PREFIX, TEMP_SUFFIX
from siltstone.store.errors import SettingsError, Stale


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
    pieces = DOORS[agent].pieces(home.place())
    for _ in range(2):
        changes = install.install(agent, None, pieces, home.records)
        (remark,) = filter(None, (change.remark for change in changes))
        assert remark.startswith(
            f"{home.at(name)}, line 1: an MCP server named siltstone that somebody else wrote"
        )
        list(install.write(changes, home.records, home.disk))
        assert home.at(name).read_text(encoding="utf-8").count("/opt/my tools/silt mcp") == 0
    home.install(agent, silt=("/new/silt",))
    changed = home.at(name).read_text(encoding="utf-8").replace('"mcp"', '"mcp", "--tools", "all"')
    home.at(name).write_text(changed, encoding="utf-8")
    home.install(agent, silt=("/new/silt",))
    assert home.at(name).read_text(encoding="utf-8") == changed
    home.at(name).write_text(changed.replace(', "--tools", "all"', ""), encoding="utf-8")
    home.uninstall(agent)
    assert home.everything() == before


@with_settings
def test_a_hook_written_by_hand_stays_to_the_byte(home: Home, agent: str) -> None:
    name = HOOKS[agent]
    own = f'{{"type": "command", "command": "silt hook {agent}"}}'
    home.at(name).write_text(f'{{"hooks": {{"Stop": [{{"hooks": [{own}]}}]}}}}', encoding="utf-8")
    before = home.everything()
    home.install(agent)
    assert own in home.at(name).read_text(encoding="utf-8")
    assert "/opt/my tools/silt' hook" in home.at(name).read_text(encoding="utf-8")
    home.uninstall(agent)
    assert home.everything() == before
    assert home.uninstall(agent) == []


@with_settings
def test_a_server_written_by_hand_after_an_install_without_one_stays(home: Home, agent: str) -> None:
    home.mcp = False
    home.install(agent)
    name, server = SERVERS[agent]
    text = home.at(name).read_bytes().decode()
    mine = f"{text}\n{server}\n" if agent == "codex" else text.replace("{", f"{{{server[1:-1]}, ", 1)
    home.at(name).write_bytes(mine.encode())
    home.mcp = True
    home.install(agent)
    assert "/opt/my tools/silt mcp" not in home.at(name).read_text(encoding="utf-8")
    home.uninstall(agent)
    assert server.strip("{}") in home.at(name).read_text(encoding="utf-8")


def test_a_file_of_nothing_stays_where_nothing_of_ours_is_for_it(home: Home) -> None:
    home.mcp = False
    home.at(".claude.json").write_text("{}\n", encoding="utf-8")
    home.install("claude")
    assert home.at(".claude.json").read_text(encoding="utf-8") == "{}\n"


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
        ("claude", ".claude/settings.json", b'{\n "a": 1\n "b": 2}', "line 3: expecting ',' delimiter"),
        ("claude", ".claude/settings.json", b"{\n// why\n}", "line 2: a comment"),
        ("claude", ".claude/settings.json", b'{"a": "\n\xff"}', "line 2: the text is not UTF-8"),
        ("codex", ".codex/config.toml", b"a = 1\nb =\n", "line 2: "),
        ("gemini", ".gemini/settings.json", b'{"hooks": []}', "line 1: hooks must be an object"),
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
    with pytest.raises(OSError, match="not a plain file"):
        home.install("claude")


def test_what_somebody_has_under_our_name_comes_back(home: Home) -> None:
    theirs = home.at(".claude/commands/silt/status.md")
    theirs.parent.mkdir(parents=True)
    theirs.write_text("my own", encoding="utf-8")
    home.install("claude")
    assert "my own" not in theirs.read_text(encoding="utf-8")
    home.uninstall("claude")
    assert home.everything()[".claude/commands/silt/status.md"] == b"my own"


def test_a_file_that_changes_under_our_hands_is_not_written(home: Home) -> None:
    pieces = DOORS["claude"].pieces(home.place())
    changes = install.install("claude", None, pieces, home.records)
    home.at(".claude/settings.json").write_text("{}", encoding="utf-8")
    with pytest.raises(Stale):
        list(install.write(changes, home.records, home.disk))
    assert home.at(".claude/settings.json").read_text(encoding="utf-8") == "{}"


@each_agent
def test_what_a_killed_install_left_goes_with_the_next_one(home: Home, agent: str) -> None:
    home.install(agent)
    installed = home.everything()
    files = (home.at(name) for name in installed)
    place = next(path for path in files if path.is_file() and b"silt" in path.read_bytes())
    left = place.with_name(f"{TEMP_PREFIX}1-1{TEMP_SUFFIX}")
    left.write_bytes(b"half")
    assert leftovers(place.parent) == [left]
    home.install(agent)
    assert home.everything() == installed


@pytest.mark.parametrize("shell", ["sh", "bash"])
@with_settings
def test_without_silt_a_hook_ends_well_and_says_nothing(home: Home, agent: str, shell: str) -> None:
    home.install(agent)
    name = HOOKS[agent]
    settings = settings_json.read(home.at(name).read_text(encoding="utf-8-sig"))
    lines = {hook["command"] for *_, hook in handlers(settings)}
    for line in lines:
        done = subprocess.run([shell, "-c", line], input=b"{}", capture_output=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert lines
