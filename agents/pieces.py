"""What an agent's door consists of: files that are ours whole, and our entries in files of others."""

import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any, Protocol

from siltstone.agents.hooks import Hook
from siltstone.agents.settings_edit.hooks import Mine, plain_of, with_hooks, without_hooks
from siltstone.agents.settings_edit.tree import Unreadable

Words = Sequence[str]
"""A command line up to our own words: the installed script, or a Python and `-m siltstone`."""
Wrote = bool | None
"""Whether our record says that we wrote the MCP server in a file; None where the record is lost."""
Edit = Callable[[str, Wrote], str]


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
    tools: str = ""
    """The set of tools that the MCP server is to offer; "": the one that was chosen before, else its own
    default."""


@dataclass(frozen=True, slots=True)
class Own:
    """A file that is ours whole."""

    path: Path
    text: str
    is_ours: Callable[[bytes], bool] = lambda data: False
    """Whether another content tells that `silt install` wrote it once."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A settings file of the agent's in which something is ours.

    All functions raise Unreadable. Of an empty file they are given the least one of its format.
    """

    path: Path
    put: Edit
    take: Edit
    least: str = "{}\n"
    server: Callable[[str], tuple[object, int] | None] = lambda text: None
    """What stands under the name of our MCP server, ours or not, and on which line."""


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

    def packaged(self, environ: Mapping[str, str], home: Path) -> Path | None:
        """The file that names the hooks of an installed package of ours that is switched on for the user;
        None where one cannot be sure of it."""
        ...

    def package(self, silt: Words, tools: str) -> Mapping[str, str]:
        """The agent's own package form, with that set of tools ("": the default): texts by path."""
        ...


@dataclass(frozen=True, slots=True)
class Calls:
    """How an agent is to call our hooks."""

    agent: str
    events: Sequence[Hook]
    forgiven: bool = False
    """A call succeeds when there is no silt, too, for an agent that refuses the prompt otherwise."""
    more: Mapping[str, str] = field(default_factory=dict)
    """What else each hook says of itself."""

    def line(self, silt: Words) -> str:
        """The shell line that the agent runs at each hook."""
        line = shlex.join([*silt, "hook", self.agent])
        return f"{line} || true" if self.forgiven else line

    def groups(self, silt: Words) -> dict[str, dict[str, Any]]:
        """One group of hooks for each event of the table `EVENTS`, as settings have them."""
        line = self.line(silt)
        return {
            hook.name: {
                **({} if hook.matcher is None else {"matcher": hook.matcher}),
                "hooks": [{**self.more, "type": "command", "command": line, "timeout": hook.timeout}],
            }
            for hook in self.events
        }

    def packaged(self, silt: Words) -> dict[str, Any]:
        """The same as a package's `hooks.json` has it."""
        return {"hooks": {name: [group] for name, group in self.groups(silt).items()}}


def calls_silt(words: Words) -> bool:
    """Whether these are the words of a command line up to our own, wherever the script stands."""
    script = len(words) == 1 and Path(words[0]).name in ("silt", "silt.exe")
    return script or list(words[-2:]) == ["-m", "siltstone"]


_SHELL = {*"|&;<>()$`"}


def mine(agent: str) -> Mine:
    """Tells hooks of ours for that agent, wherever the script stood when they were written."""

    def is_mine(command: str) -> bool:
        try:
            words = shlex.split(command)
        except ValueError:
            return False
        if words[-2:] == ["||", "true"]:
            words = words[:-2]
        at = words.index("hook") if "hook" in words else len(words)
        more = words[at + 2 :]  # a word that somebody put behind ours; no pipe, no second command
        plain = not any(_SHELL & {*word} for word in more)
        return words[at : at + 2] == ["hook", agent] and plain and calls_silt(words[:at])

    return is_mine


def written(agent: str) -> Mine:
    """Tells hooks that `silt install` wrote: by the absolute path in them. One that calls `silt` by its name
    alone was written by hand, or is a package's."""
    is_mine = mine(agent)

    def is_written(command: str) -> bool:
        return is_mine(command) and any(
            kind(shlex.split(command)[0]).is_absolute() for kind in (PurePosixPath, PureWindowsPath)
        )

    return is_written


def hooks_file(path: Path, calls: Calls, silt: Words, strict: bool) -> Shared:
    """Our hooks in a JSON file of the agent's."""
    is_mine, table = written(calls.agent), calls.groups(silt)
    return Shared(
        path,
        lambda text, _: with_hooks(checked(text, strict), table, is_mine),
        lambda text, _: without_hooks(text, is_mine),
    )


def both(one: Shared, other: Shared) -> Shared:
    """Two that stand in one file; the server is the other's."""
    return Shared(
        one.path,
        lambda text, wrote: other.put(one.put(text, wrote), wrote),
        lambda text, wrote: one.take(other.take(text, wrote), wrote),
        one.least,
        other.server,
    )


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
