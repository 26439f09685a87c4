"""`silt`: the table of commands, and how an error ends one.

A command's module is imported when the command is called, so that none waits for what another one needs.
"""

import sys
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from siltstone import __version__
from siltstone.cli import output
from siltstone.cli.note import note
from siltstone.store.errors import SiltError

INTERRUPTED = 130
"""Exit status of a command that Ctrl-C ended, as shells have it."""

COMMANDS: dict[str, dict[str, tuple[str, str]]] = {
    "Learn": {
        "run": ("run", "Run one batch: read idle sessions, keep what is proven, compact if it is due."),
        "extract": ("run", "Read idle sessions and keep what is proven; compact nothing."),
        "compact": ("compact", "Compact now: merge duplicates, drop what is expired, flag contradictions."),
        "watch": ("watch.watch", "Keep running: commit your edits of memories, and run batches when due."),
        "schedule": ("schedule", "Let the system run a batch every 15 minutes."),
    },
    "Look": {
        "list": ("reading", "List what is remembered, a line a memory, by scope."),
        "search": ("reading", "Find memories by their words, the best first."),
        "show": ("reading", "Show one memory: its text, its type and dates, and the words it comes from."),
        "history": ("history", "Show the commits that changed one memory, newest first."),
        "log": ("history", "Show what was done to the store, newest first; or what was rejected, and why."),
        "tree": ("reading", "Show the memories as files: path, size and limit, description."),
        "profile": ("reading", "Show what is known of you: memories of type user."),
        "status": ("status", "Show what is remembered, what failed, the last run, and what runs by itself."),
        "cost": ("status", "Show what the model took, day by day, against the ceilings."),
    },
    "Change": {
        "remember": ("writing", "Save a fact at once."),
        "forget": ("writing", "Delete a memory."),
        "write": ("writing", "Write a memory: a new one, or another text for one that exists."),
        "edit": ("writing", "Replace a piece of a memory's text."),
        "promote": ("writing", "Make a memory hot: agents are shown it whole, not only its line."),
        "demote": ("writing", "Make a hot memory cold: agents are shown its line."),
        "import": ("writing", "Import memories from files of other systems."),
        "conflicts": ("conflicts", "Show every contradiction with both sides, and settle it."),
        "inbox": ("inbox", "Show what only an agent said, and accept or reject it."),
        "undo": ("history", "Take a run back with a new commit."),
        "rollback": ("history", "Bring the memories of one scope back to what they were at a commit."),
        "flush": ("writing", "Commit the edits you made to files by hand, now and as yours."),
        "purge": ("history", "Take memories out of the store and out of its whole git history."),
    },
    "Set up": {
        "install": ("install", "Put Siltstone into your agents: hooks, commands and the MCP server."),
        "uninstall": ("install", "Take Siltstone out of your agents again. Memories stay."),
        "init": ("init", "Make a folder a project of the store, and quote its own files to agents."),
        "config": ("status", "Show every setting with its value and where it came from."),
        "doctor": ("doctor", "Check what a run and the agents need."),
        "rebuild": ("writing", "Make the indexes anew, and what searching and showing read."),
    },
    "Called by agents": {
        "hook": ("hooks.commands", "Answer a hook of an agent."),
        "inject": ("hooks.commands", "Print what an agent should know here, within a budget."),
        "event": ("hooks.commands", "Take one event of a running session."),
        "prune": ("hooks.commands", "Cut the output of a tool; lines with errors stay."),
        "session": ("session", "Show the state of running sessions, and change it."),
        "mcp": ("mcp.command", "Offer memory as tools over MCP."),
    },
}
"""Heading -> command -> its module in `cli/`, whose `app` has it, and its line in `silt --help`."""
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
        group = typer.Typer(rich_markup_mode=None)
        group.add_typer(import_module(f"siltstone.cli.{module}").app)
        return typer.main.get_group(group).commands[cmd_name]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands under their headings, out of the table alone."""
        for heading, commands in COMMANDS.items():
            with formatter.section(heading):
                formatter.write_dl([(name, line) for name, (_, line) in commands.items()])


app = typer.Typer(
    cls=Commands,
    name="silt",
    no_args_is_help=True,
    add_completion=False,
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
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_version, help="Show the version and exit.")
    ] = False,
) -> None:
    """Durable memory for coding agents: proven facts from their transcripts, in a git repository.

    `silt run` reads what OpenCode, Claude Code, Codex and Gemini CLI wrote since the last run, keeps the few
    durable facts that quotes prove, and compacts the store when that is due. Each fact is one markdown file;
    every change is a commit that `silt undo` can take back.

    Nothing leaves this machine until you name a model (`silt config`). Without one, the embedded rules find
    what you asked to remember and what you plainly stated.

    Exit status: 0 done, 1 failed, 2 wrong arguments or settings, 3 try again later (another run holds the
    lock, a ceiling is reached, the model does not answer).
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
        if isinstance(error.filename, str):
            note(f"{error.filename} cannot be used ({error.strerror}); fix that and run this again")
        else:
            note(f"standard output cannot be written ({error.strerror}); fix that and run this again")
        sys.exit(1)


def _unheard() -> NoReturn:
    """The reader of our output went away (`silt list | head`): that is no failure of the command."""
    output.let_go()
    sys.exit(0)
