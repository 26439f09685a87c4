"""What Siltstone puts into an agent: files of its own, and entries in the agent's settings files.

`agents/<agent>/door.py` says which, for a user or for a project (`Door`).
"""

import json
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from siltstone.agents import entries, settings_json
from siltstone.agents.entries import Words
from siltstone.agents.hooks import AGENTS
from siltstone.agents.settings_json import Unreadable
from siltstone.store.errors import Misuse

ALL = "all"
FOLDER = "silt"
"""The name of folders that hold nothing but files of ours."""


@dataclass(frozen=True, slots=True)
class Place:
    """For whom a door is."""

    environ: Mapping[str, str]
    home: Path
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


@dataclass(frozen=True, slots=True)
class Own:
    """A file that is ours as a whole."""

    path: Path
    text: str
    is_ours: Callable[[bytes], bool] = lambda data: False
    """Whether another content was once written by `silt install`."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A settings file of the agent's in which something is ours.

    All functions raise Unreadable. For an empty file they get the smallest text of its format.
    """

    path: Path
    put: Callable[[str], str]
    take: Callable[[str], str]
    smallest: str = "{}\n"
    users_server: Callable[[str], int] = lambda text: 0
    """The line of an MCP server of the user's that has our name; 0 for none."""
    server: Sequence[str] = ()
    """Where our MCP server stands in it."""


Piece = Own | Shared


class Door(Protocol):
    """A module `agents/<agent>/door.py`."""

    TITLE: str
    """The agent's name as people write it."""
    PROGRAM: str
    """Its program on PATH."""

    def folder(self, environ: Mapping[str, str], home: Path) -> Path:
        """Where the agent keeps its settings for the user."""
        ...

    def pieces(self, place: Place) -> tuple[Piece, ...]:
        """All that belongs to the door."""
        ...

    def by_hand(self, place: Place) -> tuple[str, ...]:
        """Sentences: what the user must still do."""
        ...


def door(agent: str) -> Door:
    """The door of an agent of AGENTS."""
    return cast(Door, import_module(f"siltstone.agents.{agent}.door"))


def found(agent: str, environ: Mapping[str, str], home: Path) -> str:
    """What shows that an agent is there: its program, else its folder; "" for neither."""
    one = door(agent)
    program = shutil.which(one.PROGRAM, path=environ.get("PATH"))
    folder = one.folder(environ, home)
    return program or (str(folder) if os.path.isdir(folder) else "")


def chosen(named: list[str] | None, environ: Mapping[str, str], home: Path) -> list[str]:
    """The agents that are named; with none or `all`, those that are there. Raises Misuse."""
    unknown = sorted(set(named or ()) - {*AGENTS, ALL})
    if unknown:
        raise Misuse(f"there is no agent {unknown[0]!r}; there are {', '.join(AGENTS)}.")
    if named and ALL not in named:
        return [agent for agent in AGENTS if agent in named]
    return [agent for agent in AGENTS if found(agent, environ, home)]


def hooks_in(path: Path, agent: str, groups: entries.Groups, strict: bool) -> Shared:
    """Our hooks in a JSON file; a `strict` agent reads no comments and no trailing commas."""
    return Shared(
        path,
        lambda text: entries.with_hooks(checked(text, strict), agent, groups),
        lambda text: entries.without_hooks(text, agent),
    )


def server_in(
    path: Path,
    names: Sequence[str],
    entry: Mapping[str, Any] | None,
    strict: bool = False,
    toml: bool = False,
) -> Shared:
    """Our MCP server at a path of names in a JSON or TOML file; `entry` None: it is not there."""
    return Shared(
        path,
        lambda text: entries.with_server(text if toml else checked(text, strict), names, entry, toml),
        lambda text: entries.with_server(text, names, None, toml),
        "" if toml else "{}\n",
        lambda text: entries.users_server(text, names, toml),
        names,
    )


def both(hooks: Shared, server: Shared) -> Shared:
    """Hooks and server in one file."""
    return Shared(
        hooks.path,
        lambda text: server.put(hooks.put(text)),
        lambda text: hooks.take(server.take(text)),
        hooks.smallest,
        server.users_server,
        server.server,
    )


def checked(text: str, strict: bool) -> str:
    """The text, if the agent can read it. Raises Unreadable."""
    settings_json.read(text)
    try:
        if strict:
            json.loads(text)
    except json.JSONDecodeError as error:
        what = "a comment or a trailing comma, which the agent cannot read"
        raise Unreadable(what, error.lineno) from None
    except ValueError:
        pass  # a number of thousands of digits
    return text
