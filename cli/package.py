"""`silt package`: an agent's own package form of Siltstone."""

from pathlib import Path
from typing import Annotated

import typer

from siltstone.agents import doors
from siltstone.agents.hooks import AGENTS
from siltstone.agents.packages import SILT
from siltstone.cli.output import show
from siltstone.cli.tools.offered import Sets
from siltstone.store.errors import Misuse


def register(app: typer.Typer) -> None:
    """Add this command to the application."""
    app.command("package")(write_package)


def write_package(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help=f"One of {', '.join(AGENTS)}.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that is empty or not there.")],
    tools: Annotated[Sets, typer.Option("--tools", help="What the MCP server offers.")] = Sets.MEMORY,
) -> None:
    """Write an agent's own package form of Siltstone: a plugin, an extension.

    It calls `silt` from PATH, so it can be given to others who have it. Example: silt package claude ./out
    """
    if agent not in AGENTS:
        raise Misuse(f"there is no agent {agent!r}; there are {', '.join(AGENTS)}.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Misuse(f"{folder} is not empty: name another folder, so that nothing of yours is written over.")
    texts = doors.door(agent).package(SILT, "" if tools is Sets.MEMORY else tools)
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    show(f"{folder} holds {len(texts)} files for {doors.door(agent).TITLE}")
