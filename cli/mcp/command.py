"""`silt mcp`."""

import os
from secrets import token_hex
from typing import Annotated

import typer

from siltstone.cli.context import current_folder
from siltstone.cli.mcp.call import Process, Tool
from siltstone.cli.mcp.memory import MEMORY
from siltstone.cli.mcp.past_sessions import PAST
from siltstone.cli.mcp.session import SESSION
from siltstone.cli.options import Sets
from siltstone.store.errors import Misuse

OFFERED: dict[Sets, tuple[Tool, ...]] = {
    "memory": (*MEMORY, *PAST),
    "session": SESSION,
    "all": (*MEMORY, *PAST, *SESSION),
}

app = typer.Typer()


@app.command("mcp")
def serve_tools(
    tools: Annotated[
        Sets, typer.Option("--tools", help="The tools for the store, for the running session, or both.")
    ] = "memory",
    agent: Annotated[
        str,
        typer.Option("--agent", metavar="NAME", help="Which agent calls; by default what it calls itself."),
    ] = "",
    session: Annotated[
        str, typer.Option("--session", metavar="ID", help="The agent's own id of the session.")
    ] = "",
    cwd: Annotated[
        str,
        typer.Option("--cwd", metavar="DIR", help="The folder it works in; by default its root or this one."),
    ] = "",
) -> None:
    """Offer memory as tools to an agent, over MCP on standard input and output. Agents start it.

    What an agent writes waits in the inbox until you accept it. Example: silt mcp --agent codex
    """
    if cwd and not os.path.isdir(cwd):
        raise Misuse(f"--cwd {cwd[:200]!r} is not a folder; name the one that the agent works in.")
    try:
        from siltstone.cli.mcp.server import serve
    except ModuleNotFoundError:
        raise Misuse("`silt mcp` needs the MCP SDK; get it with pip install 'siltstone[mcp]'.") from None
    made = f"mcp-{token_hex(4)}"
    serve(OFFERED[tools], Process(dict(os.environ), current_folder(), made, agent, session, cwd))
