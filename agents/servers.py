"""Our MCP server among an agent's: told from others by our record, renewed where it stands, taken out.

What a user wrote beside our own values (`required`, a timeout, more words behind ours, variables) stays when
they are renewed. A server of our name that we did not write, or that starts something else by now, is the
user's: it stays as it is, and ours is left out.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from siltstone.agents.pieces import Place, Shared, Words, Wrote, calls_silt, checked
from siltstone.agents.settings_edit.hooks import emptied, plain_of
from siltstone.agents.settings_edit.splice import drop, get, put, renewed_in
from siltstone.agents.settings_edit.toml_table import line_of, read, with_table, without_table
from siltstone.agents.settings_edit.tree import line_at, value_at

SERVER = "siltstone"
"""Our name among an agent's MCP servers."""
_WORD = "mcp"
_TOOLS = "--tools"
_KEYS = {"command", "args", "env"}
_VARIABLES = ("SILT_", "XDG_", "CLAUDE_", "CODEX_", "GEMINI_")
"""What the names of variables begin with that we write down."""


def words(tools: str) -> list[str]:
    """What is said to silt; `tools`: the set that the user chose, "" for none."""
    return [_WORD, *([_TOOLS, tools] if tools else [])]


def entry(silt: Words, tools: str, variables: Mapping[str, str] | None = None) -> dict[str, Any]:
    """How the server is started, `env` only where there is something to say."""
    called = [*silt, *words(tools)]
    env = {"env": dict(variables)} if variables else {}
    return {"command": called[0], "args": called[1:], **env}


def server(place: Place) -> dict[str, Any] | None:
    """How it is started for a place; None where it cannot be."""
    return entry(place.silt, place.tools, place.variables) if place.mcp else None


def line_called(there: object) -> list[str] | None:
    """The command line of an entry; None where it has none."""
    if not isinstance(there, Mapping):
        return None
    called = [there.get("command"), *(args if isinstance(args := there.get("args", []), list) else [None])]
    told = [word for word in called if isinstance(word, str)]
    return told if len(told) == len(called) else None


def starts_silt(there: object) -> bool:
    """Whether an entry starts `silt mcp`, wherever the script stood when it was written."""
    return _behind(there) is not None


def is_ours(there: object, wrote: Wrote) -> bool:
    """Whether an entry is ours to renew and to take out: by the record; where that is lost, if it looks just
    as we write it."""
    return starts_silt(there) if wrote else wrote is None and _as_written(there)


def renewed(there: Mapping[str, Any], told: Mapping[str, Any]) -> dict[str, Any]:
    """What `told` says, with what stands beside it in an entry of ours: words behind ours, variables."""
    more, chosen = _behind(there) or [], _behind(told)
    if chosen:
        more = _without_tools(more)
    env = {**(there["env"] if isinstance(there.get("env"), dict) else {}), **told.get("env", {})}
    return {"command": told["command"], "args": [*told["args"], *more], **({"env": env} if env else {})}


def tools_in(called: Sequence[str]) -> str:
    """The set of tools that a command line names; "" for none."""
    for number, word in enumerate(called):
        name, _, value = word.partition("=")
        if name == _TOOLS:
            return value or "".join(called[number + 1 : number + 2])
    return ""


def server_file(path: Path, names: Sequence[str], told: Mapping[str, Any] | None, strict: bool) -> Shared:
    """Our MCP server in a JSON file of the agent's, at a path of names; None: none stands there."""

    def took(text: str, wrote: Wrote) -> str:
        if not is_ours(value_at(plain_of(text), names), wrote):
            return text
        return emptied(drop(text, names), [*names[:-1]])

    def put_in(text: str, wrote: Wrote) -> str:
        there = value_at(plain_of(checked(text, strict)), names)
        if told is None or (there is not None and not is_ours(there, wrote)):
            return took(text, wrote)
        return put(text, names, told) if there is None else renewed_in(text, names, renewed(there, told))

    def found(text: str) -> tuple[object, int] | None:
        node, there = get(text, names), value_at(plain_of(text), names)
        return None if node is None or there is None else (there, line_at(text, node.start))

    return Shared(path, put_in, took, server=found)


def table_file(path: Path, names: Sequence[str], told: Mapping[str, Any] | None) -> Shared:
    """Our MCP server in a TOML file of the agent's; None: none stands there."""

    def took(text: str, wrote: Wrote) -> str:
        return without_table(text, names) if is_ours(value_at(read(text), names), wrote) else text

    def put_in(text: str, wrote: Wrote) -> str:
        there = value_at(read(text), names)
        if told is None or (there is not None and not is_ours(there, wrote)):
            return took(text, wrote)
        return with_table(text, names, told if there is None else renewed(there, told))

    def found(text: str) -> tuple[object, int] | None:
        there = value_at(read(text), names)
        return None if there is None else (there, line_of(text, names))

    return Shared(path, put_in, took, "", found)


def _behind(there: object) -> list[str] | None:
    """The words behind `silt mcp` of an entry that starts it; None of any other."""
    called = line_called(there) or []
    number = called.index(_WORD) if _WORD in called else 0
    return called[number + 1 :] if calls_silt(called[:number]) else None


def _as_written(there: object) -> bool:
    """Whether we could have written an entry, every word of it."""
    if not isinstance(there, Mapping) or not starts_silt(there):
        return False
    called, behind = line_called(there) or [], _behind(there) or []
    env = there.get("env", {})
    more = isinstance(env, Mapping) and all(name.startswith(_VARIABLES) for name in env)
    absolute = os.path.isabs(called[0])
    return absolute and more and there.keys() <= _KEYS and [_WORD, *behind] == words(tools_in(behind))


def _without_tools(called: Sequence[str]) -> list[str]:
    left: list[str] = []
    skipped = False
    for word in called:
        if skipped or word.partition("=")[0] == _TOOLS:
            skipped = not skipped and word == _TOOLS
        else:
            left.append(word)
    return left
