"""`silt purge`, which cannot be undone. History is `store/purge.py`, the rest `pipeline/purging.py`."""

import os
from collections.abc import Callable
from typing import Annotated

import typer

from siltstone.cli.context import Context, now
from siltstone.cli.note import note
from siltstone.cli.output import show
from siltstone.cli.rebuild import rebuild, scrub
from siltstone.cli.scopes import named
from siltstone.pipeline.purging import erase
from siltstone.store.entry import GLOBAL
from siltstone.store.errors import Misuse
from siltstone.store.history import history
from siltstone.store.projects import Projects


def register(app: typer.Typer) -> None:
    """Add this command to the application."""
    app.command("purge")(purge_memories)


def purge_memories(
    name: Annotated[str | None, typer.Argument(help="A memory's name, file name or path, whole.")] = None,
    project: Annotated[str | None, typer.Option("--project", help="Everything of a project.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Take memories out of the store and out of its whole git history. This cannot be undone.

    Example: silt purge --project larkspur
    """
    if (name is None) == (project is None):
        raise Misuse("give a memory's name, or --project with a project's folder name.")
    with Context() as context:
        paths = _places(context, name, project)
        show("These will be gone from every commit, and cannot be brought back:")
        for path in paths:
            show(f"  {path}")
        if not yes and not typer.confirm("Rewrite the store's history?"):
            show("nothing was changed")
            return
        within = _within(context, project)
        purged = erase(context.store, context.state, paths, context.scope(project), now, within)
        rebuild(context)
        left = scrub(context)
    show(
        f"{len(purged.paths)} files are gone from {purged.commits} commits, {purged.objects} contents deleted"
    )
    for sentence in left:
        note(sentence)
    for path in purged.shared:
        note(f"the content of {path} is also in another file, so it is still there")
    for remote in purged.remotes:
        note(f"the remote {remote!r} still holds it: git push --force there, and clone other copies anew")


def _places(context: Context, name: str | None, project: str | None) -> list[str]:
    """Every path a memory ever had, or a project's folder."""
    if project is not None:
        scope = context.scope(project)
        if scope in (None, GLOBAL):
            raise Misuse("--project takes a project's folder name, not the global scope.")
        waiting = [s.path for s in context.store.inbox() if s.entry.scope == scope]
        return [f"{scope}/", *waiting]
    store = context.store
    stored = named(context, store.resembling(name or ""), name or "")
    told = {touched.path for commit in history(store, stored.path) for touched in commit.touched}
    ours = stored.path.rpartition("/")[2]
    return sorted({stored.path, *(path for path in told if path.rpartition("/")[2] == ours)})


def _within(context: Context, project: str | None) -> Callable[[str], bool]:
    """Whether a session worked in a folder of the project."""
    known = Projects.load(context.store.root).known() if project is not None else {}
    places = [mark.value for mark in known.get(context.scope(project) or "", ()) if mark.kind == "path"]
    return lambda folder: any(folder == place or folder.startswith(place + os.sep) for place in places)
