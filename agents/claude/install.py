"""Where Claude Code is told of us: hooks in its settings, an MCP server, commands; or a plugin of ours."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents import commands
from siltstone.agents.claude.hooks import AGENT, EVENTS
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
    server_file,
)

TITLE, PROGRAM = "Claude Code", "claude"


def folder(environ: Mapping[str, str], home: Path) -> Path:
    """See `agents/pieces.py`, `Door`."""
    named = environ.get("CLAUDE_CONFIG_DIR")
    return Path(named) if named else home / ".claude"


def pieces(place: Place) -> tuple[Piece, ...]:
    """See `agents/pieces.py`, `Door`.

    For a project the settings are the local ones, which nobody commits: paths in them are this machine's.
    """
    own = folder(place.environ, place.home)
    named = bool(place.environ.get("CLAUDE_CONFIG_DIR"))
    state = (own if named else place.home) / ".claude.json"
    base, settings = own, "settings.json"
    names = ["mcpServers", SERVER]
    if place.project:
        base, settings = place.project / ".claude", "settings.local.json"
        names = ["projects", str(place.project), *names]
    table = groups(EVENTS, hook_line(place.silt, AGENT))
    return (
        hooks_file(base / settings, AGENT, table, strict=True),
        server_file(state, names, server(place), strict=True),
        *(
            Own(base / "commands" / "silt" / f"{one.name}.md", commands.claude(place.silt, one))
            for one in commands.COMMANDS
        ),
    )


def by_hand(place: Place) -> tuple[str, ...]:
    """See `agents/pieces.py`, `Door`."""
    return ()


def package(silt: Words) -> Mapping[str, str]:
    """A marketplace with one plugin: `claude plugin marketplace add DIR`, `claude plugin install …`."""
    line = hook_line(silt, AGENT)
    author = {"name": "Siltstone"}
    plugin = {"name": "siltstone", "version": VERSION, "description": TEXT, "author": author}
    listed = {"name": "siltstone", "source": "./siltstone", "description": TEXT}
    market = {"name": "siltstone", "description": TEXT, "owner": author, "plugins": [listed]}
    servers = {"mcpServers": {SERVER: {"command": silt[0], "args": [*silt[1:], "mcp"]}}}
    hooks = {"description": TEXT, "hooks": {name: [g] for name, g in groups(EVENTS, line).items()}}
    return {
        ".claude-plugin/marketplace.json": json_text(market),
        "siltstone/.claude-plugin/plugin.json": json_text(plugin),
        "siltstone/hooks/hooks.json": json_text(hooks),
        "siltstone/.mcp.json": json_text(servers),
        **{f"siltstone/commands/{c.name}.md": commands.claude(silt, c) for c in commands.COMMANDS},
    }
