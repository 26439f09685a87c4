"""`silt inbox`: what agents said of themselves, waiting for the user's word."""

from typing import Annotated

import typer

from siltstone.cli.context import Context, Json
from siltstone.cli.output import emit_json, show
from siltstone.cli.reading import as_json
from siltstone.cli.work import hand, parts, rebuild
from siltstone.pipeline.manual import accept
from siltstone.recall.lookup import find
from siltstone.store import files

inbox = typer.Typer(invoke_without_command=True)
Item = Annotated[str, typer.Argument(help="Name or path of an item, as `silt inbox` shows it.")]


def register(app: typer.Typer) -> None:
    """Add this group to the application."""
    app.add_typer(inbox, name="inbox")


@inbox.callback()
def list_inbox(context: typer.Context, json: Json = False) -> None:
    """Show the candidates that nobody but an agent vouches for. Agents are not shown them.

    What nobody repeats or accepts for 60 days is dropped. Example: silt inbox
    """
    if context.invoked_subcommand is not None:
        return
    with Context() as opened:
        waiting = opened.store.inbox()
    if json:
        emit_json([as_json(stored) for stored in waiting])
        return
    for stored in waiting:
        show(f"{stored.path}  ({stored.entry.scope.removeprefix('projects/')}) — {stored.entry.description}")
    if not waiting:
        show("the inbox is empty")


@inbox.command("accept")
def accept_item(item: Item) -> None:
    """Make an item a memory, on your word.

    Example: silt inbox accept project-build-cache
    """
    with Context() as context:
        path = accept(find(context.store.inbox(), item, context.store.unreadable), parts(context))
        rebuild(context)
    show(f"kept as {path}")


@inbox.command("reject")
def reject_item(item: Item) -> None:
    """Delete an item; it is not learned again from what was said before.

    Example: silt inbox reject project-build-cache
    """
    with Context() as context:
        stored = find(context.store.inbox(), item, context.store.unreadable)
        files.delete(hand(context), stored.path)
    show(f"rejected {stored.path}")
