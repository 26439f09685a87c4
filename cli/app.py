"""`silt`: the table of commands, and how an error ends one.

A command's module is imported only when the command is called, so that no command waits for another's
imports.
"""

import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from siltstone import __version__
from siltstone.cli import output
from siltstone.cli.note import let_go, note, wrong_value
from siltstone.store.data import data
from siltstone.store.errors import Misuse, SiltError

INTERRUPTED = 130
"""Exit status of a command that Ctrl-C ended, as in shells."""

COMMANDS: dict[str, dict[str, tuple[str, str]]] = data(__file__, "commands.toml")
"""Heading -> command -> its module in `cli/`, whose `app` has it, and its summary in `silt --help`."""
HIDDEN = "Hidden"
"""The heading of commands that agents call and people need not know about."""
ALL = {name: row for commands in COMMANDS.values() for name, row in commands.items()}


class Commands(TyperGroup):
    """The commands of the table."""

    def __init__(self, **attrs: Any) -> None:
        super().__init__(**attrs)
        self.commands = {name: TyperCommand(name, help=line) for name, (_, line) in ALL.items()}

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command itself; its module is loaded here."""
        if cmd_name not in ALL:
            return None
        module, _ = ALL[cmd_name]
        if not module:  # run without typer (cli/hooks/main.py)
            return self.commands[cmd_name]
        group = typer.Typer(rich_markup_mode=None)
        group.add_typer(import_module(f"siltstone.cli.{module}").app)
        return typer.main.get_group(group).commands[cmd_name]

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            told = wrong_value(error.format_message()).rstrip(".")
            raise Misuse(f"{told}; see `{error.ctx.command_path if error.ctx else 'silt'} -h`.") from None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands under their headings, from the table alone."""
        for heading, commands in COMMANDS.items():
            if heading != HIDDEN:
                with formatter.section(heading):
                    formatter.write_dl([(name, line) for name, (_, line) in commands.items()])


app = typer.Typer(
    cls=Commands,
    name="silt",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        output.show(f"silt {__version__}")
        raise typer.Exit


@app.callback()
def silt(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Show the version and exit.")
    ] = False,
) -> None:
    """Durable memory for coding agents: facts from their transcripts, each with its quote, in a git
    repository.

    `silt` alone shows how things stand. Nothing leaves this machine until you name a model. Every change can
    be undone with `silt undo`.

    Exit status: 0 done, 1 failed, 2 wrong arguments or settings, 3 try again later (another run holds the
    lock, a spending ceiling is reached, the model does not answer).
    """
    if context.invoked_subcommand is None:
        import_module("siltstone.cli.status").overview()


def main(words: list[str] | None = None) -> None:
    """Run the command line. Our own errors are one sentence on standard error."""
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
            let_go()
            sys.exit(0)
        if ended.code == INTERRUPTED:
            note("interrupted; what was committed stays, and the same command continues from there")
        raise
    except BrokenPipeError:  # the reader went away (`silt list | head`): that is no failure of the command
        let_go()
        sys.exit(0)
    except OSError as error:
        let_go()
        named = isinstance(error.filename, str)
        gone = isinstance(error, FileNotFoundError)
        unnamed = "the current folder no longer exists" if gone else "standard output cannot be written"
        what = f"{error.filename} cannot be used" if named else unnamed
        note(f"{what} ({error.strerror}); fix that and run this again")
        sys.exit(1)
