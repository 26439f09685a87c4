"""The options that many commands share: apart from what these work with, for they load the whole of typer."""

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of lines.")]
ScopeOption = Annotated[
    str | None,
    typer.Option("--scope", metavar="SCOPE", help="`global` or the name of a project's folder."),
]
Roots = Annotated[
    list[str] | None,
    typer.Option("--root", metavar="AGENT=PATH", help="Read an agent's transcripts from PATH. Repeatable."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Agree to what a model would be sent for the first time.")]
ModelName = Annotated[
    str | None,
    typer.Option("--model", help="A litellm model name, `agent:NAME` or `rules`; else the settings."),
]
Keep = Annotated[
    Path | None, typer.Option("--keep-prompts", metavar="DIR", help="Write every prompt that is sent to DIR.")
]
SessionOption = Annotated[
    str | None,
    typer.Option("--session", metavar="AGENT/ID", help="An agent's session calls; else you do."),
]
