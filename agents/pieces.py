"""What an agent's door consists of: files that are ours whole, and our entries in files of others."""

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from siltstone.agents.hooks import Hook
from siltstone.agents.settings_edit.hooks import Mine, emptied, plain_of, with_hooks, without_hooks
from siltstone.agents.settings_edit.splice import drop, get, put
from siltstone.agents.settings_edit.toml_table import with_table, without_table
from siltstone.agents.settings_edit.tree import Unreadable

SERVER = "siltstone"
"""Our name among an agent's MCP servers."""

Words = Sequence[str]
"""A command line up to our own words: the installed script, or a Python and `-m siltstone`."""


@dataclass(frozen=True, slots=True)
class Place:
    """For whom a door is."""

    environ: Mapping[str, str]
    home: Path
    project: Path | None
    """The project that it is for; None: for the user, everywhere."""
    silt: Words
    mcp: bool
    """Whether `silt mcp` works here: it needs an extra."""
    variables: Mapping[str, str]
    """Where the store, state and settings are, for MCP servers: agents give them hardly any environment."""


@dataclass(frozen=True, slots=True)
class Own:
    """A file that is ours whole."""

    path: Path
    text: str


@dataclass(frozen=True, slots=True)
class Shared:
    """A settings file of the agent's in which something is ours.

    Both functions raise Unreadable. Of an empty file they are given the least one of its format.
    """

    path: Path
    put: Callable[[str], str]
    take: Callable[[str], str]
    least: str = "{}\n"


Piece = Own | Shared


class Door(Protocol):
    """A module `agents/<agent>/install.py`."""

    TITLE: str
    """The agent's name as people write it."""
    PROGRAM: str
    """The program on PATH."""

    def folder(self, environ: Mapping[str, str], home: Path) -> Path:
        """Where the agent keeps its settings for the user."""
        ...

    def pieces(self, place: Place) -> tuple[Piece, ...]:
        """All that belongs to the door."""
        ...

    def by_hand(self, place: Place) -> tuple[str, ...]:
        """Sentences: what the user must still do."""
        ...

    def package(self, silt: Words) -> Mapping[str, str]:
        """The agent's own package form: texts by path."""
        ...


def hook_line(silt: Words, agent: str, forgiven: bool = False) -> str:
    """The shell line that an agent runs at each hook. `forgiven`: it succeeds when there is no silt, too,
    for an agent that refuses the prompt otherwise."""
    line = shlex.join([*silt, "hook", agent])
    return f"{line} || true" if forgiven else line


def mine(agent: str) -> Mine:
    """Tells hooks of ours for that agent, wherever the script stood when they were written."""

    def is_mine(command: str) -> bool:
        try:
            words = shlex.split(command)
        except ValueError:
            return False
        if words[-2:] == ["||", "true"]:
            words = words[:-2]
        if words[-2:] != ["hook", agent]:
            return False
        program = words[:-2]
        return program[-2:] == ["-m", "siltstone"] or (
            len(program) == 1 and Path(program[0]).name in ("silt", "silt.exe")
        )

    return is_mine


def groups(events: Sequence[Hook], line: str, **more: str) -> dict[str, dict[str, Any]]:
    """One group of hooks for each event of the table `EVENTS`, as settings have them."""
    return {
        hook.name: {
            **({} if hook.matcher is None else {"matcher": hook.matcher}),
            "hooks": [{**more, "type": "command", "command": line, "timeout": hook.timeout}],
        }
        for hook in events
    }


def server(place: Place) -> dict[str, Any] | None:
    """How the MCP server is started, `env` only where there is something to say; None where it cannot be."""
    if not place.mcp:
        return None
    words = [*place.silt, "mcp"]
    env = {"env": dict(place.variables)} if place.variables else {}
    return {"command": words[0], "args": words[1:], **env}


def hooks_file(path: Path, agent: str, table: dict[str, dict[str, Any]], strict: bool) -> Shared:
    """Our hooks in a JSON file of the agent's."""
    is_mine = mine(agent)
    return Shared(
        path,
        lambda text: with_hooks(checked(text, strict), table, is_mine),
        lambda text: without_hooks(text, is_mine),
    )


def server_file(path: Path, names: Sequence[str], told: Mapping[str, Any] | None, strict: bool) -> Shared:
    """Our MCP server in a JSON file of the agent's, at a path of names; None: none stands there."""
    return Shared(
        path,
        lambda text: with_member(checked(text, strict), names, told),
        lambda text: without_member(text, names),
    )


def both(one: Shared, other: Shared) -> Shared:
    """Two that stand in one file."""
    return Shared(
        one.path, lambda text: other.put(one.put(text)), lambda text: one.take(other.take(text)), one.least
    )


def table_file(path: Path, names: Sequence[str], told: Mapping[str, Any] | None) -> Shared:
    """Our MCP server in a TOML file of the agent's; None: none stands there."""

    def take(text: str) -> str:
        return without_table(text, names)

    return Shared(path, take if told is None else lambda text: with_table(text, names, told), take, "")


def with_member(text: str, names: Sequence[str], value: Mapping[str, Any] | None) -> str:
    """The text with that value at that path, or none; as it is when it says so. Raises Unreadable."""
    if value is None:
        return without_member(text, names)
    there: Any = plain_of(text)
    for name in names:
        there = there.get(name) if isinstance(there, dict) else None
    return text if there == value else put(text, names, value)


def without_member(text: str, names: Sequence[str]) -> str:
    """The text without it, and without the objects that it alone filled. Raises Unreadable."""
    if get(text, names) is None:
        return text
    return emptied(drop(text, names), [*names[:-1]])


def checked(text: str, strict: bool) -> str:
    """The text, if the agent can read it: a `strict` one knows no comments and no commas at an end.

    Raises Unreadable.
    """
    plain_of(text)
    try:
        if strict:
            json.loads(text)
    except json.JSONDecodeError as error:
        raise Unreadable(
            "a comment, or a comma at an end, which the agent cannot read", error.lineno
        ) from None
    except ValueError:
        pass  # a number of thousands of digits
    return text
