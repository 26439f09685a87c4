"""`silt init`: a first look at a project's own files (docs/seeds.md E5, E6, E20)."""

import os
from pathlib import Path
from typing import Annotated

import typer

from siltstone.cli.context import Context, now
from siltstone.cli.options import DryRun
from siltstone.cli.output import show
from siltstone.cli.parts import meet, one_brief, rebuild
from siltstone.pipeline.reading.backlog import excluded
from siltstone.recall.brief import TRIGGERS, shown, triggers
from siltstone.store.entry import GLOBAL
from siltstone.store.errors import Misuse
from siltstone.store.history import next_run
from siltstone.store.places import home_folder
from siltstone.store.repository import find_repository

app = typer.Typer()


@app.command("init")
def init_project(
    path: Annotated[Path | None, typer.Argument(help="The project's folder; by default this one.")] = None,
    dry_run: DryRun = False,
) -> None:
    """Make a folder a project of the store, and quote its README and manifests to agents.

    The quotes are marked as such and are not memories. `silt run` does the same for every project it meets,
    and renews the quotes. The setting `init_mode` turns this on or off.
    Example: silt init ~/src/larkspur --dry-run
    """
    with Context(makes=True, dry=dry_run) as context:
        folder = _top(context, path)
        scope = context.scopes.of(folder)
        if scope == GLOBAL:
            raise Misuse(f"{folder} is your home folder or not a project; name a project's folder.")
        brief = one_brief(context.configured, folder, now())
        if not dry_run:
            meet(context, [scope], next_run(context.store, context.state))
            rebuild(context, anew=True)  # its files are read again
    show(f"{scope}: {folder}")
    show("its files hold nothing to quote" if brief is None else shown(brief))


def _top(context: Context, path: Path | None) -> str:
    """The project's top folder; Misuse for a folder of no project, or one that must never be read."""
    named = os.path.expanduser(path or context.cwd)
    if not os.path.isdir(named):
        raise Misuse(f"there is no folder {named or 'here any more'}; name a project's folder.")
    given = os.path.realpath(named)
    home = os.path.realpath(home_folder(context.configured.environ))
    found = find_repository(given, {home, "/"})
    folder = given if found is None else found.top
    if excluded(folder, context.configured.settings.exclude):
        raise Misuse(f"{folder} is excluded in your settings; take it out of `exclude` first.")
    if not triggers(folder):
        lacks = f"it has none of {', '.join(TRIGGERS)}"
        raise Misuse(f"{folder} does not look like a project ({lacks}); name a project's folder.")
    return folder
