"""Where Codex is told of us: hooks.json, an MCP server in config.toml, a skill; or a plugin of ours."""

import os
from collections.abc import Mapping
from pathlib import Path

from siltstone.agents import commands
from siltstone.agents.codex.hooks import AGENT, EVENTS
from siltstone.agents.codex.place import folder
from siltstone.agents.packages import HOOKS, NAME, TEXT, VERSION, json_text
from siltstone.agents.pieces import Calls, Own, Piece, Place, Words, hooks_file
from siltstone.agents.servers import SERVER, entry, server, table_file
from siltstone.agents.settings_edit.toml_table import read
from siltstone.agents.settings_edit.tree import value_at

TITLE, PROGRAM = "Codex", "codex"
CALLS = Calls(AGENT, EVENTS)


def pieces(place: Place) -> tuple[Piece, ...]:
    """See `agents/pieces.py`, `Door`."""
    base = place.project / ".codex" if place.project else folder(place.environ, place.home)
    return (
        hooks_file(base / "hooks.json", CALLS, place.silt, strict=True),
        table_file(base / "config.toml", ("mcp_servers", SERVER), server(place)),
        Own(base / "skills" / "silt" / "SKILL.md", commands.codex(place.silt)),
    )


def by_hand(place: Place) -> tuple[str, ...]:
    """See `agents/pieces.py`, `Door`. Untrusted hooks are passed over without a word."""
    trust = 'start codex once and say "Trust all" when it asks to review the hooks: it runs none before'
    where = () if place.project is None else (f"trust {place.project} in codex: else it reads none of it",)
    return (*where, trust)


def packaged(environ: Mapping[str, str], home: Path) -> Path | None:
    """See `agents/pieces.py`, `Door`."""
    base = folder(environ, home)
    try:
        told = value_at(read((base / "config.toml").read_text(encoding="utf-8")), ("plugins",))
    except (OSError, ValueError):
        return None
    for name, about in told.items() if isinstance(told, dict) else ():
        plugin, _, market = name.partition("@")
        if plugin == NAME and isinstance(about, dict) and about.get("enabled") is True:
            copies = (base / "plugins" / "cache" / market / NAME).glob(f"*/{HOOKS}")
            return max(copies, default=None, key=os.path.getmtime)
    return None


def package(silt: Words, tools: str) -> Mapping[str, str]:
    """A marketplace with one plugin: `codex plugin marketplace add DIR`, `codex plugin add …`."""
    plugin = {
        "name": NAME,
        "version": VERSION,
        "description": TEXT,
        "hooks": f"./{HOOKS}",
        "mcpServers": "./.mcp.json",
        "skills": "./skills/",
    }
    listed = {
        "name": NAME,
        "source": {"source": "local", "path": f"./plugins/{NAME}"},
        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
        "category": "Productivity",
    }
    market = {"name": NAME, "interface": {"displayName": "Siltstone"}, "plugins": [listed]}
    return {
        ".agents/plugins/marketplace.json": json_text(market),
        f"plugins/{NAME}/.codex-plugin/plugin.json": json_text(plugin),
        f"plugins/{NAME}/{HOOKS}": json_text(CALLS.packaged(silt)),
        f"plugins/{NAME}/.mcp.json": json_text({"mcpServers": {SERVER: entry(silt, tools)}}),
        f"plugins/{NAME}/skills/silt/SKILL.md": commands.codex(silt),
    }
