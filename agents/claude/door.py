"""What Siltstone puts into Claude Code: hooks in its settings, an MCP server, commands."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents import commands
from siltstone.agents.door import FOLDER, Own, Piece, Place, Settings
from siltstone.agents.entries import SERVER, hook_groups

TITLE, PROGRAM = "Claude Code", "claude"


def folder(environ: Mapping[str, str], home: Path) -> Path:
    """`$CLAUDE_CONFIG_DIR`, else `~/.claude`: settings and transcripts."""
    return Path(environ.get("CLAUDE_CONFIG_DIR") or home / ".claude")


def pieces(place: Place) -> tuple[Piece, ...]:
    """For a project these are the local settings, which nobody commits: paths in them are this machine's."""
    own = folder(place.environ, place.home)
    named = bool(place.environ.get("CLAUDE_CONFIG_DIR"))
    state = (own if named else place.home) / ".claude.json"
    base, settings = own, "settings.json"
    names = ["mcpServers", SERVER]
    if place.project:
        base, settings = place.project / ".claude", "settings.local.json"
        names = ["projects", str(place.project), *names]
    return (
        Settings(base / settings, PROGRAM, hook_groups(PROGRAM, place.silt), strict=True),
        Settings(state, PROGRAM, server=names, entry=place.server, strict=True),
        *(
            Own(base / "commands" / FOLDER / f"{one.name}.md", commands.claude(place.silt, one))
            for one in commands.COMMANDS
        ),
    )


def by_hand(place: Place) -> tuple[str, ...]:
    return ()
