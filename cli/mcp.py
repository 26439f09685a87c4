"""`silt mcp` as a person meets it: its help, and the same start."""

from typing import Annotated

import typer

from siltstone.cli.mcp_start import main
from siltstone.cli.tools.offered import Sets


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
    words = {"tools": tools, "agent": agent, "session": session, "cwd": cwd}
    raise typer.Exit(main([f"--{name}={value}" for name, value in words.items() if value]))
