"""Commands that put Siltstone into the agents and take it out."""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from siltstone.agents import git_exclude, install
from siltstone.agents.door import ALL, Place, chosen, door, found
from siltstone.agents.git_exclude import GIT
from siltstone.agents.hooks import AGENTS
from siltstone.agents.install import Change, Records
from siltstone.cli.door_place import at_work, home_of, place_of, project_here
from siltstone.cli.mcp import Sets
from siltstone.cli.note import note
from siltstone.cli.output import let_go, show
from siltstone.cli.settings import configure
from siltstone.pipeline.words import counted
from siltstone.store.disk import TEMP_PREFIX, Disk
from siltstone.store.errors import Misuse, RedactionError, SettingsError, SiltError
from siltstone.store.redaction import redact

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
    _show_changes(changes, whole=dry_run)
    copies = [] if dry_run else [c for _, c in install.write(changes, records, disk) if c is not None]
    _show_installed(agent, place, changes, copies, dry_run)
    for sentence in one.by_hand(place):
        _line(agent, f"by hand: {sentence}")
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
                _show_changes(taken, whole=dry_run)
                if not dry_run:
                    list(install.write(taken, records, disk))
                changes.extend(taken)

        refused = _each(agents, one)
        projects.update(Path(one.project) for one in records.all() if one.agent == GIT and one.project)
        for folder in sorted(projects):
            place = place_of(configured, folder)
            refused += _exclude(place, changes, records, disk, dry_run, tell=False)
    _show_gone(changes, dry_run)
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
            refused.append(SettingsError(f"{agent}: {where}; fix that and run the same command again."))
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
        _show_changes(excluded, whole=dry_run)
        if not dry_run:
            list(install.write(excluded, records, disk))
        if tell:
            _show_git(project, shown)

    return _each([GIT], act)


def _refuse(refused: list[SiltError]) -> None:
    """Say what was refused; the first of it ends the command. Raises SiltError."""
    for other in refused[1:]:
        note(str(other))
    if refused:
        raise refused[0]


def _say(text: str, style: str = "") -> None:
    """Who reads no further (`| head`) has the settings written all the same."""
    try:
        show(text, style)
    except (BrokenPipeError, SystemExit):  # the latter is what rich makes of it
        let_go()


def _line(agent: str, what: str) -> None:
    """One line about an agent."""
    _say(f"{agent:<9} {what}")


def _show_changes(made: Iterable[Change], whole: bool) -> None:
    """Each change as a diff; files that are ours alone by their name, unless all is wanted. A secret that
    stands beside a change is not for the screen."""
    for change in made:
        if change.is_one and change.is_of_us_alone and not (whole or (change.unrecorded and change.then)):
            _say(_named(change))
        elif change.is_one:
            try:
                _say(redact(change.diff).text)
            except RedactionError:
                _say(f"{change.path} changes; it is too long to be shown")


def _show_installed(
    agent: str, place: Place, made: Sequence[Change], copies: Sequence[Path], dry_run: bool
) -> None:
    """What has become of an agent; `copies`: the files as they were before."""
    if not any(change.is_one for change in made):
        _line(agent, "is installed, as before")
    else:
        where = "for you, in every project" if place.project is None else f"for {place.project}"
        _line(agent, f"{'would be' if dry_run else 'is'} installed {where}")
    for copy in copies:
        _say(f"{'':<9} what was there before: {copy}", style="dim")
    for change in (change for change in made if change.remark):
        more = ": ours is left out; rename that one or take it out and install again to have ours"
        _line(agent, f"{change.remark}{'' if change.edited else more}")
    if not place.mcp:
        _line(agent, "without an MCP server: install siltstone[mcp], then run this again")


def _show_gone(made: Sequence[Change], dry_run: bool) -> None:
    """What has become of each agent's settings, and what of ours stays in them."""
    agents = [change.agent for change in made if change.is_one]
    for name in AGENTS:
        of_it = [change for change in made if change.agent == name]
        stays = [*dict.fromkeys(change.remark for change in of_it if change.remark)]
        unrecorded = [change for change in of_it if change.unrecorded]
        empty = {folder for change in unrecorded if _is_empty(folder := _above(change.path))}
        stays += [f"{folder} is empty and stays: it may not be ours" for folder in sorted(empty)]
        if name in agents:
            before = "as it was before Siltstone"
            if unrecorded:
                before = "without Siltstone; how it was before is not known, as no record of that is left"
            what = "without Siltstone, but:" if stays and not unrecorded else before
            _line(name, f"{'would be' if dry_run else 'is'} {what}")
        for remark in stays:
            _line(name, remark)
    if not agents and not any(change.ours and change.remark for change in made):
        _say("nothing was installed")


def _show_git(project: Path, paths: Iterable[Path]) -> None:
    """The files of a project that git shows as changed."""
    for path in paths:
        name = path.relative_to(project)
        _say(f"{'git':<9} shows the change to {name}; it names the silt of this machine: do not commit it")


def _named(change: Change) -> str:
    what = "new file" if change.now is None else "gone:" if change.then is None else "renewed:"
    return f"{what} {change.path}, {counted(len((change.then or change.now or b'').splitlines()), 'line')}"


def _above(path: Path) -> Path:
    """The folder that a path is in, or that its folder was in which has gone."""
    return next(folder for folder in path.parents if folder.is_dir())


def _is_empty(folder: Path) -> bool:
    try:
        return not os.listdir(folder)
    except OSError:
        return False
