"""What Siltstone puts into an agent: files of its own, and entries in the agent's settings files.

`agents/<agent>/door.py` says which, for a user or for a project.
"""

import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, cast

from siltstone.agents import entries, settings_json
from siltstone.agents.entries import Words
from siltstone.agents.hooks import AGENTS
from siltstone.agents.settings_json import Unreadable
from siltstone.store.errors import Misuse
from siltstone.store.places import home_folder

ALL = "all"
FOLDER = "silt"
"""The name of folders that hold nothing but files of ours."""


class Place(NamedTuple):
    """For whom a door is."""

    environ: Mapping[str, str]
    project: Path | None
    """The project it is for; None: for the user, everywhere."""
    silt: Words
    mcp: bool
    """Whether `silt mcp` works here: it needs an extra."""
    variables: Mapping[str, str]
    """Where the store, state and settings are, for MCP servers: agents give them hardly any environment."""
    tools: str = ""
    """The set of tools that the MCP server offers; "": the one chosen before, else its own default."""

    @property
    def server(self) -> dict[str, Any] | None:
        """The entry of the MCP server; None where it cannot run."""
        return entries.server_entry(self.silt, self.tools, self.variables) if self.mcp else None


class Own(NamedTuple):
    """A file that is ours as a whole."""

    path: Path
    text: str
    is_ours: Callable[[bytes], bool] = lambda data: False
    """Whether another content was once written by `silt install`."""


class Settings(NamedTuple):
    """A settings file of the agent's with our hooks, our MCP server, or both. Functions raise Unreadable."""

    path: Path
    agent: str
    hooks: entries.Groups | None = None
    server: Sequence[str] = ()
    """The path of names at which our MCP server stands; () where it does not stand in this file."""
    entry: Mapping[str, Any] | None = None
    """The server's entry; None: the server cannot run, and is not to be there."""
    strict: bool = False
    """The agent reads neither comments nor trailing commas."""

    @property
    def is_toml(self) -> bool:
        return self.path.suffix == ".toml"

    @property
    def smallest(self) -> str:
        """What the functions get for an empty file."""
        return "" if self.is_toml else "{}\n"

    def put(self, text: str) -> str:
        if not self.is_toml:
            settings_json.read(text, self.strict)
        if self.hooks is not None:
            text = entries.with_hooks(text, self.agent, self.hooks)
        return entries.with_server(text, self.server, self.entry, self.is_toml) if self.server else text

    def take(self, text: str) -> str:
        if self.server:
            text = entries.with_server(text, self.server, None, self.is_toml)
        return text if self.hooks is None else entries.without_hooks(text, self.agent)

    def users_server(self, text: str) -> str:
        """The line of an MCP server of the user's that has our name; "" for none."""
        return entries.users_server(text, self.server, self.is_toml) if self.server else ""


class Block(NamedTuple):
    """Our block in git's `info/exclude`: one for each project (`agents/git_exclude.py`)."""

    path: Path
    project: Path
    patterns: Sequence[str] = ()
    smallest: str = ""

    def put(self, text: str) -> str:
        made = "made by `silt install --project`, for this machine alone"
        lines = (f"{self._name}: {made}", *self.patterns, f"{self._name} ends")
        return self._replaced(text, "".join(f"{line}\n" for line in lines))

    def take(self, text: str) -> str:
        return self._replaced(text, "")

    @property
    def _name(self) -> str:
        return f"# siltstone {sha256(str(self.project).encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"

    def _replaced(self, text: str, lines: str) -> str:
        begins = text.find(f"{self._name}: ")
        if begins < 0:
            return text + ("\n" if lines and text and not text.endswith("\n") else "") + lines
        ends = re.compile(rf"^{self._name} ends(?:\n|\Z)", re.M).search(text, begins)
        if ends is None:
            what = f"the line '{self._name} ends' is missing after this one: remove our block by hand"
            raise Unreadable(what, text.count("\n", 0, begins) + 1)
        return text[:begins] + lines + text[ends.end() :]


Piece = Own | Settings | Block


class Door(NamedTuple):
    """How Siltstone gets into one agent. What it puts there is in `agents/<agent>/door.py`."""

    agent: str
    """Its name, and that of its program."""
    title: str
    variable: str
    """Names where the agent keeps its settings for the user and, but for OpenCode, its transcripts; …"""
    default: str
    """… else they are here in the home folder."""
    below: str = ""
    asks_trust: bool = False
    """It reads the settings of a project only once the user trusts that."""

    def folder(self, environ: Mapping[str, str]) -> Path:
        return Path(environ.get(self.variable) or Path(home_folder(environ), self.default)) / self.below

    def transcripts(self, environ: Mapping[str, str]) -> Path:
        """Where the agent keeps its transcripts."""
        if self.agent == "opencode":
            return Path(
                environ.get("XDG_DATA_HOME") or Path(home_folder(environ), ".local", "share"), "opencode"
            )
        return self.folder(environ)

    def pieces(self, place: Place) -> tuple[Piece, ...]:
        base = self.folder(place.environ)
        if place.project:
            base = place.project / f".{self.agent}"
        made = import_module(f"siltstone.agents.{self.agent}.door").pieces(place, base)
        return cast("tuple[Piece, ...]", made)


DOORS = {
    "claude": Door("claude", "Claude Code", "CLAUDE_CONFIG_DIR", ".claude"),
    "codex": Door("codex", "Codex", "CODEX_HOME", ".codex", asks_trust=True),
    "gemini": Door("gemini", "Gemini CLI", "GEMINI_CLI_HOME", "", ".gemini", asks_trust=True),
    "opencode": Door("opencode", "OpenCode", "XDG_CONFIG_HOME", ".config", "opencode"),
}


def found(agent: str, environ: Mapping[str, str]) -> str:
    """What shows that an agent is there: its program, else a folder of it; "" for neither."""
    program, door = shutil.which(agent, path=environ.get("PATH")), DOORS[agent]
    folders = (door.folder(environ), door.transcripts(environ))
    return program or next((str(folder) for folder in folders if os.path.isdir(folder)), "")


def chosen(named: list[str] | None, environ: Mapping[str, str]) -> list[str]:
    """The agents that are named; with none or `all`, those that are there. Raises Misuse."""
    unknown = sorted(set(named or ()) - {*AGENTS, ALL})
    if unknown:
        raise Misuse(f"there is no agent {unknown[0]!r}; there are {', '.join(AGENTS)}.")
    if named and ALL not in named:
        return [agent for agent in AGENTS if agent in named]
    return [agent for agent in AGENTS if found(agent, environ)]
