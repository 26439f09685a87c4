"""Where Gemini CLI is told of us: hooks and an MCP server in its settings, commands; or an extension."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents import commands
from siltstone.agents.gemini.hooks import AGENT, EVENTS
from siltstone.agents.packages import TEXT, VERSION, json_text
from siltstone.agents.pieces import (
    SERVER,
    Own,
    Piece,
    Place,
    Words,
    both,
    groups,
    hook_line,
    hooks_file,
    server,
    server_file,
)

TITLE, PROGRAM = "Gemini CLI", "gemini"


def folder(environ: Mapping[str, str], home: Path) -> Path:
    """See `agents/pieces.py`, `Door`."""
    named = environ.get("GEMINI_CLI_HOME")
    return (Path(named) if named else home) / ".gemini"


def pieces(place: Place) -> tuple[Piece, ...]:
    """See `agents/pieces.py`, `Door`."""
    base = place.project / ".gemini" if place.project else folder(place.environ, place.home)
    settings = base / "settings.json"
    table = groups(EVENTS, hook_line(place.silt, AGENT, forgiven=True), name="siltstone")
    return (
        both(
            hooks_file(settings, AGENT, table, strict=False),
            server_file(settings, ("mcpServers", SERVER), server(place), strict=False),
        ),
        *(
            Own(base / "commands" / "silt" / f"{one.name}.toml", commands.gemini(place.silt, one))
            for one in commands.COMMANDS
        ),
    )


def by_hand(place: Place) -> tuple[str, ...]:
    """See `agents/pieces.py`, `Door`."""
    return () if place.project is None else (f"trust {place.project} in gemini: else it reads none of it",)


def package(silt: Words) -> Mapping[str, str]:
    """An extension: `gemini extensions link DIR`."""
    line = hook_line(silt, AGENT, forgiven=True)
    servers = {SERVER: {"command": silt[0], "args": [*silt[1:], "mcp"]}}
    extension = {"name": "siltstone", "version": VERSION, "description": TEXT, "mcpServers": servers}
    table = groups(EVENTS, line, name="siltstone")
    return {
        "gemini-extension.json": json_text(extension),
        "hooks/hooks.json": json_text({"hooks": {name: [group] for name, group in table.items()}}),
        **{f"commands/silt/{c.name}.toml": commands.gemini(silt, c) for c in commands.COMMANDS},
    }
