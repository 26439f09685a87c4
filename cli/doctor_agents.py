"""What `silt doctor` says about the agents: hooks and MCP servers in their settings are called for real.

The calls work in a state folder of their own, which is removed afterwards: nothing is kept from them, no
batch begins, and what the user's sessions were shown stays as it is.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from shlex import join
from tempfile import TemporaryDirectory
from typing import NamedTuple

from siltstone.agents import doctor, install, settings_toml
from siltstone.agents.codex.door import skipped_hooks
from siltstone.agents.door import DOORS, Place, found
from siltstone.agents.hooks import AGENTS
from siltstone.agents.install import Records
from siltstone.cli.hooks.background import LOCK as WAITER
from siltstone.cli.hooks.common import LOG
from siltstone.cli.install import place_of, project_here
from siltstone.cli.settings import Configured
from siltstone.pipeline.words import counted
from siltstone.recall.prepared import FILE as PREPARED
from siltstone.store.disk import Disk
from siltstone.store.errors import SettingsError
from siltstone.store.places import home_folder
from siltstone.store.plain_file import content, head
from siltstone.store.search import FILE as SEARCH


class Finding(NamedTuple):
    what: str
    good: bool
    told: str
    todo: bool = False
    """Nothing is broken: what is missing, only the user can do."""
    calls: int = 0
    """Hooks that were called to find it."""


def look(configured: Configured) -> Iterator[Finding]:
    """What works and what does not, agent by agent; and the MCP servers."""
    records = Records(configured.places.state, Disk())
    servers: dict[doctor.Server, list[str]] = {}
    installed = False
    for agent in AGENTS:
        doors = _doors(agent, configured)
        there = [one for one in doors if one.stands(records)]
        installed = installed or bool(there)
        if not there:
            told = f"{DOORS[agent].title} was not found"
            if found(agent, configured.environ):
                told = f"not installed; run `silt install {agent}`"
            yield Finding(f"{agent} door", True, told)
        for one in there:
            yield from one.installed(records)
        if there:
            yield from doors[-1].switched_off()
        for one in doors:
            yield from one.by_hand(called=one not in there)
        for server in (server for one in there for server in doctor.servers_in(one.pieces)):
            servers.setdefault(server, []).append(agent)
    if installed:
        yield from _servers(place_of(configured, None), servers)


def hooks(configured: Configured) -> int:
    """How many hooks `look` has to call, which is what takes its time."""
    return sum(len(door.hooks) for agent in AGENTS for door in _doors(agent, configured))


def _doors(agent: str, configured: Configured) -> list["_Door"]:
    """The doors of an agent: for the user, and for the project of this folder."""
    project = project_here(Path(home_folder(configured.environ)))
    return [_Door(agent, place_of(configured, one), configured) for one in dict.fromkeys((None, project))]


class _Door:
    """The door of an agent, for the user or for a project."""

    def __init__(self, agent: str, place: Place, configured: Configured) -> None:
        self.agent, self.place, self.configured = agent, place, configured
        self.door = DOORS[agent]
        self.pieces = self.door.pieces(place)
        self.paths = [piece.path for piece in self.pieces]
        self.hooks = doctor.hooks_in(agent, self.paths)
        self.where = "for you" if place.project is None else f"for {place.project}"
        self.again = f"run `silt install {agent}{' --project' if place.project else ''}`"

    def _find(self, what: str, good: bool, told: str) -> Finding:
        return Finding(f"{self.agent} {what}", good, told)

    def stands(self, records: Records) -> bool:
        """Whether any of our entries is there. An unreadable file may hold one."""
        try:
            changes = install.uninstall(self.agent, self.place.project, self.pieces, records)
        except (SettingsError, OSError):
            return True
        return any(change.is_one or (change.ours and change.remark) for change in changes)

    def installed(self, records: Records) -> Iterator[Finding]:
        """Whether it is what this version writes, and whether its hooks answer."""
        try:
            changes = install.install(self.agent, self.place.project, self.pieces, records)
        except SettingsError as error:
            yield self._find("door", False, str(error))
        except OSError as error:
            yield self._find("door", False, f"{error.filename} cannot be used ({error.strerror}); fix that")
        else:
            other = next((change.path for change in changes if change.is_one), None)
            told = f"{other} is not what this version writes; {self.again} again"
            yield self._find("door", not other, told if other else f"installed {self.where}")
            for remark in filter(None, (change.remark for change in changes)):
                yield self._find("door", True, remark)
            for folder in dict.fromkeys(change.path.parent for change in changes):
                for path in install.leftovers(folder):
                    told = f"{path} was left by an install that was killed; {self.again} again to remove it"
                    yield self._find("door", False, told)
            if not self.hooks:
                yield self._find("hooks", False, f"none in the settings {self.where}; {self.again}")
        yield from self._called()

    def by_hand(self, called: bool) -> Iterator[Finding]:
        """Hooks written by the user that call us. If nothing is installed, these are called."""
        theirs = doctor.hooks_by_hand(self.agent, self.paths)
        if theirs:
            told = f"{counted(len(theirs), 'hook')} {self.where} written by hand ({', '.join(theirs)})"
            stays = "`silt install` and `silt uninstall` leave them as they are"
            yield self._find("hooks", True, f"{told}: {stays}")
        if theirs and called:
            yield from self._called()
            yield from self.switched_off()

    def switched_off(self) -> Iterator[Finding]:
        """A switch that is off in the user's settings or the project's."""
        folder = self.door.folder(self.place.environ)
        if off := doctor.switched_off(self.agent, folder, self.place.project):
            yield self._find("hooks", False, f"{self.door.title} does not run hooks here: {off}; remove that")

    def _called(self) -> Iterator[Finding]:
        """Whether hooks answer, and whether Codex runs them."""
        if not self.hooks:
            return
        try:
            with _scratch(self.configured) as environ:
                tried = doctor.call_hooks(self.hooks, environ, Path.cwd())
                logged = head(Path(environ["SILT_STATE"], LOG)).decode("utf-8", "replace")
        except OSError as error:
            told = f"not tried: could not create a folder to try them in ({error.strerror or error})"
            yield self._find("hooks", False, told)
            return
        for line in logged.splitlines():
            yield self._find("hooks", False, line.partition(" ")[2])
        for wrong in dict.fromkeys(one.wrong for one in tried if one.wrong):
            events = [one for one in tried if one.wrong == wrong]
            todo = f"{self.again} again"
            if hung := next((one for one in events if one.hung), None):
                call = f"call `echo '{{}}' | {join(self.hooks[hung.event])}` to see what it waits for"
                todo = f"{call}; the hooks after that were not called"
            yield self._find("hooks", False, f"{', '.join(one.event for one in events)}: {wrong}; {todo}")
        if good := [one for one in tried if not one.wrong]:
            most = max(len(one.answer) for one in good)
            shown = f"at most {most:,} characters are shown here" if most else "nothing is shown here"
            told = f"{counted(len(good), 'hook')} answer {self.where}; {shown}"
            yield Finding(f"{self.agent} hooks", True, told, calls=len(good))
        if self.agent == "codex":
            yield from self._approved()

    def _approved(self) -> Iterator[Finding]:
        """Whether the user approved the hooks in Codex. Unreadable files are reported elsewhere."""
        hooks = next(path for path in self.paths if path.suffix == ".json")
        config = self.door.folder(self.place.environ) / "config.toml"
        try:
            settings = settings_toml.read(content(config).decode("utf-8")) if config.exists() else {}
            skipped = skipped_hooks(hooks, content(hooks).decode("utf-8-sig"), settings)
        except (OSError, ValueError):
            return
        for why, events in skipped.items():
            told = f"Codex does not run {', '.join(events)}{why}"
            yield Finding("codex hooks", False, told, todo=True)
        if not skipped:
            yield self._find("hooks", True, f"approved {self.where}")


def _servers(place: Place, servers: Mapping[doctor.Server, list[str]]) -> Iterator[Finding]:
    """Whether the MCP servers in settings answer."""
    if not place.mcp:
        told = "missing: install siltstone[mcp] for the tools, then run `silt install` again"
        yield Finding("mcp", True, told)
        return
    answering: list[str] = []
    for (words, variables), agents in servers.items():
        if why := doctor.server_fault(words, {**place.environ, **dict(variables)}):
            again = f"run `silt install {' '.join(dict.fromkeys(agents))}` again"
            yield Finding("mcp", False, f"`{join(words)}` does not answer: {why}; {again}")
        else:
            answering += agents
    if answering:
        yield Finding("mcp", True, f"`silt mcp` answers ({', '.join(dict.fromkeys(answering))})")


@contextmanager
def _scratch(configured: Configured) -> Iterator[Mapping[str, str]]:
    """An environment whose state holds what is prepared for showing; removed afterwards."""
    databases = [configured.places.state / name for name in (PREPARED, SEARCH)]
    with TemporaryDirectory(prefix="silt-doctor-") as folder:
        for path in databases:
            os.symlink(path, Path(folder, path.name))
        with open(Path(folder, WAITER), "w") as waiter:
            fcntl.flock(waiter, fcntl.LOCK_EX)  # a waiter that cannot have it does not begin
            try:
                yield {**configured.environ, "SILT_STATE": folder}
            finally:
                # SQLite clears away what stands beside a database that hooks left open.
                for path in filter(Path.is_file, databases):
                    with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as database:
                        database.execute("pragma user_version").fetchone()
