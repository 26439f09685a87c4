"""Where Claude Code is told of us: hooks in its settings, an MCP server, commands; or a plugin of ours."""

import os
from collections.abc import Mapping
from pathlib import Path

from siltstone.agents import commands
from siltstone.agents.claude.hooks import AGENT, EVENTS
from siltstone.agents.claude.place import folder
from siltstone.agents.packages import HOOKS, NAME, TEXT, VERSION, json_text, said_in
from siltstone.agents.pieces import Calls, Own, Piece, Place, Words, hooks_file
from siltstone.agents.servers import SERVER, entry, server, server_file

TITLE, PROGRAM = "Claude Code", "claude"
CALLS = Calls(AGENT, EVENTS)


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
    return (
        hooks_file(base / settings, CALLS, place.silt, strict=True),
        server_file(state, names, server(place), strict=True),
        *(
            Own(base / "commands" / "silt" / f"{one.name}.md", commands.claude(place.silt, one))
            for one in commands.COMMANDS
        ),
    )


def by_hand(place: Place) -> tuple[str, ...]:
    """See `agents/pieces.py`, `Door`."""
    return ()


def packaged(environ: Mapping[str, str], home: Path) -> Path | None:
    """See `agents/pieces.py`, `Door`."""
    base = folder(environ, home)
    plugins = said_in(base / "plugins" / "installed_plugins.json", "plugins")
    for name, copies in plugins.items() if isinstance(plugins, dict) else ():
        off = said_in(base / "settings.json", "enabledPlugins", name) is False
        if name.partition("@")[0] != NAME or off or not isinstance(copies, list):
            continue
        for copy in (one for one in copies if isinstance(one, dict) and one.get("scope") == "user"):
            where = copy.get("installPath")
            if isinstance(where, str) and os.path.isfile(hooks := Path(where, HOOKS)):
                return hooks
    return None


def package(silt: Words, tools: str) -> Mapping[str, str]:
    """A marketplace with one plugin: `claude plugin marketplace add DIR`, `claude plugin install …`."""
    author = {"name": "Siltstone"}
    plugin = {"name": NAME, "version": VERSION, "description": TEXT, "author": author}
    listed = {"name": NAME, "source": f"./{NAME}", "description": TEXT}
    market = {"name": NAME, "description": TEXT, "owner": author, "plugins": [listed]}
    return {
        ".claude-plugin/marketplace.json": json_text(market),
        f"{NAME}/.claude-plugin/plugin.json": json_text(plugin),
        f"{NAME}/{HOOKS}": json_text({"description": TEXT, **CALLS.packaged(silt)}),
        f"{NAME}/.mcp.json": json_text({"mcpServers": {SERVER: entry(silt, tools)}}),
        **{f"{NAME}/commands/{c.name}.md": commands.claude(silt, c) for c in commands.COMMANDS},
    }
