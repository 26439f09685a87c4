"""What `silt doctor` says of the agents' doors: each hook that stands in their settings is called for real.

The calls work in a state folder of their own, which goes with them: nothing is learned from them, no batch
begins, and what the user's sessions were shown stays as it is.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from shlex import join
from tempfile import TemporaryDirectory

from siltstone.agents import doors, installing, registered
from siltstone.agents.hooks import AGENTS
from siltstone.agents.installed import Records
from siltstone.agents.installing import Change
from siltstone.agents.pieces import Door, Place
from siltstone.cli import doctor_kept_off, doctor_servers
from siltstone.cli.door_place import home_of, place_of, project_here
from siltstone.cli.finding import Finding
from siltstone.cli.hook_behind import LOCK as WAITER
from siltstone.cli.hook_log import NAME as LOG
from siltstone.cli.settings import Configured
from siltstone.pipeline.words import counted
from siltstone.recall.prepared import FILE as PREPARED
from siltstone.store.disk import Disk
from siltstone.store.errors import SettingsError
from siltstone.store.seek import FILE as SEARCH


def look(configured: Configured) -> Iterator[Finding]:
    """What works and what does not, agent by agent; and the MCP server."""
    home = home_of(configured)
    records = Records(configured.places.state, Disk())
    here = project_here(home)
    servers: dict[registered.Started, list[str]] = {}
    installed = False
    for agent in AGENTS:
        door = doors.door(agent)
        places = [place_of(configured, project) for project in ((None, here) if here else (None,))]
        there = [place for place in places if _stands(agent, door, place, records)]
        installed = installed or bool(there)
        yield from _agent(agent, door, configured, there, records)
        for place in places:
            yield from _by_hand(agent, door, configured, place, place in there)
        for started in (one for place in there for one in registered.servers(door.pieces(place))):
            servers.setdefault(started, []).append(agent)
    if installed:
        yield from doctor_servers.look(place_of(configured, None), servers)


def _agent(
    agent: str, door: Door, configured: Configured, there: list[Place], records: Records
) -> Iterator[Finding]:
    what, home, user = f"{agent} door", home_of(configured), place_of(configured, None)
    package = door.packaged(configured.environ, home)
    if package is not None:
        yield Finding(what, True, f"installed as a package, {package}")
        found = registered.on_disk(agent, [package])
        yield from _called(agent, door, user, configured, found, package)
    if package is not None and there:
        twice = f"installed twice, by `silt install` too: `silt uninstall {agent}`, or take the package out"
        yield Finding(what, False, twice)
    if not there and package is None:
        here = doors.found(agent, configured.environ, home)
        no = f"not installed; `silt install {agent}` does it" if here else f"{door.TITLE} is not here"
        yield Finding(what, True, no)
    for place in there:
        standing = registered.on_disk(agent, (piece.path for piece in door.pieces(place)))
        try:
            changes = installing.install(agent, place.project, door.pieces(place), records)
        except SettingsError as error:
            yield Finding(what, False, str(error))
        except OSError as error:
            yield Finding(what, False, f"{error.filename} cannot be used ({error.strerror}); mend that")
        else:
            yield from _up_to_date(agent, place, changes)
            if not standing:
                told = f"none stands in the settings {_where(place)}; run `{_again(agent, place)}`"
                yield Finding(f"{agent} hooks", False, told)
        yield from _called(agent, door, place, configured, standing)
    if there or package is not None:
        yield from doctor_kept_off.by_settings(agent, door, place_of(configured, project_here(home)))


def _by_hand(
    agent: str, door: Door, configured: Configured, place: Place, installed: bool
) -> Iterator[Finding]:
    """Hooks of the user's own that call us; where nothing is installed, they are what is called."""
    paths = [piece.path for piece in door.pieces(place)]
    if theirs := registered.by_hand(agent, paths):
        told = f"{counted(len(theirs), 'hook')} {_where(place)} written by hand ({', '.join(theirs)})"
        stays = "`silt install` and `silt uninstall` leave them as they are"
        yield Finding(f"{agent} hooks", True, f"{told}: {stays}")
        if not installed:
            yield from _called(agent, door, place, configured, registered.on_disk(agent, paths))
            yield from doctor_kept_off.by_settings(agent, door, place)


def _stands(agent: str, door: Door, place: Place, records: Records) -> bool:
    """Whether anything of ours is there. What cannot be read may hold something."""
    try:
        changes = installing.uninstall(agent, place.project, door.pieces(place), records)
    except (SettingsError, OSError):
        return True
    return any(change.is_one or (change.ours and change.remark) for change in changes)


def _where(place: Place) -> str:
    return "for you" if place.project is None else f"for {place.project}"


def _up_to_date(agent: str, place: Place, changes: Sequence[Change]) -> Iterator[Finding]:
    what = f"{agent} door"
    other = [str(change.path) for change in changes if change.is_one]
    if other:
        told = f"{other[0]} is not as this version writes it; run `{_again(agent, place)}` again"
        yield Finding(what, False, told)
    else:
        yield Finding(what, True, f"installed {_where(place)}")
    for remark in filter(None, (change.remark for change in changes)):
        yield Finding(what, True, remark)


def _again(agent: str, place: Place) -> str:
    return f"silt install {agent}{' --project' if place.project else ''}"


def _called(
    agent: str,
    door: Door,
    place: Place,
    configured: Configured,
    found: Mapping[str, Sequence[str]],
    package: Path | None = None,
) -> Iterator[Finding]:
    """Hooks that stand somewhere: whether they answer, and whether the agent runs them."""
    yield from _hooks(agent, door, place, configured, found)
    if agent == "codex" and found:
        file = package or next(one.path for one in door.pieces(place) if one.path.suffix == ".json")
        yield from doctor_kept_off.by_approval(door, place, file, _where(place), package is not None)


def _hooks(
    agent: str, door: Door, place: Place, configured: Configured, found: Mapping[str, Sequence[str]]
) -> Iterator[Finding]:
    what, where = f"{agent} hooks", _where(place)
    if not found:
        return
    gone = {registered.unstartable(words, place.environ) for words in found.values()} - {""}
    for one in sorted(gone):
        told = f"{one}, so hooks {where} do not start, and no log tells; run `{_again(agent, place)}` again"
        yield Finding(what, False, told)
    found = {e: words for e, words in found.items() if not registered.unstartable(words, place.environ)}
    try:
        tried, logged = _tried(found, configured)
    except OSError as error:
        told = f"not tried: no folder can be made to try them in ({error.strerror or error})"
        yield Finding(what, False, told)
        return
    for line in logged:
        yield Finding(what, False, line.partition(" ")[2])
    for wrong in dict.fromkeys(one.wrong for one in tried if one.wrong):
        events = ", ".join(one.event for one in tried if one.wrong == wrong)
        hung = next((one for one in tried if one.hung and one.wrong == wrong), None)
        todo = _by_itself(found[hung.event]) if hung else f"run `{_again(agent, place)}` again"
        yield Finding(what, False, f"{events}: {wrong}; {todo}")
    good = [one for one in tried if not one.wrong]
    shown = max((len(one.said) for one in good), default=0)
    show = f"; at most {shown:,} characters are shown here" if shown else "; nothing is shown here"
    if good:
        yield Finding(what, True, f"{counted(len(good), 'hook')} answer {where}{show}")


def _by_itself(words: Sequence[str]) -> str:
    """What to do about a hook that hangs."""
    line = words[2] if words[:2] == ("sh", "-c") else join(words)
    return f"call `echo '{{}}' | {line}` to see what it waits for; the hooks behind it were not called"


def _tried(
    found: Mapping[str, Sequence[str]], configured: Configured
) -> tuple[list[registered.Tried], list[str]]:
    """Each of the hooks called, and the lines that they left in their log. Raises OSError."""
    with _scratch(configured) as environ:
        tried = registered.call_all(found, environ, Path.cwd())
        log = Path(environ["SILT_STATE"], LOG)
        text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    return tried, text.splitlines()


@contextmanager
def _scratch(configured: Configured) -> Iterator[Mapping[str, str]]:
    """An environment whose state holds what is prepared for showing, and goes afterwards."""
    with TemporaryDirectory(prefix="silt-doctor-") as folder:
        for name in (PREPARED, SEARCH):
            os.symlink(configured.places.state / name, Path(folder, name))
        with open(Path(folder, WAITER), "w") as waiter:
            fcntl.flock(waiter, fcntl.LOCK_EX)  # a waiter that cannot have it does not begin
            try:
                yield {**configured.environ, "SILT_STATE": folder}
            finally:
                for name in (PREPARED, SEARCH):
                    _close(configured.places.state / name)


def _close(file: Path) -> None:
    """Have SQLite clear away what stands beside a database that hooks left open."""
    if file.is_file():
        with suppress(sqlite3.Error), closing(sqlite3.connect(file)) as database:
            database.execute("pragma user_version").fetchone()
