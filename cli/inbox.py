"""`silt inbox`: what agents said of themselves, waiting for the user's review."""

from typing import Annotated

import typer

from siltstone.cli.context import Context, now
from siltstone.cli.note import note
from siltstone.cli.options import Json
from siltstone.cli.output import as_json, from_whom, show, show_list
from siltstone.cli.parts import actor, parts, rebuild
from siltstone.cli.terminal import Row, ago
from siltstone.pipeline.manual import accept
from siltstone.store import files

app = typer.Typer(name="inbox", invoke_without_command=True)
Item = Annotated[str, typer.Argument(help="Name or path of an item, as `silt inbox` shows it.")]


@app.callback()
def list_inbox(context: typer.Context, json: Json = False) -> None:
    """Show the candidates that nobody but an agent vouches for. Agents are not shown them.

    What nobody repeats or accepts for 60 days is dropped. Example: silt inbox
    """
    if context.invoked_subcommand is not None:
        return
    with Context() as opened:
        waiting = opened.store.inbox()
    lines, rows = list[str](), list[Row]()
    for stored in waiting:
        new = ", a new text for a memory" if stored.entry.replaces and stored.entry.body else ""
        scope = stored.entry.scope.removeprefix("projects/")
        lines.append(f"{stored.path}  ({scope}{new}) — {stored.entry.description}")
        about = (scope, from_whom(stored.entry), ago(stored.entry.updated, now()), "new text" if new else "")
        rows.append(Row(stored.entry.description, about, stored.entry.name))
    heads = ("for", "from", "age", "status")
    show_list(json, list(map(as_json, waiting)), lines, "the inbox is empty", heads, rows)


@app.command("accept")
def accept_item(item: Item) -> None:
    """Make an item a memory, on your word. An agent's new text for a memory takes the place of the old.

    What you wrote by hand, or what changed since, stays beside it. Example: silt inbox accept project-cache
    """
    with Context() as context:
        done = accept(context.waiting(item), parts(context))
        rebuild(context)
    if done.forgot:
        show(f"forgot {done.path}; `silt undo` brings it back")
    elif done.replaced == done.path:
        show(f"{done.path} says so now; `silt history` keeps what it said, `silt undo` brings it back")
    elif done.replaced is not None:
        show(f"kept as {done.path}; what it contradicts is archived as {done.replaced}")
    else:
        show(f"kept as {done.path}")
    if done.beside is not None:
        note(f"{done.beside} stays as well, for {done.why}: edit or forget one of the two")


@app.command("reject")
def reject_item(item: Item) -> None:
    """Delete an item; it is not learned again from what was said before.

    Example: silt inbox reject project-build-cache
    """
    with Context() as context:
        stored = context.waiting(item)
        files.delete(actor(context), stored.path)
    show(f"rejected {stored.path}")
