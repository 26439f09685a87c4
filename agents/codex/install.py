"""Where Codex is told of us: hooks.json, an MCP server in config.toml, a skill; or a plugin of ours."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents import commands
from siltstone.agents.codex.hooks import AGENT, EVENTS
from siltstone.agents.packages import TEXT, VERSION, json_text
from siltstone.agents.pieces import (
    SERVER,
    Own,
    Piece,
    Place,
    Words,
    groups,
    hook_line,
    hooks_file,
    server,
    table_file,
)

TITLE, PROGRAM = "Codex", "codex"


def folder(environ: Mapping[str, str], home: Path) -> Path:
    """See `agents/pieces.py`, `Door`."""
    named = environ.get("CODEX_HOME")
    return Path(named) if named else home / ".codex"


def pieces(place: Place) -> tuple[Piece, ...]:
    """See `agents/pieces.py`, `Door`."""
    base = place.project / ".codex" if place.project else folder(place.environ, place.home)
    table = groups(EVENTS, hook_line(place.silt, AGENT))
    return (
        hooks_file(base / "hooks.json", AGENT, table, strict=True),
        table_file(base / "config.toml", ("mcp_servers", SERVER), server(place)),
        Own(base / "skills" / "silt" / "SKILL.md", commands.codex(place.silt)),
    )


def by_hand(place: Place) -> tuple[str, ...]:
    """See `agents/pieces.py`, `Door`. Untrusted hooks are passed over without a word."""
    trust = 'start codex once and say "Trust all" when it asks to review the hooks: it runs none before'
    where = () if place.project is None else (f"trust {place.project} in codex: else it reads none of it",)
    return (*where, trust)


def package(silt: Words) -> Mapping[str, str]:
    """A marketplace with one plugin: `codex plugin marketplace add DIR`, `codex plugin add …`."""
    line = hook_line(silt, AGENT)
    plugin = {
        "name": "siltstone",
        "version": VERSION,
        "description": TEXT,
        "hooks": "./hooks/hooks.json",
        "mcpServers": "./.mcp.json",
        "skills": "./skills/",
    }
    listed = {
        "name": "siltstone",
        "source": {"source": "local", "path": "./plugins/siltstone"},
        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
        "category": "Productivity",
    }
    market = {"name": "siltstone", "interface": {"displayName": "Siltstone"}, "plugins": [listed]}
    servers = {"mcpServers": {SERVER: {"command": silt[0], "args": [*silt[1:], "mcp"]}}}
    return {
        ".agents/plugins/marketplace.json": json_text(market),
        "plugins/siltstone/.codex-plugin/plugin.json": json_text(plugin),
        "plugins/siltstone/hooks/hooks.json": json_text(
            {"hooks": {name: [group] for name, group in groups(EVENTS, line).items()}}
        ),
        "plugins/siltstone/.mcp.json": json_text(servers),
        "plugins/siltstone/skills/silt/SKILL.md": commands.codex(silt),
    }
