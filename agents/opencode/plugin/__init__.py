"""OpenCode's plugin: one JavaScript file, to which installing adds how silt is called here."""

import json
from collections.abc import Sequence
from pathlib import Path

FILE = "siltstone.js"


def text(silt: Sequence[str], mcp: bool = False) -> str:
    """The file as it is installed.

    `silt`: the words that call it, a program by its absolute path first; `mcp`: whether `silt mcp` works
    here, so that OpenCode is told of that server.
    """
    shipped = (Path(__file__).parent / FILE).read_text(encoding="utf-8")
    _, _, rest = shipped.split("\n", 2)
    return f"const SILT = {json.dumps(list(silt))}\nconst MCP = {json.dumps(mcp)}\n{rest}"
