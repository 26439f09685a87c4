"""`silt package`, and what `silt install` does where such a package is."""

import json
import shutil
import tomllib
from pathlib import Path

import pytest
from agents_home import everything
from support.commands import call

from siltstone.agents.commands import COMMANDS
from siltstone.agents.hooks import AGENTS, hooks_of

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
    events = {hook.name for hook in hooks_of(agent).EVENTS}
    if agent == "opencode":
        assert texts["plugin/siltstone.js"].startswith('const SILT = ["silt"]\n')
        return
    assert tables == [events]
    everything_told = "\n".join(texts.values())
    assert f"silt hook {agent}" in everything_told
    assert all(f"silt {command.name}" in everything_told for command in COMMANDS)
    assert str(person.parent) not in everything_told
