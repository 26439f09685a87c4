"""The hot commands as a person meets them: their help, and the same call."""

from typing import Annotated

import typer

from siltstone.cli.hot import main

Agent = Annotated[str, typer.Option("--agent", metavar="NAME", help="Which agent is shown it.")]
SessionId = Annotated[str, typer.Option("--session", metavar="ID", help="The agent's own id of the session.")]


def register(app: typer.Typer) -> None:
    """Add these commands to the application."""
    app.command("inject")(inject)


def inject(
    agent: Agent = "",
    session: SessionId = "",
    cwd: Annotated[
        str, typer.Option("--cwd", metavar="DIR", help="The folder the agent works in; else this one.")
    ] = "",
    layout: Annotated[str, typer.Option("--layout", help="default, memfs or sections.")] = "default",
    budget: Annotated[
        int, typer.Option("--budget", metavar="N", help="Characters of the block, pinned memories apart.")
    ] = 3600,
    receipt: Annotated[
        bool, typer.Option("--receipt", help="Tell on standard error what was left out, and why.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print text and receipt as one JSON document.")
    ] = False,
) -> None:
    """Print what an agent should know here: the memories of this project and of everywhere, in a budget.

    For agents' hooks, and to see what they get; it reads what the last change of the store prepared.
    Example: silt inject --agent claude --cwd ~/src/larkspur --receipt
    """
    words = {"agent": agent, "session": session, "cwd": cwd, "layout": layout}
    said = [f"--{name}={value}" for name, value in words.items() if value]
    said += [f"--budget={budget}", *(["--receipt"] if receipt else []), *(["--json"] if json else [])]
    raise typer.Exit(main(["inject", *said]))
