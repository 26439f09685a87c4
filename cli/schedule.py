"""`silt schedule`: let the system's own scheduler run the batches, instead of a process that keeps
running."""

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from siltstone.cli.context import Context
from siltstone.cli.models import Models, keys, names
from siltstone.cli.note import note
from siltstone.cli.output import show
from siltstone.cli.schedulers import ALL, MINUTES, Job, Scheduler, present
from siltstone.cli.settings import Configured, configure
from siltstone.store.errors import Misuse, ScheduleError

LOG = "schedule.log"
"""In the state folder."""
PLACES = (
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "GEMINI_CLI_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "XDG_CONFIG_HOME",
)
"""Variables that say where things are and that a scheduler is given, besides our own."""
PROGRAMS = ("/usr/local/bin", "/usr/bin", "/bin")

HELP = """Have your system run a batch every 15 minutes: systemd, launchd or cron.

Example: silt schedule install
"""
app = typer.Typer(name="schedule", no_args_is_help=True, help=HELP)

With = Annotated[
    str | None,
    typer.Option("--with", metavar="NAME", help=f"{', '.join(ALL)}; by default this system's own."),
]


@app.command("print")
def print_it(with_: With = None) -> None:
    """Show what `install` would write, without changing anything.

    Example: silt schedule print --with cron
    """
    configured = configure()
    for where, text in scheduler_of(configured, with_).files(job_of(configured)).items():
        show(f"# {where}", style="dim")
        sys.stdout.write(text)  # as it is, tabs too


@app.command("install")
def install(with_: With = None) -> None:
    """Have a batch run every 15 minutes. Run it again to update the job.

    Example: silt schedule install
    """
    configured = configure()
    scheduler, job = scheduler_of(configured, with_), job_of(configured)
    changed = scheduler.install(job)
    show(f"{scheduler.name} runs {job.script} every {MINUTES} minutes{'' if changed else ', as before'}")
    note(*remarks(configured, scheduler))


@app.command("remove")
def remove(with_: With = None) -> None:
    """Remove what `install` made, and nothing else.

    Example: silt schedule remove
    """
    configured = configure()
    removed, refused = list[str](), list[Exception]()
    for scheduler in [scheduler_of(configured, with_)] if with_ else present(configured.environ):
        try:
            removed += [scheduler.name] if scheduler.remove(configured.places.state / LOG) else []
        except (ScheduleError, OSError) as error:
            refused.append(error)  # the others are asked all the same
    for name in removed:
        show(f"{name} no longer runs batches")
    if refused:
        raise refused[0]
    if not removed:
        show("nothing was scheduled")


def scheduler_of(configured: Configured, name: str | None) -> Scheduler:
    """The scheduler of that name, else the usual one. Raises Misuse when there is none."""
    name = name or usual(sys.platform, configured.environ)
    if name not in ALL:
        raise Misuse(f"there is no scheduler {name!r}; it is one of {', '.join(ALL)}.")
    return ALL[name](configured.environ)


def usual(platform: str, environ: Mapping[str, str]) -> str:
    """The scheduler that this kind of system uses."""
    if platform == "darwin":
        return "launchd"
    booted = os.path.isdir("/run/systemd/system")
    return "systemd" if booted and shutil.which("systemctl", path=environ.get("PATH")) else "cron"


def job_of(configured: Configured) -> Job:
    """A batch as this user runs it. Raises ScheduleError when `silt` is not installed as a script."""
    found = script(sys.argv[0], configured.environ)
    if found is None:
        raise ScheduleError(
            "silt is not installed as a script that a scheduler could call: `pipx install` it, then try again"
        )
    return Job(found, variables(configured), configured.places.state / LOG)


def script(called: str, environ: Mapping[str, str]) -> str | None:
    """The absolute path of the installed `silt`: the one that was called, else this Python's, else PATH's."""
    beside = Path(sys.executable).parent / "silt"
    for found in (called, str(beside), shutil.which("silt", path=environ.get("PATH"))):
        if found and Path(found).name == "silt" and os.access(found, os.X_OK):
            return os.path.abspath(found)
    return None


def variables(configured: Configured) -> dict[str, str]:
    """The variables set here that tell a batch where things are. Never a key."""
    environ, places = configured.environ, configured.places
    ours = {"SILT_HOME": places.store, "SILT_STATE": places.state, "SILT_CONFIG": places.config}
    given = {name: str(place) for name, place in ours.items() if environ.get(name)}
    given |= {name: os.path.abspath(environ[name]) for name in PLACES if environ.get(name)}
    git = shutil.which("git", path=environ.get("PATH"))
    folders = [os.path.dirname(git)] if git and os.path.isabs(git) else []
    return {"PATH": ":".join(dict.fromkeys([*folders, *PROGRAMS])), **given}


def remarks(configured: Configured, scheduler: Scheduler) -> Iterator[str]:
    """What the user should know: a scheduler does not see this shell's variables."""
    for field, origin in configured.origin.items():
        if origin not in ("default", "file"):
            yield f"{origin} is set only in this shell: write `{field} = …` into {configured.places.config}"
    wanted = names(configured.settings, None)
    if wanted.extract is None and wanted.compact is None:
        return
    for key in keys(configured):
        yield f"{scheduler.name} does not know {key}: docs/watching.md says where to put it"
    with Context(configured) as context:
        if not Models(context, wanted).has_agreed():
            yield "you have not agreed to the model yet: run `silt run --yes` once"
