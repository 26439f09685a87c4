"""What Siltstone puts into Gemini CLI: hooks and an MCP server in its settings, commands."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents import commands
from siltstone.agents.door import FOLDER, Own, Piece, Place, Settings
from siltstone.agents.entries import SERVER, hook_groups

TITLE, PROGRAM = "Gemini CLI", "gemini"


def folder(environ: Mapping[str, str], home: Path) -> Path:
    """`.gemini` in `$GEMINI_CLI_HOME`, else in the home folder: settings and transcripts."""
    return Path(environ.get("GEMINI_CLI_HOME") or home) / ".gemini"


def pieces(place: Place) -> tuple[Piece, ...]:
    base = place.project / ".gemini" if place.project else folder(place.environ, place.home)
    groups = hook_groups(PROGRAM, place.silt, name=SERVER)
    return (
        Settings(base / "settings.json", PROGRAM, groups, ("mcpServers", SERVER), place.server),
        *(
            Own(base / "commands" / FOLDER / f"{one.name}.toml", commands.gemini(place.silt, one))
            for one in commands.COMMANDS
        ),
    )


def by_hand(place: Place) -> tuple[str, ...]:
    return (
        () if place.project is None else (f"trust {place.project} in Gemini CLI, or it reads none of this",)
    )
