"""`silt mcp`: memory as tools for agents, over the Model Context Protocol."""

from enum import StrEnum
from typing import Annotated, Any

import typer

from siltstone.cli.settings import survey
from siltstone.cli.tools.asking import Asked
from siltstone.cli.tools.changing import CHANGING
from siltstone.cli.tools.reading import READING
from siltstone.cli.tools.session import SESSION
from siltstone.cli.tools.table import Tool
from siltstone.store.errors import Misuse


class Sets(StrEnum):
    """Sets of tools: every tool that is offered costs the agent context."""

    MEMORY = "memory"
    SESSION = "session"
    ALL = "all"


MEMORY: tuple[Tool[Any], ...] = (*READING, *CHANGING)
OFFERED: dict[Sets, tuple[Tool[Any], ...]] = {
    Sets.MEMORY: MEMORY,
    Sets.SESSION: SESSION,
    Sets.ALL: (*MEMORY, *SESSION),
}


def register(app: typer.Typer) -> None:
    """Add this command to the application."""
    app.command("mcp")(serve_tools)


def serve_tools(
    tools: Annotated[
        Sets, typer.Option("--tools", help="Those of the store, those of the running session, or both.")
    ] = Sets.MEMORY,
    agent: Annotated[
        str, typer.Option("--agent", metavar="NAME", help="Which agent calls; else what it calls itself.")
    ] = "",
    session: Annotated[
        str, typer.Option("--session", metavar="ID", help="The agent's own id of the session.")
    ] = "",
    cwd: Annotated[
        str,
        typer.Option("--cwd", metavar="DIR", help="The folder it works in; else its root or this one."),
    ] = "",
) -> None:
    """Offer memory as tools to an agent, over MCP on standard input and output. Agents start it.

    What an agent writes waits in the inbox until you accept it. Example: silt mcp --agent codex
    """
    try:
        from siltstone.cli.mcp_server import serve
    except ModuleNotFoundError:
        raise Misuse(
            "`silt mcp` needs the MCP SDK: install siltstone with it, pip install 'siltstone[mcp]'."
        ) from None
    serve(OFFERED[tools], Asked(agent, session, cwd), survey().configured.environ)
