"""OpenCode's plugin: one JavaScript file, to which installing adds how silt is called here."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from siltstone.agents.commands import COMMANDS

FILE = "siltstone.js"


def text(silt: Sequence[str], mcp: Sequence[str] = ()) -> str:
    """The file as it is installed.

    `silt`: the words that call it, a program by its absolute path first; `mcp`: the words behind them that
    start the MCP server, none where it does not work here. The commands are those of all agents.
    """
    commands = {one.name: one.wants for one in COMMANDS}
    told = {"SILT": list(silt), "MCP": list(mcp), "COMMANDS": commands}
    shipped = (Path(__file__).parent / FILE).read_text(encoding="utf-8").splitlines(keepends=True)
    return "".join([*(f"const {name} = {json.dumps(value)}\n" for name, value in told.items()), *shipped[3:]])


def constant(path: Path, name: str) -> list[str]:
    """The words that an installed file says of itself in its first lines: `const SILT = ["/opt/silt"]`. None
    where it says none."""
    try:
        return constant_in(path.read_bytes(), name)
    except OSError:
        return []


def constant_in(data: bytes, name: str) -> list[str]:
    """The same of what a file holds."""
    try:
        lines = data.decode("utf-8-sig").splitlines()[:3]
        told = next((line.partition("=")[2] for line in lines if line.startswith(f"const {name} =")), "[]")
        words = json.loads(told)
    except (ValueError, RecursionError):
        return []
    return [word for word in words if isinstance(word, str)] if isinstance(words, list) else []


def installed(data: bytes) -> bool:
    """Whether `silt install` wrote what a file holds, changed or not: a package calls silt by its name."""
    return any(map(os.path.isabs, constant_in(data, "SILT")[:1]))
