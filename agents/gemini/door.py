"""What Siltstone puts into Gemini CLI: hooks and an MCP server in its settings, commands."""

from pathlib import Path

from siltstone.agents import commands
from siltstone.agents.door import FOLDER, Own, Piece, Place, Settings
from siltstone.agents.entries import SERVER, hook_groups


def pieces(place: Place, base: Path) -> tuple[Piece, ...]:
    groups = hook_groups("gemini", place.silt, name=SERVER)
    return (
        Settings(base / "settings.json", "gemini", groups, ("mcpServers", SERVER), place.server),
        *(
            Own(base / "commands" / FOLDER / f"{one.name}.toml", commands.gemini(place.silt, one))
            for one in commands.COMMANDS
        ),
    )
