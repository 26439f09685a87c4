"""The help of the hook commands, for people: `main` reads the options itself (`cli/hooks/main.py`)."""

import sys
from typing import Annotated, NoReturn

import typer

from siltstone.cli.hooks.main import main

Agent = Annotated[str, typer.Option("--agent", metavar="NAME", help="Which agent is shown it.")]
SessionId = Annotated[str, typer.Option("--session", metavar="ID", help="The agent's own id of the session.")]

app = typer.Typer()


def _call() -> NoReturn:
    raise typer.Exit(main(sys.argv[1:]))


@app.command("inject")
def inject(
    agent: Agent = "",
    session: SessionId = "",
    cwd: Annotated[
        str, typer.Option("--cwd", metavar="DIR", help="The folder the agent works in; else this one.")
    ] = "",
    query: Annotated[
        str, typer.Option("--query", metavar="TEXT", help="What is asked now: what fits it comes first.")
    ] = "",
    layout: Annotated[str, typer.Option("--layout", help="default, memfs or sections.")] = "default",
    budget: Annotated[
        int, typer.Option("--budget", metavar="N", help="Characters of the block, pinned memories apart.")
    ] = 3600,
    receipt: Annotated[
        bool, typer.Option("--receipt", help="Print on standard error what was left out, and why.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print text and receipt as one JSON document.")
    ] = False,
) -> None:
    """Print what an agent should know here: the memories of this project and of everywhere, in a budget.

    For agents' hooks, and to see what they get. It reads what the last change of the store prepared.
    Example: silt inject --agent claude --cwd ~/src/larkspur --receipt
    """
    _call()


@app.command("event")
def event() -> None:
    """Take one event of a running session, as JSON on standard input, and keep the session's state.

    For agents' hooks. Prints something only when the event makes the agent's context critical: then what
    the agent should read. `event` is message, tool, compaction, model, idle or end; agent and session are
    required; docs/session-state.md has the rest.
    Example: echo '{"event": "idle", "agent": "claude", "session": "s1"}' | silt event
    """
    _call()


@app.command("prune")
def prune(
    tool: Annotated[str, typer.Option("--tool", metavar="NAME", help="The agent's name of the tool.")] = "",
    level: Annotated[
        str, typer.Option("--level", help="Pressure: safe, moderate, high or critical.")
    ] = "safe",
    synthetic: Annotated[
        bool, typer.Option("--synthetic", help="The agent made the text itself: nothing is cut.")
    ] = False,
) -> None:
    """Cut the output of a tool, from standard input to standard output; lines with errors stay.

    Below the level high, only listings, trees and logs are cut. A line says how much is missing.
    Example: ls -R | silt prune --tool ls --level high
    """
    _call()


@app.command("hook")
def hook(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="claude, codex, gemini or opencode.")],
) -> None:
    """Answer a hook of an agent, with the hook's payload on standard input. Agents' settings call it.

    Shows memories at a session's start and at each prompt, follows its tools, saves what the user asks to
    remember, and has the transcript read when the session is quiet. Failures are lines in `hooks.log` of the
    state folder; the exit status is always 0.
    Example: silt hook claude < payload.json
    """
    _call()
