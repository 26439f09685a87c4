"""`silt inbox`: what agents claimed on their own, waiting for the user's review."""

from typing import Annotated

import typer

from siltstone.cli.context import Context
from siltstone.cli.options import Json
from siltstone.cli.output import as_json, from_whom, show, show_list, when
from siltstone.cli.parts import actor, parts, rebuild
from siltstone.cli.review import Answer, Item, can_ask, edit_files, go_through
from siltstone.pipeline.manual import accept
from siltstone.store import files
from siltstone.store.entry import Stored

app = typer.Typer(name="inbox", invoke_without_command=True)
Waiting = Annotated[str, typer.Argument(help="Name or path of an item, as `silt inbox` shows it.")]


@app.callback()
def list_inbox(context: typer.Context, json: Json = False) -> None:
    """Show the candidates that only an agent vouches for. Agents do not see them.

    On a terminal it asks about them one by one. Items that nobody repeats or accepts for 60 days are dropped.
    Example: silt inbox
    """
    if context.invoked_subcommand is not None:
        return
    with Context() as opened:
        waiting = opened.store.inbox()
        if waiting and not json and can_ask():
            go_through(opened, [_item(opened, stored) for stored in waiting])
            return
    lines = []
    for stored in waiting:
        new = ", a new text for a memory" if stored.entry.replaces and stored.entry.body else ""
        scope = stored.entry.scope.removeprefix("projects/")
        lines.append(f"{stored.path}  ({scope}{new}) — {stored.entry.description}")
    show_list(json, list(map(as_json, waiting)), lines, "the inbox is empty")


@app.command("accept")
def accept_item(item: Waiting) -> None:
    """Make an item a memory, on your word. An agent's new text for a memory replaces the old text.

    Text that you wrote by hand, or that has changed since, is kept as well. Example: silt inbox accept
    project-cache
    """
    with Context() as context:
        show(keep(context, context.waiting(item)))


@app.command("reject")
def reject_item(item: Waiting) -> None:
    """Delete an item; it is not learned again from what was said before.

    Example: silt inbox reject project-build-cache
    """
    with Context() as context:
        show(drop(context, context.waiting(item)))


def keep(context: Context, stored: Stored) -> str:
    """Make an item a memory. Returns what was done, in a sentence."""
    done = accept(stored, parts(context))
    rebuild(context)
    if done.forgot:
        return f"forgot {done.path}; `silt undo` brings it back"
    if done.replaced == done.path:
        return f"{done.path} now says this; `silt history` shows the old text, `silt undo` brings it back"
    told = f"kept as {done.path}"
    if done.replaced is not None:
        told += f"; the memory it contradicts is archived as {done.replaced}"
    if done.beside is not None:
        told += f"; {done.beside} stays as well, because {done.why}: edit or forget one of the two"
    return told


def drop(context: Context, stored: Stored) -> str:
    """Delete an item. Returns what was done, in a sentence."""
    files.delete(actor(context), stored.path)
    return f"rejected {stored.path}"


def _item(context: Context, stored: Stored) -> Item:
    """An item to ask about."""
    entry, path = stored.entry, stored.path
    where = entry.scope.removeprefix("projects/")
    what = "a new text for a memory" if entry.replaces and entry.body else entry.type
    told = f"  {what} for {where}, from {from_whom(entry)} {when(entry.updated)}"
    lines = [(f"  {line}", "") for line in (entry.body.strip() or entry.description).splitlines()]
    quotes = [" ".join(one.quote.split()) for one in entry.evidence[-1:]]
    lines += [(f'  "{quote}"', "dim") for quote in quotes if quote not in " ".join(entry.body.split())]

    def now_there() -> list[Stored]:
        return [one for one in context.store.inbox() if one.path == path]

    answers = {
        "a": Answer("[a]ccept", lambda: keep(context, now_there()[0])),
        "r": Answer("[r]eject", lambda: drop(context, now_there()[0])),
        "e": Answer("[e]dit", lambda: edit_files(context, [path])),
    }
    return Item([*lines, (told, "dim")], answers, lambda: bool(now_there()))
