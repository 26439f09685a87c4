"""The command line as a person meets it: called with words, in a home of its own; and its manual."""

import contextlib
import io
import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from siltstone.cli import app as command_line
from siltstone.cli.hooks import main as hooks

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "commands.md"
WIDTH = 100
FOREIGN = ("OPENAI_API_KEY", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME")
"""Variables of whoever runs the tests, beside ours, git's and XDG's."""


@dataclass(frozen=True)
class Said:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def places(home: Path) -> dict[str, str]:
    """Variables of a home in which the store, the state and the config stand."""
    at = {"SILT_HOME": "store", "SILT_STATE": "state", "SILT_CONFIG": "config.toml", "HOME": "person"}
    return {name: str(home / place) for name, place in at.items()}


def moved_into(home: Path, patch: pytest.MonkeyPatch) -> Path:
    """Be the person of this home, in the folder of their project, and nobody else."""
    for name in [one for one in os.environ if one in FOREIGN or one.startswith(("SILT_", "GIT_", "XDG_"))]:
        patch.delenv(name)
    for name, place in places(home).items():
        patch.setenv(name, place)
    patch.setenv("COLUMNS", "200")
    project = home / "person" / "src" / "larkspur"
    project.mkdir(parents=True)
    patch.chdir(project)
    return home


def call(*words: str, given: str | bytes = b"") -> Said:
    """Run `silt` with these words in this process, as `siltstone/__main__.py` does; `given`: its input."""
    raw = given if isinstance(given, bytes) else given.encode("utf-8", "surrogatepass")
    output, err = io.BytesIO(), io.StringIO()
    out = io.TextIOWrapper(output, encoding="utf-8", errors="surrogatepass", newline="")
    code, before, sys.stdin = 0, sys.stdin, io.TextIOWrapper(io.BytesIO(raw))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            if words and words[0] in hooks.COMMANDS:
                code = hooks.main(words)
            else:
                command_line.main(list(words))
        except SystemExit as ended:
            code = int(ended.code or 0)
        finally:
            sys.stdin = before
    out.flush()
    return Said(code, output.getvalue().decode("utf-8", "surrogatepass"), err.getvalue())


@cache
def commands() -> Mapping[str, Any]:
    """Every command by the words that call it: "show", "conflicts resolve", …"""
    return dict(sorted(_walk(typer.main.get_command(command_line.app), "")))


def _walk(group: Any, before: str) -> Iterator[tuple[str, Any]]:
    for name in group.commands:
        command = group.get_command(None, name)
        yield f"{before}{name}", command
        if hasattr(command, "commands"):
            yield from _walk(command, f"{before}{name} ")


def manual() -> str:
    """docs/commands.md as the commands' own help tells it."""
    root = typer.main.get_command(command_line.app)
    told = {"silt": _help("silt", root), **{f"silt {name}": help_of(name) for name in commands()}}
    parts = ["# Commands\n\nWritten by `make docs` from the commands' own help.\n"]
    return "\n".join([*parts, *(f"## {name}\n\n```\n{text}\n```\n" for name, text in told.items())])


def help_of(name: str) -> str:
    """What `--help` prints after these words."""
    if name in hooks.COMMANDS:
        return call(name, "--help").out.strip()
    return _help(f"silt {name}", commands()[name])


def _help(name: str, command: Any) -> str:
    context = typer.Context(command, info_name=name, terminal_width=WIDTH, max_content_width=WIDTH)
    return "\n".join(line.rstrip() for line in command.get_help(context).strip().splitlines())


if __name__ == "__main__":
    DOCUMENT.write_text(manual(), encoding="utf-8")
