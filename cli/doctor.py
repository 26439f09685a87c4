"""`silt doctor`: whether everything is there that runs and the agents' doors need."""

import errno
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import typer

from siltstone import __version__
from siltstone.cli import doctor_agents
from siltstone.cli.consent import missing
from siltstone.cli.context import Context
from siltstone.cli.doctor_agents import Finding
from siltstone.cli.models import key_alone, keys, names, see_agents
from siltstone.cli.options import Json, Roots
from siltstone.cli.output import emit_json, show
from siltstone.cli.parts import readers
from siltstone.cli.settings import Surveyed, survey
from siltstone.pipeline.messages import Reader
from siltstone.pipeline.words import counted
from siltstone.store.disk import TEMP_PREFIX, TEMP_SUFFIX, Disk
from siltstone.store.errors import SiltError

_FULL = "the disk is full; free some space"
_NO_RIGHT = "you have no right to; give yourself that right, or name another place (`silt config`)"
_WHY = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EACCES: _NO_RIGHT,
    errno.EPERM: _NO_RIGHT,
    errno.EROFS: "it is on a disk that can only be read; name another place (`silt config`)",
}


def register(app: typer.Typer) -> None:
    """Add this command to the application."""
    app.command("doctor")(run_doctor)


def run_doctor(root: Roots = None, json: Json = False) -> None:
    """Check what a run and the agents need: git, store, state, transcripts, model, hooks, MCP server.

    Each hook that stands in an agent's settings is called once, in a session that nothing is kept of.
    Exit status 1 when something is wrong. Example: silt doctor
    """
    surveyed = survey()
    with Context(surveyed.configured, dry=True) as context:  # a check makes nothing
        findings = [*_config(surveyed), *_examine(context, root), *doctor_agents.look(surveyed.configured)]
    if json:
        emit_json([{"what": f.what, "good": f.good, "told": f.told} for f in findings])
    else:
        for found in findings:
            show(f"{'ok ' if found.good else 'BAD'}  {found.what:<14} {found.told}")
    if not all(found.good for found in findings):
        raise typer.Exit(1)


def _config(surveyed: Surveyed) -> Iterator[Finding]:
    """The config file: every setting that will not do."""
    for complaint in surveyed.complaints:
        yield Finding("config", False, complaint)
    if not surveyed.complaints:
        path = surveyed.configured.places.config
        yield Finding("config", True, str(path) if path.exists() else f"{path} is not there: all defaults")


def _examine(context: Context, root: list[str] | None) -> Iterator[Finding]:
    yield Finding("siltstone", True, __version__)
    yield _git()
    with sqlite3.connect(":memory:") as database:
        fts = database.execute("select sqlite_compileoption_used('ENABLE_FTS5')").fetchone()[0]
    database.close()
    yield Finding("sqlite", bool(fts), f"{sqlite3.sqlite_version}, FTS5 {'there' if fts else 'missing'}")
    yield _tried("store", lambda: _store(context))
    yield _tried("state", lambda: _state(context))
    for reader in readers(context.configured, root):
        yield _tried(reader.agent, partial(_transcripts, reader))
    yield _tried("model", lambda: _model(context))


def _transcripts(reader: Reader) -> tuple[bool, str]:
    return True, f"{counted(sum(1 for _ in reader.discover()), 'transcript')} found"


def _model(context: Context) -> tuple[bool, str]:
    wanted = names(context.configured.settings, None)
    named = [*dict.fromkeys(filter(None, (wanted.extract, wanted.compact, wanted.summary)))]
    told = ", ".join(named)
    see_agents(context.configured, named)
    if not told:
        there = keys(context.configured)
        none = key_alone(there[0]) if there else "none named: the embedded rules work, nothing is sent"
        return True, none
    if missing(context.state, wanted):
        return False, f"{told}: not agreed to yet, so batches wait; `silt run` says what would be sent"
    return True, told


def _git() -> Finding:
    where = shutil.which("git")
    if where is None:
        return Finding("git", False, "not found on PATH; install git")
    told = subprocess.run(["git", "--version"], capture_output=True, text=True, check=False)
    return Finding("git", told.returncode == 0, f"{told.stdout.strip()} at {where}")


def _tried(what: str, look: Callable[[], tuple[bool, str]]) -> Finding:
    try:
        good, told = look()
    except SiltError as error:
        return Finding(what, False, str(error))
    except OSError as error:
        return Finding(what, False, f"{error.filename or what} cannot be used: {_why(error)}")
    return Finding(what, good, told)


def unwritable(folder: Path, disk: Disk) -> str:
    """Why nothing can be written in a folder, and what to do, by writing a little there; "" when it can."""
    probe = folder / f"{TEMP_PREFIX}doctor{TEMP_SUFFIX}"
    try:
        disk.write(probe, b"silt doctor\n")
        disk.unlink(probe)
    except OSError as error:
        return f"nothing can be written in {folder}: {_why(error)}"
    return ""


def _why(error: OSError) -> str:
    return _WHY.get(error.errno or 0, f"{error.strerror or error}; put that right")


def _unmade(what: str, place: Path) -> tuple[bool, str]:
    """A folder that is not there yet: whether it could be made."""
    above = next(folder for folder in place.parents if folder.is_dir())
    told = unwritable(above, Disk())
    return not told, told or f"no {what} yet: it is made by the first run, in {place}"


def _store(context: Context) -> tuple[bool, str]:
    if not context.has_store:
        return _unmade("store", context.configured.places.store)
    store = context.store
    if told := unwritable(store.root, Disk()):
        return False, told
    count = sum(store.counts().values())
    if store.lacks is not None:
        return False, store.lacks
    complaints = store.complaints
    if complaints:
        return False, f"{len(complaints)} file(s) left out; the first: {complaints[0]}"
    return True, f"{count} memories in {store.root}"


def _state(context: Context) -> tuple[bool, str]:
    place = context.configured.places.state
    if not place.is_dir():
        return _unmade("state", place)
    told = unwritable(place, Disk())  # before the database, which tells less
    told = told or next(iter(context.state.complaints), "")
    return (False, told) if told else (True, str(place))
