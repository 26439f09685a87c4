"""OpenCode's plugin: one JavaScript file, to which installing adds how silt is called here."""

import json
from collections.abc import Sequence
from pathlib import Path

from siltstone.agents.commands import COMMANDS

FILE = "siltstone.js"


def text(silt: Sequence[str], mcp: bool = False) -> str:
    """The file as it is installed.

    `silt`: the words that call it, a program by its absolute path first; `mcp`: whether `silt mcp` works
    here, so that OpenCode is told of that server. The commands are those of all agents.
    """
    commands = {one.name: one.wants for one in COMMANDS}
    told = {"SILT": list(silt), "MCP": mcp, "COMMANDS": commands}
    shipped = (Path(__file__).parent / FILE).read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join([*(f"const {name} = {json.dumps(value)}\n" for name, value in told.items()), *shipped[3:]])
