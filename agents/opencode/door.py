"""What Siltstone puts into OpenCode: one plugin file, which brings hooks, commands and the MCP server."""

import json
from collections.abc import Sequence
from os.path import isabs
from pathlib import Path

from siltstone.agents.commands import COMMANDS
from siltstone.agents.door import Own, Piece, Place
from siltstone.agents.entries import mcp_words, tools_in
from siltstone.store.plain_file import head

PLUGIN = "siltstone.js"


def pieces(place: Place, base: Path) -> tuple[Piece, ...]:
    path = base / "plugin" / PLUGIN
    mcp = mcp_words(place.tools or tools_in(constant(head(path), "MCP"))) if place.mcp else []
    text = plugin_text(place.silt, mcp)
    # Edited since or not, one that `silt install` wrote calls silt by an absolute path.
    return (Own(path, text, lambda data: any(map(isabs, constant(data, "SILT")[:1]))),)


def plugin_text(silt: Sequence[str], mcp: Sequence[str] = ()) -> str:
    """The plugin as it is installed.

    `silt`: the words that call it, a program by its absolute path first; `mcp`: the words after them that
    start the MCP server, none where it does not work here.
    """
    values = {"SILT": list(silt), "MCP": list(mcp), "COMMANDS": {one.name: one.wants for one in COMMANDS}}
    shipped = (Path(__file__).parent / PLUGIN).read_text(encoding="utf-8").splitlines(keepends=True)
    constants = [f"const {name} = {json.dumps(value)}\n" for name, value in values.items()]
    return "".join([*constants, *shipped[3:]])


def constant(data: bytes, name: str) -> list[str]:
    """The words in one of the first lines of an installed plugin, as in `const SILT = ["/opt/silt"]`; [] for
    none."""
    try:
        lines = data.decode("utf-8-sig").splitlines()[:3]
        value = next((line.partition("=")[2] for line in lines if line.startswith(f"const {name} =")), "[]")
        words = json.loads(value)
    except (ValueError, RecursionError):
        return []
    return [word for word in words if isinstance(word, str)] if isinstance(words, list) else []
