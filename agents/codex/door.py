"""What Siltstone puts into Codex: hooks in hooks.json, an MCP server in config.toml, a skill."""

from collections.abc import Mapping
from pathlib import Path

from siltstone.agents import commands
from siltstone.agents.codex.hooks import AGENT, HOOKS
from siltstone.agents.door import FOLDER, Own, Piece, Place, hooks_in, server_in
from siltstone.agents.entries import SERVER, hook_groups
from siltstone.agents.values import named_folder

TITLE, PROGRAM = "Codex", "codex"
APPROVE = 'start codex and choose "Trust all"'


def folder(environ: Mapping[str, str], home: Path) -> Path:
    """`$CODEX_HOME`, else `~/.codex`: settings and transcripts."""
    return named_folder(environ, "CODEX_HOME", home / ".codex")


def pieces(place: Place) -> tuple[Piece, ...]:
    """See `agents/door.py`, `Door`."""
    base = place.project / ".codex" if place.project else folder(place.environ, place.home)
    return (
        hooks_in(base / "hooks.json", AGENT, hook_groups(AGENT, HOOKS, place.silt, {}), strict=True),
        server_in(base / "config.toml", ("mcp_servers", SERVER), place.server, toml=True),
        Own(base / "skills" / FOLDER / "SKILL.md", commands.codex(place.silt)),
    )


def by_hand(place: Place) -> tuple[str, ...]:
    """See `agents/door.py`, `Door`. Codex skips untrusted hooks without a message."""
    approve = f"Codex needs you to approve the hooks once: {APPROVE}"
    if place.project is None:
        return (approve,)
    return (f"trust {place.project} in Codex, or it reads none of these settings", approve)
