"""Where OpenCode is told of us: one plugin file, which brings hooks, commands and the MCP server."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents.opencode import plugin
from siltstone.agents.pieces import Own, Piece, Place, Words

TITLE, PROGRAM = "OpenCode", "opencode"


def folder(environ: Mapping[str, str], home: Path) -> Path:
    """See `agents/pieces.py`, `Door`."""
    named = environ.get("XDG_CONFIG_HOME")
    return (Path(named) if named else home / ".config") / "opencode"


def pieces(place: Place) -> tuple[Piece, ...]:
    """See `agents/pieces.py`, `Door`."""
    base = place.project / ".opencode" if place.project else folder(place.environ, place.home)
    return (Own(base / "plugin" / plugin.FILE, plugin.text(place.silt, place.mcp)),)


def by_hand(place: Place) -> tuple[str, ...]:
    """See `agents/pieces.py`, `Door`."""
    return ()


def package(silt: Words) -> Mapping[str, str]:
    """The plugin file, for `plugin/` below OpenCode's settings or a project's `.opencode`."""
    return {f"plugin/{plugin.FILE}": plugin.text(silt, mcp=True)}
