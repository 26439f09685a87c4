"""`silt session`: what is known about running sessions, and what an agent keeps there for itself."""

from datetime import UTC, datetime
from json import loads
from typing import Annotated, Any

import typer

from siltstone.agents.events import rebuilt
from siltstone.cli.context import Context, now
from siltstone.cli.note import REDACTED, note
from siltstone.cli.options import Json, Roots
from siltstone.cli.output import emit_json, show, show_list, stamp
from siltstone.cli.parts import readers
from siltstone.cli.settings import configure, hook_rules
from siltstone.pipeline.messages import Reader, Source
from siltstone.pipeline.words import counted
from siltstone.recall.session import tools
from siltstone.recall.session.render import block
from siltstone.recall.session.state import CORE_LIMITS, SLOTS, SessionState, dump, load
from siltstone.recall.settings import RecallSettings
from siltstone.store.errors import Misuse, SourceError
from siltstone.store.files import Session

app = typer.Typer(name="session", invoke_without_command=True)

EMPTY = "nothing is kept of this session yet"
TEXT = {"ignore_unknown_options": True, "help_option_names": ["--help"]}
"""A text may begin with a dash, like a list item, and then contain an "h"."""
Which = Annotated[str, typer.Argument(metavar="AGENT/ID", help="The session, as `silt session` lists it.")]
Kind = Annotated[str, typer.Argument(help=f"One of {', '.join(tools.KINDS)}.")]


@app.callback()
def list_sessions(context: typer.Context, json: Json = False) -> None:
    """List the sessions that `silt event` reported, latest first, each with its goal.

    Their state helps them while they run. It is not memory (docs/session-state.md). Example: silt session
    """
    if context.invoked_subcommand is not None:
        return
    with Context(dry=True) as opened:
        sessions = opened.state.sessions
        rows: list[dict[str, Any]] = []
        for agent, name, seconds in sessions.known():
            at = datetime.fromtimestamp(seconds, UTC)
            goal = load(sessions.get(agent, name)).goal.content.partition("\n")[0]
            rows.append({"session": f"{agent}/{name}", "at": at, "goal": goal})
    lines = [f"{stamp(row['at'])}  {row['session']}  {row['goal']}".rstrip() for row in rows]
    show_list(json, rows, lines, "no sessions yet: an agent's hooks report them with `silt event`")


@app.command("show")
def show_session(which: Which, json: Json = False) -> None:
    """Show a session's core and working memory, files, errors and pressure, as its agent sees them.

    Example: silt session show claude/5bcef82b
    """
    name = Session.of(which)
    with Context(dry=True) as context:
        state = tools.state_of(context.state, name.agent, name.id)
    if json:
        emit_json({"session": which} | loads(dump(state)))
        return
    show(block(state) or EMPTY)


@app.command("update", context_settings=TEXT)
def update_core(
    which: Which,
    name: Annotated[str, typer.Argument(metavar="BLOCK", help=f"One of {', '.join(CORE_LIMITS)}.")],
    text: Annotated[str, typer.Argument(help="The new text.")],
    append: Annotated[bool, typer.Option("--append", help="Put it on a new line at the end.")] = False,
) -> None:
    """Write a block of a session's core memory: its goal, progress or context.

    Text that would exceed the block's limit is refused; secrets are left out.
    Example: silt session update claude/5bcef82b goal "Move the cart to the new rates"
    """
    at = now().timestamp()
    _change(which, lambda state: tools.core_update(state, name, text, at, append=append))


@app.command("add", context_settings=TEXT)
def add_working(
    which: Which, kind: Kind, text: Annotated[str, typer.Argument(help="What to keep, on one line.")]
) -> None:
    """Add something to a session's working memory. The newest few of each kind stay, others fade.

    Example: silt session add claude/5bcef82b todo "Update the price tests"
    """
    _change(which, lambda state: tools.working_add(state, kind, text))


@app.command("clear")
def clear_working(
    which: Which,
    kind: Annotated[
        str | None, typer.Argument(help=f"One of {', '.join(SLOTS)}; by default everything.")
    ] = None,
) -> None:
    """Empty a session's working memory, or one kind of it.

    Example: silt session clear claude/5bcef82b error
    """
    _change(which, lambda state: tools.working_clear(state, kind))


@app.command("remove", context_settings=TEXT)
def remove_working(
    which: Which, text: Annotated[str, typer.Argument(help="The item, in the words that are shown.")]
) -> None:
    """Remove one item from a session's working memory.

    Example: silt session remove claude/5bcef82b "Update the price tests"
    """
    _change(which, lambda state: tools.working_remove(state, text))


@app.command("rebuild")
def rebuild_state(which: Which, root: Roots = None) -> None:
    """Rebuild a session's state from its transcript, if it was lost or hooks reported nothing, and show it.

    Core memory stays. What the agent itself added to working memory is in no transcript.
    Example: silt session rebuild claude/5bcef82b
    """
    name = Session.of(which)
    source, made = _from_transcript(name, root)
    with Context() as context:
        state = tools.restore(context.state, name.agent, name.id, made)
    note(f"rebuilt from {source.file}: {counted(state.events, 'event')}, {counted(state.turn, 'turn')}")
    show(block(state) or EMPTY)


def _from_transcript(name: Session, root: list[str] | None) -> tuple[Source, SessionState]:
    """The session's transcript and the state it gives; of several transcripts, the one that runs longest.

    Raises Misuse if none can be read.
    """
    configured = configure()
    rules = hook_rules(configured.settings)
    for reader in readers(configured, root):
        sources = list(reader.discover()) if reader.agent == name.agent else []
        named = [one for one in sources if name.id in f"{one.key} {one.detail}"]
        # Most agents put the id into the file's name; only where that fails every file is opened.
        for some in (named, sources):
            if found := [(one, state) for one in some if (state := _state_in(reader, one, name, rules))]:
                return max(found, key=lambda pair: (pair[1].updated, pair[1].events))
    raise Misuse(f"there is no transcript of a session {str(name)[:80]!r}; name its folder with --root.")


def _state_in(reader: Reader, source: Source, name: Session, rules: RecallSettings) -> SessionState | None:
    """The state that a transcript gives; None for another session's, and for one that cannot be read."""
    try:
        reading = reader.read(source, None)
        if reading is None or reading.session.id != name.id:
            return None
        return rebuilt(name.agent, name.id, reading.session.cwd, (step.item for step in reading.steps), rules)
    except SourceError as error:
        note(str(error))
        return None


def _change(which: str, make: tools.Change) -> None:
    name = Session.of(which)
    with Context() as context:
        done = tools.change(context.state, name.agent, name.id, now().timestamp(), make)
    if done.redacted:
        note(REDACTED)
    show(done.report)
