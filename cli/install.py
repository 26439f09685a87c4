"""Commands that put Siltstone into the agents and take it out."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from siltstone.agents import git_exclude, install
from siltstone.agents.door import ALL, Place, chosen, door, found
from siltstone.agents.git_exclude import GIT
from siltstone.agents.hooks import AGENTS
from siltstone.agents.install import Change
from siltstone.agents.install_records import Records
from siltstone.cli import install_output as output
from siltstone.cli.door_place import at_work, home_of, place_of, project_here
from siltstone.cli.output import note
from siltstone.cli.settings import configure
from siltstone.cli.tools.offered import Sets
from siltstone.store.disk import TEMP_PREFIX, Disk
from siltstone.store.errors import Misuse, SettingsError, SiltError

Agents = Annotated[
    list[str] | None,
    typer.Argument(metavar="[AGENT]...", help=f"{', '.join(AGENTS)}, or all; else those that are there."),
]
Installed = Annotated[
    list[str] | None,
    typer.Argument(metavar="[AGENT]...", help=f"{', '.join(AGENTS)}, or all; else all that have it."),
]
ForProject = Annotated[bool, typer.Option("--project", help="For the project of this folder alone.")]
ForUser = Annotated[bool, typer.Option("--user", help="For you, in every project.")]
Dry = Annotated[bool, typer.Option("--dry-run", help="Show all that would be written, and write nothing.")]
Tools = Annotated[
    Sets | None,
    typer.Option("--tools", help="What the MCP server offers; else what it was installed with, or memory."),
]


def register(app: typer.Typer) -> None:
    """Add these commands to the application."""
    app.command("install")(install_doors)
    app.command("uninstall")(uninstall_doors)


def install_doors(
    agent: Agents = None,
    project: ForProject = False,
    user: ForUser = False,
    dry_run: Dry = False,
    tools: Tools = None,
) -> None:
    """Put Siltstone into your agents: hooks, `/silt` commands and the MCP server.

    For you in every project, unless --project is given. Only entries of our own are written into an agent's
    settings; the change is shown, and a copy of each file is kept beside the state. Installed again, it is
    brought up to date. Example: silt install claude --dry-run
    """
    if project and user:
        raise Misuse("--project and --user are two things: give one, or run it twice.")
    configured = configure()
    home = home_of(configured)
    agents = chosen(agent, configured.environ, home)
    if not agents:
        raise SettingsError(f"none of {', '.join(AGENTS)} is here; name one to install in it all the same.")
    here = project_here(home) if project else None
    if project and here is None:
        raise Misuse(f"{home} is your home and no project: go into one, or leave --project out.")
    place = place_of(configured, here, tools or "")
    with at_work(configured, dry_run) as (records, disk):
        changes: list[Change] = []
        refused = _each(agents, lambda one: changes.extend(_install(one, place, records, disk, dry_run)))
        refused += _exclude(place, changes, records, disk, dry_run, tell=True)
    _refuse(refused)


def _install(agent: str, place: Place, records: Records, disk: Disk, dry_run: bool) -> list[Change]:
    one = door(agent)
    if not found(agent, place.environ, place.home):
        note(f"{one.TITLE} is not here yet ({one.PROGRAM} is not on PATH); it will find this once it is")
    changes = install.install(agent, place.project, one.pieces(place), records)
    output.changes(changes, whole=dry_run)
    copies = [] if dry_run else [c for _, c in install.write(changes, records, disk) if c is not None]
    output.installed(agent, place, changes, copies, dry_run)
    for sentence in one.by_hand(place):
        output.line(agent, f"by hand: {sentence}")
    return changes


def uninstall_doors(
    agent: Installed = None, project: ForProject = False, user: ForUser = False, dry_run: Dry = False
) -> None:
    """Take Siltstone out of your agents again; the settings are as they were. Memories stay.

    Everywhere it was installed, unless --project (of this folder) or --user is given. A file that nobody
    changed since gets its old bytes back; from others our entries alone are taken.
    Example: silt uninstall claude
    """
    configured = configure()
    home = home_of(configured)
    chosen(agent, configured.environ, home)  # refuses a name there is not
    agents = [one for one in AGENTS if not agent or ALL in agent or one in agent]
    here = project_here(home)
    nearby = [] if here is None else [here]
    with at_work(configured, dry_run) as (records, disk):
        changes: list[Change] = []
        projects: set[Path] = set(nearby)

        def one(name: str) -> None:
            known = {record.project for record in records.all() if record.agent == name}
            elsewhere = [Path(path) for path in sorted(path for path in known if path)]
            within = [] if user else [*nearby] if project else [*elsewhere, *nearby]
            projects.update(within)
            for folder in dict.fromkeys([*within, *([] if project else [None])]):
                place = place_of(configured, folder)
                taken = install.uninstall(name, folder, door(name).pieces(place), records)
                output.changes(taken, whole=dry_run)
                if not dry_run:
                    list(install.write(taken, records, disk))
                changes.extend(taken)

        refused = _each(agents, one)
        projects.update(Path(one.project) for one in records.all() if one.agent == GIT and one.project)
        for folder in sorted(projects):
            place = place_of(configured, folder)
            refused += _exclude(place, changes, records, disk, dry_run, tell=False)
    output.gone(changes, dry_run)
    _refuse(refused)


def _each(agents: list[str], act: Callable[[str], None]) -> list[SiltError]:
    """Do it for each agent; those that refused, while the others are done all the same."""
    refused: list[SiltError] = []
    for agent in agents:
        try:
            act(agent)
        except SiltError as error:
            refused.append(error)
        except OSError as error:
            file = Path(os.fsdecode(error.filename or ""))
            where = f"{file} cannot be used ({error.strerror})"
            if file.name.startswith(TEMP_PREFIX):
                where = f"nothing can be written in {file.parent} ({error.strerror})"
            refused.append(SettingsError(f"{agent}: {where}; mend that, and run the same command again."))
    return refused


def _exclude(
    place: Place, changes: list[Change], records: Records, disk: Disk, dry_run: bool, tell: bool
) -> list[SiltError]:
    """Keep what is ours in a project out of its git; `tell`: say what git shows all the same."""
    project = place.project
    if project is None:
        return []

    def act(_: str) -> None:
        excluded, shown = git_exclude.exclude(project, changes, records, place.environ, disk)
        output.changes(excluded, whole=dry_run)
        if not dry_run:
            list(install.write(excluded, records, disk))
        if tell:
            output.shown_by_git(project, shown)

    return _each([GIT], act)


def _refuse(refused: list[SiltError]) -> None:
    """Say what was refused; the first of it ends the command. Raises SiltError."""
    for other in refused[1:]:
        note(str(other))
    if refused:
        raise refused[0]
