"""What `silt doctor` says about the agents: hooks and MCP servers in their settings are called for real.

The calls work in a state folder of their own, which is removed afterwards: nothing is learned from them, no
batch begins, and what the user's sessions were shown stays as it is.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from shlex import join
from tempfile import TemporaryDirectory

from siltstone.agents import doctor, install, settings_toml
from siltstone.agents.codex.door import APPROVE, Skipped, skipped_hooks, sources
from siltstone.agents.door import Door, Place, door, found
from siltstone.agents.hooks import AGENTS
from siltstone.agents.install import Change, Records
from siltstone.cli.door_place import home_of, place_of, project_here
from siltstone.cli.hooks.background import LOCK as WAITER
from siltstone.cli.hooks.common import LOG
from siltstone.cli.settings import Configured
from siltstone.pipeline.words import counted
from siltstone.recall.prepared import FILE as PREPARED
from siltstone.store.disk import Disk
from siltstone.store.errors import SettingsError
from siltstone.store.search_database import FILE as SEARCH


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    good: bool
    told: str


def look(configured: Configured) -> Iterator[Finding]:
    """What works and what does not, agent by agent; and the MCP servers."""
    home = home_of(configured)
    records = Records(configured.places.state, Disk())
    project = project_here(home)
    servers: dict[doctor.Server, list[str]] = {}
    installed = False
    for agent in AGENTS:
        one = door(agent)
        places = [place_of(configured, None), *([place_of(configured, project)] if project else [])]
        there = [place for place in places if _stands(agent, one, place, records)]
        installed = installed or bool(there)
        if not there:
            here = found(agent, configured.environ, home)
            no = f"not installed; `silt install {agent}` does it" if here else f"{one.TITLE} is not here"
            yield Finding(f"{agent} door", True, no)
        for place in there:
            yield from _installed(agent, one, configured, place, records)
        if there:
            yield from _switched_off(agent, one, places[-1])
        for place in places:
            yield from _by_hand(agent, one, configured, place, place in there)
        for server in (one_of for place in there for one_of in doctor.servers_in(one.pieces(place))):
            servers.setdefault(server, []).append(agent)
    if installed:
        yield from _servers(place_of(configured, None), servers)


def _stands(agent: str, door: Door, place: Place, records: Records) -> bool:
    """Whether anything of ours is there. An unreadable file may hold something."""
    try:
        changes = install.uninstall(agent, place.project, door.pieces(place), records)
    except (SettingsError, OSError):
        return True
    return any(change.is_one or (change.ours and change.remark) for change in changes)


def _installed(
    agent: str, door: Door, configured: Configured, place: Place, records: Records
) -> Iterator[Finding]:
    what, pieces = f"{agent} door", door.pieces(place)
    hooks = doctor.hooks_in(agent, (piece.path for piece in pieces))
    try:
        changes = install.install(agent, place.project, pieces, records)
    except SettingsError as error:
        yield Finding(what, False, str(error))
    except OSError as error:
        yield Finding(what, False, f"{error.filename} cannot be used ({error.strerror}); fix that")
    else:
        yield from _up_to_date(agent, place, changes)
        if not hooks:
            told = f"none in the settings {_where(place)}; run `{_again(agent, place)}`"
            yield Finding(f"{agent} hooks", False, told)
    yield from _called(agent, door, place, configured, hooks)


def _up_to_date(agent: str, place: Place, changes: Sequence[Change]) -> Iterator[Finding]:
    what, again = f"{agent} door", _again(agent, place)
    other = [str(change.path) for change in changes if change.is_one]
    if other:
        yield Finding(what, False, f"{other[0]} is not as this version writes it; run `{again}` again")
    else:
        yield Finding(what, True, f"installed {_where(place)}")
    for remark in filter(None, (change.remark for change in changes)):
        yield Finding(what, True, remark)
    folders = dict.fromkeys(change.path.parent for change in changes)
    for path in (path for folder in folders for path in install.leftovers(folder)):
        yield Finding(
            what, False, f"{path} was left by an install that was killed; run `{again}` to remove it"
        )


def _by_hand(
    agent: str, door: Door, configured: Configured, place: Place, installed: bool
) -> Iterator[Finding]:
    """Hooks that the user wrote and that call us. Where nothing is installed, these are called."""
    paths = [piece.path for piece in door.pieces(place)]
    if theirs := doctor.hooks_by_hand(agent, paths):
        told = f"{counted(len(theirs), 'hook')} {_where(place)} written by hand ({', '.join(theirs)})"
        stays = "`silt install` and `silt uninstall` leave them as they are"
        yield Finding(f"{agent} hooks", True, f"{told}: {stays}")
        if not installed:
            yield from _called(agent, door, place, configured, doctor.hooks_in(agent, paths))
            yield from _switched_off(agent, door, place)


def _switched_off(agent: str, door: Door, place: Place) -> Iterator[Finding]:
    """A switch that is off in the settings for the user, or in those of the project."""
    off = doctor.switched_off(agent, door.folder(place.environ, place.home), place.project)
    if off:
        yield Finding(f"{agent} hooks", False, f"{door.TITLE} runs none of them here: {off}; remove that")


def _where(place: Place) -> str:
    return "for you" if place.project is None else f"for {place.project}"


def _again(agent: str, place: Place) -> str:
    return f"silt install {agent}{' --project' if place.project else ''}"


def _called(
    agent: str, door: Door, place: Place, configured: Configured, hooks: Mapping[str, Sequence[str]]
) -> Iterator[Finding]:
    """Whether hooks answer, and whether Codex runs them."""
    if not hooks:
        return
    what, where, again = f"{agent} hooks", _where(place), _again(agent, place)
    dead = {event: doctor.unstartable(words, place.environ) for event, words in hooks.items()}
    for one in sorted({*dead.values()} - {""}):
        told = f"{one}, so hooks {where} do not start, which no log can say; run `{again}` again"
        yield Finding(what, False, told)
    try:
        tried, logged = _tried(
            {event: words for event, words in hooks.items() if not dead[event]}, configured
        )
    except OSError as error:
        told = f"not tried: no folder can be made to try them in ({error.strerror or error})"
        yield Finding(what, False, told)
        return
    for line in logged:
        yield Finding(what, False, line.partition(" ")[2])
    for wrong in dict.fromkeys(one.wrong for one in tried if one.wrong):
        events = ", ".join(one.event for one in tried if one.wrong == wrong)
        hung = next((one for one in tried if one.hung and one.wrong == wrong), None)
        todo = f"run `{again}` again"
        if hung:
            line = join(hooks[hung.event])
            todo = f"call `echo '{{}}' | {line}` to see what it waits for; the hooks after it were not called"
        yield Finding(what, False, f"{events}: {wrong}; {todo}")
    good = [one for one in tried if not one.wrong]
    shown = max((len(one.answer) for one in good), default=0)
    show = f"; at most {shown:,} characters are shown here" if shown else "; nothing is shown here"
    if good:
        yield Finding(what, True, f"{counted(len(good), 'hook')} answer {where}{show}")
    if agent == "codex":
        yield from _approved(door, place)


def _approved(door: Door, place: Place) -> Iterator[Finding]:
    """Whether Codex was told to trust the hooks. Unreadable files are reported elsewhere."""
    hooks = next(piece.path for piece in door.pieces(place) if piece.path.suffix == ".json")
    config = door.folder(place.environ, place.home) / "config.toml"
    try:
        settings = settings_toml.read(config.read_text(encoding="utf-8")) if config.exists() else {}
        skipped = skipped_hooks(sources(hooks), hooks.read_text(encoding="utf-8-sig"), settings)
    except (OSError, ValueError):
        return
    what = "codex hooks"
    if skipped.unapproved:
        told = f"Codex does not run {', '.join(skipped.unapproved)} yet: {APPROVE}"
        yield Finding(what, False, told)
    if skipped.changed:
        told = f"Codex does not run {', '.join(skipped.changed)}: changed since they were approved; {APPROVE}"
        yield Finding(what, False, told)
    if skipped.off:
        told = f"Codex does not run {', '.join(skipped.off)}: switched off; switch them on in its /hooks"
        yield Finding(what, False, told)
    if skipped == Skipped():
        yield Finding(what, True, f"approved {_where(place)}")


def _servers(place: Place, servers: Mapping[doctor.Server, list[str]]) -> Iterator[Finding]:
    """Whether the MCP servers in settings answer."""
    if not place.mcp:
        told = "not there: install siltstone[mcp] for the tools, then `silt install` again"
        yield Finding("mcp", True, told)
        return
    answering: list[str] = []
    for server, agents in servers.items():
        environ = {**place.environ, **dict(server.env)}
        why = doctor.unstartable(server.words, environ)
        line, named = join(server.words), " ".join(dict.fromkeys(agents))
        if why or not doctor.server_answers(server.words, environ):
            told = f"`{line}` does not answer{f': {why}' if why else ''}"
            more = "" if why else "; call it by hand to see why"
            yield Finding("mcp", False, f"{told}; run `silt install {named}` again{more}")
            continue
        answering += agents
        for name, value in server.env:
            if name.startswith("SILT_") and not place.environ.get(name):
                told = f"{named}: {name}={value} is in the settings of the server and is not set here"
                yield Finding("mcp", True, told)
    if answering:
        yield Finding("mcp", True, f"`silt mcp` answers ({', '.join(dict.fromkeys(answering))})")


def _tried(
    hooks: Mapping[str, Sequence[str]], configured: Configured
) -> tuple[list[doctor.Tried], list[str]]:
    """Each of the hooks called, and the lines they left in their log. Raises OSError."""
    with _scratch(configured) as environ:
        tried = doctor.call_hooks(hooks, environ, Path.cwd())
        log = Path(environ["SILT_STATE"], LOG)
        text = log.read_text(encoding="utf-8", errors="replace") if log.exists() else ""
    return tried, text.splitlines()


@contextmanager
def _scratch(configured: Configured) -> Iterator[Mapping[str, str]]:
    """An environment whose state holds what is prepared for showing, and is removed afterwards."""
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
