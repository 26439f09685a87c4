"""Where OpenCode is told of us: one plugin file, which brings hooks, commands and the MCP server."""

import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from siltstone.agents.pieces import Own, Piece, Place, Words

TITLE, PROGRAM = "OpenCode", "opencode"
FILE = "siltstone.js"


def folder(environ: Mapping[str, str], home: Path) -> Path:
    """See `agents/pieces.py`, `Door`."""
    named = environ.get("XDG_CONFIG_HOME")
    return (Path(named) if named else home / ".config") / "opencode"


def pieces(place: Place) -> tuple[Piece, ...]:
    """See `agents/pieces.py`, `Door`."""
    base = place.project / ".opencode" if place.project else folder(place.environ, place.home)
    return (Own(base / "plugin" / FILE, plugin(place.silt)),)


def by_hand(place: Place) -> tuple[str, ...]:
    """See `agents/pieces.py`, `Door`."""
    return ()


def package(silt: Words) -> Mapping[str, str]:
    """The plugin file, for `plugin/` below OpenCode's settings or a project's `.opencode`."""
    return {f"plugin/{FILE}": plugin(silt)}


def plugin(silt: Words) -> str:
    """The plugin, its first line naming the words that start silt."""
    text = files("siltstone.agents.opencode").joinpath("plugin", FILE).read_text(encoding="utf-8")
    _, _, rest = text.partition("\n")
    return f"const SILT = {json.dumps(list(silt))}\n{rest}"
