"""The commands that add Siltstone to agents and remove it."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from siltstone.agents import git_exclude, install
from siltstone.agents.codex.door import approval
from siltstone.agents.door import ALL, DOORS, Place, chosen, found
from siltstone.agents.git_exclude import GIT
from siltstone.agents.hooks import AGENTS
from siltstone.agents.install import Change, Records
from siltstone.agents.settings_toml import settings_in
from siltstone.cli.first_steps import first_steps
from siltstone.cli.note import let_go, note
from siltstone.cli.options import DryRun, Sets
from siltstone.cli.output import show
from siltstone.cli.review import can_ask
from siltstone.cli.schedule import script, variables
from siltstone.cli.settings import Configured, configure
from siltstone.pipeline.words import counted
from siltstone.store.disk import Disk
from siltstone.store.errors import Misuse, RedactionError, SettingsError, SiltError
from siltstone.store.places import home_folder
from siltstone.store.redaction import redact

Agents = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[AGENT]...", help=f"{', '.join(AGENTS)}, or all; by default every one that is found here."
    ),
]
ForProject = Annotated[bool, typer.Option("--project", help="Only for this folder's project.")]
ForUser = Annotated[bool, typer.Option("--user", help="For you, in every project.")]
Tools = Annotated[
    Sets | None,
    typer.Option(
        "--tools", help="What the MCP server offers; by default what it was installed with, or memory."
    ),
]
Diff = Annotated[bool, typer.Option("--diff", help="Show the change to each file.")]

app = typer.Typer()


@app.command("install")
def install_doors(
    agent: Agents = None,
    project: ForProject = False,
    user: ForUser = False,
    dry_run: DryRun = False,
    tools: Tools = None,
    diff: Diff = False,
) -> None:
    """Add Siltstone to your agents: hooks, `/silt` commands and the MCP server.

    For you in every project, unless --project is given. Only its own entries in an agent's settings are
    written, and a copy of each file is kept beside the state. Run it again to update. On a terminal it then
    asks who should find what is worth remembering, and offers to read past sessions.
    Example: silt install claude --dry-run
    """
    if project and user:
        raise Misuse("--project and --user exclude each other: give one, or run it twice.")
    configured = configure()
    home = Path(home_folder(configured.environ))
    agents = chosen(agent, configured.environ)
    if not agents:
        raise SettingsError(f"none of {', '.join(AGENTS)} was found; name one to install for it anyway.")
    here = project_here(home) if project else None
    if project and here is None:
        raise Misuse(f"{home} is your home folder, not a project: go to one, or omit --project.")
    place = place_of(configured, here, tools or "")
    asks, work = can_ask() and not dry_run, Work(configured, dry_run, diff)
    try:
        with work.begun():
            for one in agents:
                with work.trying(one):
                    work.install(one, place)
            for path in work.exclude(place):
                what = f"shows the change to {path.relative_to(here or home)}"
                _line(GIT, f"{what}; it contains this machine's path to silt: do not commit it")
        if asks:
            first_steps(configured)
    finally:  # behind the questions, where it is still seen; and if an agent was refused, or at Ctrl-C
        for sentence in work.by_hand:
            _say(f"by hand: {sentence}", style="yellow")
    if not dry_run:
        then = "work as before; `silt` shows what it kept" if asks else "`silt run` reads past ones"
        _say(f"next: start a new agent session{' and' if asks else ';'} {then}", style="bold")


@app.command("uninstall")
def uninstall_doors(
    agent: Agents = None,
    project: ForProject = False,
    user: ForUser = False,
    dry_run: DryRun = False,
    diff: Diff = False,
) -> None:
    """Remove Siltstone from your agents; their settings are as they were before. Memories stay.

    Everywhere it was installed, unless --project (this folder's) or --user is given. A file that nobody has
    changed since gets its old bytes back; from others only Siltstone's entries are removed.
    Example: silt uninstall claude
    """
    if project and user:
        raise Misuse("--project and --user exclude each other; give one, or neither for everywhere.")
    configured = configure()
    chosen(agent, configured.environ)  # refuses a name there is not
    nearby = [one for one in [project_here(Path(home_folder(configured.environ)))] if one]
    with Work(configured, dry_run, diff).begun() as work:
        projects: set[Path] = set(nearby)
        for name in [one for one in AGENTS if not agent or ALL in agent or one in agent]:
            recorded = {one.project for one in work.records.all() if one.agent == name}
            elsewhere = [Path(path) for path in sorted(path for path in recorded if path)]
            within = [] if user else nearby if project else [*elsewhere, *nearby]
            projects.update(within)
            with work.trying(name):
                for folder in dict.fromkeys([*within, *([] if project else [None])]):
                    pieces = DOORS[name].pieces(place_of(configured, folder))
                    taken = install.uninstall(name, folder, pieces, work.records)
                    work.write(taken)
                    work.changes += taken
        projects.update(Path(one.project) for one in work.records.all() if one.agent == GIT and one.project)
        for folder in sorted(projects):
            work.exclude(place_of(configured, folder))
        _show_gone(work, dry_run)


def place_of(configured: Configured, project: Path | None, tools: str = "") -> Place:
    """For whom a door is made, and what it calls: this silt, by its absolute path."""
    environ = configured.environ
    found = script(sys.argv[0], environ)
    # Without -P a `json.py` in somebody's repository would be ours to run.
    silt = (found,) if found else (sys.executable, "-P", "-m", "siltstone")
    told = {name: value for name, value in variables(configured).items() if name != "PATH"}
    return Place(environ, project, silt, find_spec("mcp") is not None, told, tools)


def project_here(home: Path) -> Path | None:
    """The top of the repository that the folder is in, else the folder itself; None at home, where a
    project's settings would be those for all projects."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if folder != home and (folder / ".git").exists():
            return folder
    return None if here == home.resolve() else here


class Work:
    """Doors being put in or taken out: each change is made, unless this is a dry run; that, or `diff`, shows
    it."""

    def __init__(self, configured: Configured, dry_run: bool, diff: bool = False) -> None:
        self.dry_run, self.diff, self.disk = dry_run, diff, Disk()
        self.records = Records(configured.places.state, self.disk)
        self.changes: list[Change] = []
        """The changes to agents' files that were made, or would be."""
        self.refused: list[SiltError] = []
        self.by_hand: list[str] = []
        """What the user must still do."""

    @contextmanager
    def begun(self) -> Iterator["Work"]:
        """Holds the install lock. Refusals are reported at the end; the first one is raised.
        Raises SiltError."""
        handle = None if self.dry_run else self.records.lock()
        try:
            yield self
        finally:
            if handle is not None:
                self.disk.unlock(handle)
        note(*map(str, self.refused[1:]))
        if self.refused:
            raise self.refused[0]

    @contextmanager
    def trying(self, agent: str) -> Iterator[None]:
        """If one agent's files fail, the others are still dealt with."""
        try:
            yield
        except SiltError as error:
            self.refused.append(error)
        except OSError as error:
            where = f"{os.fsdecode(error.filename or '')} cannot be used ({error.strerror})"
            self.refused.append(SettingsError(f"{agent}: {where}; fix that and run the same command again."))

    def write(self, changes: Sequence[Change]) -> list[Path]:
        """Make the changes; returns the copies of what was there before. A change whose author is unknown is
        always shown."""
        shown = self.dry_run or self.diff
        _show_changes([one for one in changes if shown or one.unrecorded], whole=self.dry_run)
        written = () if self.dry_run else install.write(changes, self.records, self.disk)
        return [copy for _, copy in written if copy is not None]

    def install(self, agent: str, place: Place) -> None:
        """Install the door for an agent, and print the outcome. Raises SettingsError, Stale, OSError."""
        one = DOORS[agent]
        if not found(agent, place.environ):
            note(f"{one.title} is not installed yet ({agent} is not on PATH); this will work once it is")
        changes = install.install(agent, place.project, one.pieces(place), self.records)
        copies = self.write(changes)
        self.changes += changes
        if not any(change.is_one for change in changes):
            _line(agent, "Siltstone is already installed")
        else:
            where = "for you, in every project" if place.project is None else f"for {place.project}"
            files = counted(sum(change.is_one for change in changes), "file")
            shown = "" if self.dry_run or self.diff else f" ({files}; --diff shows them)"
            _line(agent, f"Siltstone {'would be' if self.dry_run else 'is'} installed {where}{shown}")
        for copy in copies if self.diff else ():
            _say(f"{'':<9} the old file is kept as {copy}", style="dim")
        for change in (change for change in changes if change.remark):
            more = ": Siltstone's is not installed; rename or remove that one and install again to get it"
            _line(agent, f"{change.remark}{'' if change.edited else more}")
        if not place.mcp:
            _line(agent, "without the MCP server: install siltstone[mcp], then run this again")
        if one.asks_trust and place.project:
            self.by_hand.append(f"trust {place.project} in {one.title}, or it will not read these settings")
        if agent == "codex":
            settings = settings_in(one.folder(place.environ) / "config.toml")
            hooks = (changes[0].then or b"").decode("utf-8-sig")
            if told := approval(one.pieces(place)[0].path, hooks, settings):
                self.by_hand.append(told)

    def exclude(self, place: Place) -> list[Path]:
        """Keep our files in a project out of its git; returns those that git shows anyway."""
        shown: list[Path] = []
        if place.project is not None:
            with self.trying(GIT):
                excluded, shown = git_exclude.exclude(
                    place.project, self.changes, self.records, place.environ, self.disk
                )
                self.write(excluded)
        return shown


def _say(text: str, style: str = "") -> None:
    """If the reader stops (`| head`), the settings are still written."""
    try:
        show(text, style=style)
    except BrokenPipeError:
        let_go()


def _line(agent: str, what: str) -> None:
    _say(f"{agent:<9} {what}")


def _show_changes(made: Iterable[Change], whole: bool) -> None:
    """Each change as a diff; files of ours only by name, unless `whole`. A secret near a change is not
    printed."""
    for change in (change for change in made if change.is_one):
        if change.ours and change.without is None and not (whole or (change.unrecorded and change.then)):
            what = "new file" if change.now is None else "gone:" if change.then is None else "renewed:"
            lines = (change.then or change.now or b"").splitlines()
            _say(f"{what} {change.path}, {counted(len(lines), 'line')}")
            continue
        try:
            _say(redact(change.diff).text)
        except RedactionError:
            _say(f"{change.path} changes; it is too long to be shown")


def _show_gone(work: Work, dry_run: bool) -> None:
    """What was done to each agent's settings, and which of our entries remain."""
    made = work.changes
    agents = [change.agent for change in made if change.is_one]
    for name in AGENTS:
        of_it = [change for change in made if change.agent == name]
        stays = [*dict.fromkeys(change.remark for change in of_it if change.remark)]
        unrecorded = [change for change in of_it if change.unrecorded]
        above = {next(one for one in change.path.parents if one.is_dir()) for change in unrecorded}
        empty = sorted(one for one in above if not any(one.iterdir()))
        stays += [f"{one} is empty and stays: it may be somebody else's" for one in empty]
        if name in agents:
            before = "as it was before Siltstone"
            if unrecorded:
                before = "without Siltstone; its earlier state is unknown, because no record of it is left"
            what = "without Siltstone, but:" if stays and not unrecorded else before
            _line(name, f"{'would be' if dry_run else 'is'} {what}")
        for remark in stays:
            _line(name, remark)
    if not agents and not work.refused and not any(change.ours and change.remark for change in made):
        _say("nothing was installed")
