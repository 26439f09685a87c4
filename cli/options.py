"""The arguments and options that many commands share."""

import os
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from siltstone.store.entry_form import instant
from siltstone.store.errors import Misuse
from siltstone.store.names import place
from siltstone.store.places import store_folder


def memory_names(incomplete: str) -> list[str]:
    """Names of memories that begin like this, for shell completion; read from file names only."""
    root = Path(store_folder(os.environ))
    found = [place(path.relative_to(root).as_posix()) for path in root.rglob("*.md")]
    return sorted({one.name for one in found if one is not None and one.name.startswith(incomplete)})


def moment(text: str, name: str = "--since") -> datetime:
    """A date or time, in UTC unless it has a zone; `name`: what was given it. Typer reads a bare number as
    seconds since 1970."""
    try:
        return instant(text)
    except (ValueError, OverflowError):
        raise Misuse(f"{name} needs a date like 2026-09-01, not {text!r}.") from None


Name = Annotated[
    str,
    typer.Argument(
        help="Name, file name or path of a memory, in full, as `silt list` shows it.",
        autocompletion=memory_names,
    ),
]
Like = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="Name, file name or path of a memory, or a part of its name.",
        autocompletion=memory_names,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of lines.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be done or sent, without doing it.")]
Limit = Annotated[int, typer.Option("--limit", "-n", min=1, max=10_000, help="Show at most this many.")]
ScopeOption = Annotated[
    str | None, typer.Option("--scope", metavar="SCOPE", help="`global` or the name of a project's folder.")
]
Where = Annotated[
    str | None,
    typer.Option("--scope", metavar="SCOPE", help="`global` or a project; by default this folder's project."),
]
Roots = Annotated[
    list[str] | None,
    typer.Option("--root", metavar="AGENT=PATH", help="Read an agent's transcripts from PATH. Repeatable."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Agree to what a model would be sent for the first time.")]
ModelName = Annotated[
    str | None,
    typer.Option("--model", help="A litellm model name, `agent:NAME` or `rules`; by default the setting."),
]
Keep = Annotated[
    Path | None,
    typer.Option("--keep-prompts", metavar="DIR", help="Write each prompt that is sent into DIR."),
]
Sets = Literal["memory", "session", "all"]
"""Sets of MCP tools. Every tool on offer costs the agent context."""
SessionOption = Annotated[
    str | None,
    typer.Option("--session", metavar="AGENT/ID", help="The agent's session that calls; without it, you do."),
]
