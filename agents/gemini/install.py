"""Where Gemini CLI is told of us: hooks and an MCP server in its settings, commands; or an extension."""

import os
from collections.abc import Mapping
from pathlib import Path

from siltstone.agents import commands
from siltstone.agents.gemini.hooks import AGENT, EVENTS
from siltstone.agents.gemini.place import folder
from siltstone.agents.packages import HOOKS, NAME, TEXT, VERSION, json_text, said_in
from siltstone.agents.pieces import Calls, Own, Piece, Place, Words, both, hooks_file
from siltstone.agents.servers import SERVER, entry, server, server_file

TITLE, PROGRAM = "Gemini CLI", "gemini"
CALLS = Calls(AGENT, EVENTS, forgiven=True, more={"name": NAME})


def pieces(place: Place) -> tuple[Piece, ...]:
    """See `agents/pieces.py`, `Door`."""
    base = place.project / ".gemini" if place.project else folder(place.environ, place.home)
    settings = base / "settings.json"
    return (
        both(
            hooks_file(settings, CALLS, place.silt, strict=False),
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


def packaged(environ: Mapping[str, str], home: Path) -> Path | None:
    """See `agents/pieces.py`, `Door`. Switched off for some folder counts as off."""
    base = folder(environ, home) / "extensions"
    about = base / NAME / ".gemini-extension-install.json"
    source = said_in(about, "source") if said_in(about, "type") == "link" else None
    hooks = (Path(source) if isinstance(source, str) else base / NAME) / HOOKS
    rules = said_in(base / "extension-enablement.json", NAME, "overrides")
    off = any(str(rule).startswith("!") for rule in rules) if isinstance(rules, list) else False
    return hooks if about.parent.is_dir() and os.path.isfile(hooks) and not off else None


def package(silt: Words, tools: str) -> Mapping[str, str]:
    """An extension: `gemini extensions link DIR`."""
    servers = {SERVER: entry(silt, tools)}
    extension = {"name": NAME, "version": VERSION, "description": TEXT, "mcpServers": servers}
    return {
        "gemini-extension.json": json_text(extension),
        str(HOOKS): json_text(CALLS.packaged(silt)),
        **{f"commands/silt/{c.name}.toml": commands.gemini(silt, c) for c in commands.COMMANDS},
    }
