"""Where OpenCode is told of us: one plugin file, which brings hooks, commands and the MCP server."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents.opencode import plugin
from siltstone.agents.opencode.place import folder
from siltstone.agents.packages import SILT
from siltstone.agents.pieces import Own, Piece, Place, Words
from siltstone.agents.servers import tools_in, words

TITLE, PROGRAM = "OpenCode", "opencode"


def pieces(place: Place) -> tuple[Piece, ...]:
    """See `agents/pieces.py`, `Door`."""
    base = place.project / ".opencode" if place.project else folder(place.environ, place.home)
    path = base / "plugin" / plugin.FILE
    mcp = words(place.tools or tools_in(plugin.constant(path, "MCP"))) if place.mcp else []
    return (Own(path, plugin.text(place.silt, mcp), plugin.installed),)


def by_hand(place: Place) -> tuple[str, ...]:
    """See `agents/pieces.py`, `Door`."""
    return ()


def packaged(environ: Mapping[str, str], home: Path) -> Path | None:
    """See `agents/pieces.py`, `Door`. The same file, but it calls `silt` from PATH."""
    path = folder(environ, home) / "plugin" / plugin.FILE
    return path if plugin.constant(path, "SILT") == list(SILT) else None


def package(silt: Words, tools: str) -> Mapping[str, str]:
    """The plugin file, for `plugin/` below OpenCode's settings or a project's `.opencode`."""
    return {f"plugin/{plugin.FILE}": plugin.text(silt, words(tools))}
