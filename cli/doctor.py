"""`silt doctor`: whether everything that runs and agents need is in place."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import typer

from siltstone import __version__
from siltstone.cli import doctor_agents
from siltstone.cli.context import Context
from siltstone.cli.doctor_agents import Finding
from siltstone.cli.models import Models, key_alone, keys, names
from siltstone.cli.options import Json, Roots
from siltstone.cli.output import emit_json, show_styled
from siltstone.cli.parts import readers
from siltstone.cli.settings import survey
from siltstone.cli.terminal import progress
from siltstone.pipeline.messages import Reader
from siltstone.pipeline.words import counted
from siltstone.store.disk import TEMP_PREFIX, TEMP_SUFFIX, Disk
from siltstone.store.errors import Locked, SiltError, StoreError
from siltstone.store.git import Git

LEAST_FINDINGS = 16
"""How many there are when no agent is here."""

app = typer.Typer()


@app.command("doctor")
def run_doctor(root: Roots = None, json: Json = False) -> None:
    """Check what a run and the agents need: git, store, state, transcripts, model, hooks, MCP server.

    Each hook in an agent's settings is called once, in a session of which nothing is kept.
    Exit status 1 when something is wrong. Example: silt doctor
    """
    configured = survey()
    read_by = readers(configured, root)
    findings: list[Finding] = []
    with (
        Context(configured, dry=True) as context,
        progress(quiet=json) as tell,
    ):  # it makes nothing
        expected = LEAST_FINDINGS + doctor_agents.hooks(configured)
        for found in _examine(context, read_by):
            findings.append(found)
            done = len(findings) + sum(one.calls for one in findings)
            tell("checking", done, max(expected, done + 1), found.what)
            if not json:
                _print(found)
    if json:
        emit_json([{"what": f.what, "good": f.good, "told": f.told} for f in findings])
    elif bad := sum(not found.good for found in findings):
        show_styled([(f"{counted(bad, 'thing')} to do: each line marked BAD or TODO says how", "yellow")])
    elif any(found.what.endswith(" hooks") for found in findings):
        show_styled([("everything works", "green")])
    else:
        told = "nothing is wrong, but Siltstone is not connected to any agent yet: run `silt install`"
        show_styled([(told, "yellow")])
    if not all(found.good for found in findings):
        raise typer.Exit(1)


def _print(found: Finding) -> None:
    mark, style = ("ok", "green") if found.good else ("TODO", "yellow") if found.todo else ("BAD", "red")
    what = found.what.replace(" door", " install")
    if found != Finding("plain", True, _found(0)):  # which nobody has to have
        show_styled([(f"{mark:<4} {what:<16} {found.told}", style)], words=1)


def _examine(context: Context, read_by: Sequence[Reader]) -> Iterator[Finding]:
    for complaint in context.configured.complaints:
        yield Finding("config", False, complaint)
    if not context.configured.complaints:
        path = context.configured.places.config
        yield Finding(
            "config", True, str(path) if path.exists() else f"{path} does not exist: defaults apply"
        )
    yield Finding("siltstone", True, __version__)
    yield _tried("git", _git)
    yield _tried("store", partial(_store, context))
    yield (state := _tried("state", partial(_state, context)))
    for reader in read_by:
        yield _tried(reader.agent, partial(_transcripts, reader))
    yield _tried("model", partial(_model, context))
    if state.good:
        yield from doctor_agents.look(context.configured)
    else:  # each hook and each record would say the same
        told = "not checked, because they need the state folder: run `silt doctor` again once it works"
        yield Finding("agents", False, told, todo=True)


def _tried(what: str, look: Callable[[], str]) -> Finding:
    """What a check found. It raises SiltError or OSError if something is wrong."""
    try:
        return Finding(what, True, look())
    except SiltError as error:
        return Finding(what, False, str(error))
    except OSError as error:
        return Finding(what, False, f"{error.filename or what} cannot be used ({error.strerror}); fix that")


def _git() -> str:
    major, minor = Git(Path("/"), Disk()).version()
    return f"{major}.{minor} at {shutil.which('git')}"


def _store(context: Context) -> str:
    if not context.configured.places.has_store:
        return _unmade("store", context.configured.places.store)
    store = context.store
    check_writable(store.root, Disk())
    count = sum(store.counts().values())
    if store.lacks is not None:
        raise StoreError(store.lacks)
    with suppress(Locked), store.locked(0):
        if locks := store.git.locks():
            raise StoreError(
                f"a git process holds {locks[0]}: wait for it; if none is running, remove that file"
            )
    if complaints := store.complaints:
        raise StoreError(f"{counted(len(complaints), 'file')} left out; the first: {complaints[0]}")
    return f"{counted(count, 'memory')} in {store.root}"


def _state(context: Context) -> str:
    place = context.configured.places.state
    if not place.is_dir():
        return _unmade("state", place)
    check_writable(place, Disk())  # before the database, which tells less
    if complaints := context.state.complaints:
        raise StoreError(complaints[0])
    return str(place)


def _unmade(what: str, place: Path) -> str:
    """For a folder that does not exist yet and could be created. Raises StoreError."""
    check_writable(next(folder for folder in place.parents if folder.is_dir()), Disk())
    return f"no {what} yet: the first run creates it in {place}"


def check_writable(folder: Path, disk: Disk) -> None:
    """Try to write in a folder. Raises StoreError, saying why that failed and what to do."""
    probe = folder / f"{TEMP_PREFIX}doctor{TEMP_SUFFIX}"
    try:
        disk.write(probe, b"silt doctor\n")
        disk.unlink(probe)
    except OSError as error:
        what = "free some space, make it writable, or choose another place (`silt config`)"
        raise StoreError(f"cannot write in {folder} ({error.strerror}); {what}") from None


def _transcripts(reader: Reader) -> str:
    return _found(sum(1 for _ in reader.discover()))


def _found(transcripts: int) -> str:
    return f"{counted(transcripts, 'transcript')} found"


def _model(context: Context) -> str:
    wanted, there = names(context.configured.settings, None), keys(context.configured)
    told, models = ", ".join(wanted.all), Models(context, wanted)
    models.check()
    if not told:
        unnamed = there and context.configured.settings.model is None
        return key_alone(there[0]) if unnamed else "none: the embedded rules do the work, nothing is sent"
    if lacking := models.lacks():
        raise StoreError(lacking)
    if not models.has_agreed():
        raise StoreError(f"{told}: not agreed to yet, so runs wait; `silt run` says what would be sent")
    return told
