"""Commands that put Siltstone into the agents and take it out: install, uninstall, package."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from siltstone.agents import doors, installing
from siltstone.agents.hooks import AGENTS
from siltstone.agents.installed import Records
from siltstone.agents.installing import Change
from siltstone.agents.kept_out import GIT, keep_out
from siltstone.agents.pieces import Place
from siltstone.cli.install_told import tell, tell_shown
from siltstone.cli.output import note, show
from siltstone.cli.schedule import script, variables
from siltstone.cli.settings import Configured, configure
from siltstone.cli.tools.offered import Sets
from siltstone.store.disk import Disk
from siltstone.store.errors import Misuse, SettingsError, SiltError

Agents = Annotated[
    list[str] | None,
    typer.Argument(metavar="[AGENT]...", help=f"{', '.join(AGENTS)}, or all; else those that are there."),
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
    app.command("package")(write_package)


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
    agents = doors.chosen(agent, configured.environ, home)
    if not agents:
        raise SettingsError(f"none of {', '.join(AGENTS)} is here; name one to install in it all the same.")
    here = project_here(home) if project else None
    if project and here is None:
        raise Misuse(f"{home} is your home and no project: go into one, or leave --project out.")
    place = place_of(configured, here, tools or "")
    with at_work(configured, dry_run) as (records, disk):
        changes: list[Change] = []
        refused = _each(agents, lambda one: changes.extend(_install(one, place, records, disk, dry_run)))
        refused += _keep_out(place, changes, records, disk, dry_run, told=True)
    _refuse(refused)


def _install(agent: str, place: Place, records: Records, disk: Disk, dry_run: bool) -> list[Change]:
    door = doors.door(agent)
    if not doors.found(agent, place.environ, place.home):
        note(f"{door.TITLE} is not here yet ({door.PROGRAM} is not on PATH); it will find this when it comes")
    changes = installing.install(agent, place.project, door.pieces(place), records)
    tell(changes, whole=dry_run)
    copies = [] if dry_run else [c for _, c in installing.write(changes, records, disk) if c is not None]
    if not any(change.is_one for change in changes):
        show(f"{agent:<9} is installed, as before")
    else:
        show(f"{agent:<9} {'would be' if dry_run else 'is'} installed {_where(place.project)}")
    for copy in copies:
        show(f"{'':<9} what was there before: {copy}", style="dim")
    for remark in filter(None, (change.remark for change in changes)):
        show(f"{agent:<9} {remark}: ours is left out; rename that one and install again to have both")
    if not place.mcp:
        show(f"{agent:<9} without an MCP server: install siltstone[mcp], then run this again")
    for sentence in door.by_hand(place):
        show(f"{agent:<9} by hand: {sentence}")
    return changes


def uninstall_doors(
    agent: Agents = None, project: ForProject = False, user: ForUser = False, dry_run: Dry = False
) -> None:
    """Take Siltstone out of your agents again; the settings are as they were. Memories stay.

    Everywhere it was installed, unless --project (of this folder) or --user is given. A file that nobody
    changed since gets its old bytes back; from others our entries alone are taken.
    Example: silt uninstall claude
    """
    configured = configure()
    home = home_of(configured)
    doors.chosen(agent, configured.environ, home)  # refuses a name there is not
    agents = [one for one in AGENTS if not agent or doors.ALL in agent or one in agent]
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
                found = installing.uninstall(name, folder, doors.door(name).pieces(place), records)
                tell(found, whole=dry_run)
                if not dry_run:
                    list(installing.write(found, records, disk))
                changes.extend(found)

        refused = _each(agents, one)
        projects.update(Path(one.project) for one in records.all() if one.agent == GIT and one.project)
        for folder in sorted(projects):
            place = place_of(configured, folder)
            refused += _keep_out(place, changes, records, disk, dry_run, told=False)
    _tell_gone(changes, dry_run)
    _refuse(refused)


def _tell_gone(changes: list[Change], dry_run: bool) -> None:
    """What has become of each agent's settings, and what of ours stays in them."""
    gone = [change.agent for change in changes if change.is_one]
    for name in AGENTS:
        stays = dict.fromkeys(change.remark for change in changes if change.agent == name and change.remark)
        if name in gone:
            what = "without Siltstone, but:" if stays else "as it was before Siltstone"
            show(f"{name:<9} {'would be' if dry_run else 'is'} {what}")
        for remark in stays:
            show(f"{name:<9} {remark}")
    if not gone:
        show("nothing was installed")


def write_package(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help=f"One of {', '.join(AGENTS)}.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that is empty or not there.")],
    tools: Annotated[Sets, typer.Option("--tools", help="What the MCP server offers.")] = Sets.MEMORY,
) -> None:
    """Write an agent's own package form of Siltstone: a plugin, an extension.

    It calls `silt` from PATH, so it can be given to others who have it. Example: silt package claude ./out
    """
    if agent not in AGENTS:
        raise Misuse(f"there is no agent {agent!r}; there are {', '.join(AGENTS)}.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Misuse(f"{folder} is not empty: name another folder, so that nothing of yours is written over.")
    texts = doors.door(agent).package(("silt",), "" if tools is Sets.MEMORY else tools)
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    show(f"{folder} holds {len(texts)} files for {doors.door(agent).TITLE}")


def home_of(configured: Configured) -> Path:
    return Path(configured.environ.get("HOME") or Path.home())


def place_of(configured: Configured, project: Path | None, tools: str = "") -> Place:
    """For whom a door is made, and what it calls: this very silt, by its absolute path."""
    environ = configured.environ
    found = script(sys.argv[0], environ)
    # Without -P a `json.py` in somebody's repository would be ours to run.
    silt = (found,) if found else (sys.executable, "-P", "-m", "siltstone")
    told = {name: value for name, value in variables(configured).items() if name != "PATH"}
    return Place(environ, home_of(configured), project, silt, find_spec("mcp") is not None, told, tools)


def project_here(home: Path) -> Path | None:
    """The top of the repository that one stands in, else the folder itself; None at home, where the
    settings of a project would be those for all of them."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if folder != home and (folder / ".git").exists():
            return folder
    return None if here == home.resolve() else here


@contextmanager
def at_work(configured: Configured, dry: bool) -> Iterator[tuple[Records, Disk]]:
    """The records, with other installs kept away; of a dry run as they are. Raises Locked."""
    disk = Disk()
    records = Records(configured.places.state, disk)
    if dry:
        yield records, disk
        return
    handle = records.lock()
    try:
        yield records, disk
    finally:
        disk.unlock(handle)


def _each(agents: list[str], act: Callable[[str], None]) -> list[SiltError]:
    """Do it for each agent; those that refused, while the others are done all the same."""
    refused: list[SiltError] = []
    for agent in agents:
        try:
            act(agent)
        except SiltError as error:
            refused.append(error)
        except OSError as error:
            where = f"{error.filename} cannot be used ({error.strerror})"
            refused.append(SettingsError(f"{agent}: {where}; mend that, and run the same command again."))
    return refused


def _keep_out(
    place: Place, changes: list[Change], records: Records, disk: Disk, dry_run: bool, told: bool
) -> list[SiltError]:
    """Have git pass over what is ours in a project; `told`: say what it will show all the same."""
    project = place.project
    if project is None:
        return []

    def act(_: str) -> None:
        found, shown = keep_out(project, changes, records, place.environ, disk)
        tell(found, whole=dry_run)
        if not dry_run:
            list(installing.write(found, records, disk))
        if told:
            tell_shown(project, shown)

    return _each([GIT], act)


def _refuse(refused: list[SiltError]) -> None:
    """Say what was refused; the first of it ends the command. Raises SiltError."""
    for other in refused[1:]:
        note(str(other))
    if refused:
        raise refused[0]


def _where(project: Path | None) -> str:
    return "for you, in every project" if project is None else f"for {project}"
