"""Commands that treat the store as files: write, edit, promote, demote, tree, rollback, flush, profile.

Each wraps one function of `store/files/` (docs/files.md); reading is `silt show`, deleting `silt forget`.
"""

from dataclasses import asdict
from typing import Annotated

import typer

from siltstone.cli.actor import actor
from siltstone.cli.context import Context
from siltstone.cli.note import note
from siltstone.cli.options import Json, ScopeOption, SessionOption
from siltstone.cli.output import as_json, emit_json, show
from siltstone.cli.reading import Name
from siltstone.cli.scopes import Scopes, chosen_scope, known_type, movable, named
from siltstone.cli.writing import Where, standard_input
from siltstone.store import files
from siltstone.store.entry import TYPES
from siltstone.store.layout import MAX_DEPTH


def register(app: typer.Typer) -> None:
    """Add these commands to the application."""
    app.command("write")(write_memory)
    app.command("edit")(edit_memory)
    app.command("promote")(promote_memory)
    app.command("demote")(demote_memory)
    app.command("tree")(show_tree)
    app.command("profile")(show_profile)
    app.command("rollback")(roll_back)
    app.command("flush")(flush_edits)


def write_memory(
    name: Annotated[str, typer.Argument(help="Its name, or its path as `silt tree` shows it.")],
    text: Annotated[str, typer.Argument(help="What it says; `-` reads standard input.")] = "-",
    type: Annotated[str | None, typer.Option("--type", help=f"Of a new one: {', '.join(TYPES)}.")] = None,
    description: Annotated[
        str | None,
        typer.Option("--description", help="Its line in the index; else as it was, or the first line."),
    ] = None,
    scope: Where = None,
    hot: Annotated[bool, typer.Option("--hot", help="A new one is shown to agents whole.")] = False,
    session: SessionOption = None,
) -> None:
    """Write a memory: a new one, or another text in place of what it says. Secrets are left out.

    With --session the words are an agent's: they wait in the inbox until you accept them.
    Example: silt write hosting "Hosting is Vercel. Why: previews." --description "Where the shop runs"
    """
    with Context(makes=True) as context:
        scopes = Scopes(context)
        note_ = files.Note(
            chosen_scope(context, scopes, scope),
            name,
            standard_input() if text == "-" else text,
            None if type is None else known_type(type),
            description,
            hot,
            context.configured.settings.default_limit,
        )
        written = files.write(actor(context, session, scopes), note_)
    _tell(written)


def edit_memory(
    name: Name,
    old: Annotated[str, typer.Option("--old", help="The text to replace: exact, and only once in it.")],
    new: Annotated[str, typer.Option("--new", help="What takes its place; `-` reads standard input.")],
    session: SessionOption = None,
) -> None:
    """Replace a piece of a memory's text. An agent (--session) must have read a cold memory before.

    Example: silt edit hosting --old Vercel --new Hetzner
    """
    with Context() as context:
        store = context.store
        path = named(context, [one for one in store.resembling(name) if not one.archived], name).path
        written = files.edit(actor(context, session), path, old, standard_input() if new == "-" else new)
    _tell(written)


def promote_memory(name: Name) -> None:
    """Make a memory hot: agents are shown it whole, not only its line.

    Example: silt promote hosting
    """
    with Context() as context:
        stored = named(context, movable(context.store, name), name)
        moved = files.promote(actor(context), stored.path)
    show(f"{moved.old} is now {moved.new}")


def demote_memory(name: Name) -> None:
    """Make a hot memory cold: agents are shown its line, and read it when they need it.

    Example: silt demote hosting
    """
    with Context() as context:
        stored = named(context, movable(context.store, name), name)
        moved = files.demote(actor(context), stored.path)
    show(f"{moved.old} is now {moved.new}")


def show_tree(
    scope: ScopeOption = None,
    depth: Annotated[
        int | None, typer.Option("--depth", min=1, max=MAX_DEPTH, help="Levels; else as `silt config` says.")
    ] = None,
    json: Json = False,
) -> None:
    """Show the memories as files: path, characters of how many allowed, description.

    Example: silt tree --scope larkspur
    """
    with Context() as context:
        levels = depth or min(context.configured.settings.max_tree_depth, MAX_DEPTH)
        entries = context.store.entries(context.scope(scope))
        tree = files.tree(entries, levels)
        complaints = context.store.complaints
    if json:
        told = [{key: value for key, value in asdict(file).items() if key != "remark"} for file in tree.files]
        emit_json({"files": told, "folded": dict(tree.folded)})
        return
    for line in tree.lines():
        show(line)
    for complaint in complaints:
        note(complaint)


def show_profile(scope: ScopeOption = None, json: Json = False) -> None:
    """Show what is known of you: memories of type user, hot ones first, then the latest.

    Example: silt profile
    """
    with Context() as context:
        entries = context.store.entries(context.scope(scope))
        known = files.profile(entries, context.configured.settings.max_profile_items)
    if json:
        emit_json([as_json(stored) for stored in known])
        return
    for stored in known:
        show(f"{stored.path} — {stored.entry.description}")
    if not known:
        show("nothing is known of you yet: `silt remember` with --type user keeps a fact")


def roll_back(
    commit: Annotated[str, typer.Argument(help="A commit of the store, as `silt log` shows it.")],
    scope: Annotated[str, typer.Option("--scope", metavar="SCOPE", help="`global` or a project's folder.")],
) -> None:
    """Bring the memories of one scope back to what they were at a commit, with a new commit.

    What you changed by hand or forgot since is left alone and listed; `silt undo` takes it back.
    Example: silt rollback 1a2b3c4d --scope larkspur
    """
    with Context() as context:
        back = files.rollback(actor(context), context.scope(scope) or scope, commit)
    many = (
        "1 file is as it was" if len(back.restored) == 1 else f"{len(back.restored)} files are as they were"
    )
    show(f"{back.scope}: {many} at {back.target[:8]}")
    for path in back.restored:
        show(f"  {path}")
    for path, why in back.left:
        note(f"{path} was left alone: {why}")


def flush_edits() -> None:
    """Commit the edits you made to files by hand, now and as yours.

    Example: silt flush
    """
    with Context() as context:
        settled = files.flush(actor(context))
        context.state.shown.force("flush")
    for path in settled.edited:
        show(f"committed {path}")
    for said in settled.refused:
        note(said)
    if not settled.edited:
        show("there was nothing to commit")


def _tell(written: files.Written) -> None:
    if written.redacted:
        note("something in it looked like a secret and was left out")
    if written.file.remark:
        note(f"that it was read could not be noted: {written.file.remark}")
    file = written.file
    done = "unchanged" if written.commit is None else "created" if written.created else "changed"
    where = ", waits for `silt inbox accept`" if written.waiting else ", hot" if file.hot else ""
    show(f"{done}: {file.path} ({file.chars}/{file.limit}{where})")
