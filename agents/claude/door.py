"""What Siltstone puts into Claude Code: hooks in its settings, an MCP server, commands."""

from pathlib import Path

from siltstone.agents import commands
from siltstone.agents.door import FOLDER, Own, Piece, Place, Settings
from siltstone.agents.entries import SERVER, hook_groups
from siltstone.store.places import home_folder


def pieces(place: Place, base: Path) -> tuple[Piece, ...]:
    """For a project these are the local settings, which nobody commits: paths in them are this machine's."""
    state = Path(place.environ.get("CLAUDE_CONFIG_DIR") or home_folder(place.environ), ".claude.json")
    settings, names = "settings.json", ["mcpServers", SERVER]
    if place.project:
        settings, names = "settings.local.json", ["projects", str(place.project), *names]
    return (
        Settings(base / settings, "claude", hook_groups("claude", place.silt), strict=True),
        Settings(state, "claude", server=names, entry=place.server, strict=True),
        *(
            Own(base / "commands" / FOLDER / f"{one.name}.md", commands.claude(place.silt, one))
            for one in commands.COMMANDS
        ),
    )
