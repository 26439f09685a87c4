"""A home with the settings of all agents, in which doors are put in and taken out."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from support.folder import everything

from siltstone.agents import install
from siltstone.agents.door import DOORS, Place
from siltstone.agents.hooks import AGENTS
from siltstone.agents.install import Records
from siltstone.store.disk import Disk

SILT = ("/opt/my tools/silt",)
SETTINGS = {
    "claude": [(".claude/settings.json", '{\n\t"theme": "dark"\n}'), (".claude.json", '{"numStartups": 3}')],
    "codex": [(".codex/config.toml", 'model = "m" # mine'), (".codex/hooks.json", '{"hooks": {}}\n')],
    "gemini": [(".gemini/settings.json", "\ufeff{\r\n  // mine\r\n}\r\n")],
    "opencode": [(".config/opencode/plugin/mine.js", "export const a = 1\n")],
}
HOOKS = {"claude": ".claude/settings.json", "codex": ".codex/hooks.json", "gemini": ".gemini/settings.json"}
"""Where hooks stand."""
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
        return Place({"HOME": str(self.root)}, project, silt, self.mcp, {"SILT_HOME": "/srv/memory"})

    def install(self, agent: str, project: Path | None = None, silt: tuple[str, ...] = SILT) -> list[Path]:
        pieces = DOORS[agent].pieces(self.place(project, silt))
        changes = install.install(agent, project, pieces, self.records)
        return [change.path for change, _ in install.write(changes, self.records, self.disk)]

    def uninstall(self, agent: str, project: Path | None = None) -> list[Path]:
        pieces = DOORS[agent].pieces(self.place(project))
        changes = install.uninstall(agent, project, pieces, self.records)
        return [change.path for change, _ in install.write(changes, self.records, self.disk)]

    def everything(self) -> Mapping[str, bytes | None]:
        return everything(self.root)
