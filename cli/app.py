"""`silt`: the command groups, put together, and how an error ends a command."""

import sys
from typing import Annotated, NoReturn

import typer

from siltstone import __version__
from siltstone.cli import (
    compact,
    conflicts,
    doctor,
    files,
    hot_help,
    inbox,
    init,
    install,
    mcp,
    output,
    package,
    purge,
    reading,
    run,
    schedule,
    session,
    status,
    watch,
    writing,
)
from siltstone.cli.output import note
from siltstone.store.errors import SiltError

INTERRUPTED = 130
"""Exit status of a command that Ctrl-C ended, as shells have it."""

app = typer.Typer(
    name="silt",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
GROUPS = (
    run,
    compact,
    reading,
    writing,
    purge,
    files,
    conflicts,
    inbox,
    init,
    hot_help,
    install,
    package,
    doctor,
    session,
    mcp,
    watch,
    schedule,
    status,
)
for group in GROUPS:
    group.register(app)


def _version(wanted: bool) -> None:
    if wanted:
        output.show(f"silt {__version__}")
        raise typer.Exit


@app.callback()
def silt(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Show the version and exit.")
    ] = False,
) -> None:
    """Durable memory for coding agents: proven facts from their transcripts, in a git repository.

    `silt run` reads what OpenCode, Claude Code, Codex and Gemini CLI left on disk since it last looked,
    keeps the few durable facts that are proven by quotes, and compacts the store when that is due. Each
    fact is one markdown file; every change is a commit that `silt undo` can take back.

    Nothing leaves this machine until you name a model (`silt config`); without one the embedded rules
    find what you asked to remember and what you plainly stated.

    Exit status: 0 done, 1 failed, 2 wrong arguments or settings, 3 nothing could be done for now
    (locked, a ceiling reached, the model does not answer).
    """


def main(words: list[str] | None = None) -> None:
    """Run the command line; an error of ours is one sentence on standard error."""
    try:
        try:
            app(words)
        finally:
            sys.stdout.flush()  # here a full disk can still be told of
    except SiltError as error:
        note(str(error))
        sys.exit(error.exit_code)
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):
            _unheard()
        if ended.code == INTERRUPTED:
            note("interrupted; what was committed stays, and the same command goes on from there")
        raise
    except BrokenPipeError:
        _unheard()
    except OSError as error:
        output.let_go()
        what = error.filename if isinstance(error.filename, str) else "standard output"
        note(f"{what} cannot be used ({error.strerror}); mend that, and run this again")
        sys.exit(1)


def _unheard() -> NoReturn:
    """The reader of our output went away (`silt list | head`): that is no failure of the command."""
    output.let_go()
    sys.exit(0)
