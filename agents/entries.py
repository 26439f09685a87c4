"""Our entries in an agent's settings: its hooks and the MCP server. How they look, how we know them from
those of others, and how they are added, renewed and removed.

A hook of ours calls `silt` by an absolute path. An MCP server of ours carries the variable MARK. Entries
that were written by hand have neither, and stay as they are.
"""

import shlex
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from siltstone.agents import settings_json, settings_toml
from siltstone.agents.hooks import hooks_of
from siltstone.agents.settings_json import drop, drop_empty, put, value_at

SERVER = "siltstone"
"""Our name among an agent's MCP servers and hooks."""
MARK = "SILT_INSTALLED"
"""Set in the environment of an MCP server that `silt install` wrote."""
QUIETLY = "2>/dev/null || true"
"""Ends every hook's line. With silt gone, the agent works on without a word, and no prompt is refused."""

Words = Sequence[str]
"""A command line up to our own words: the installed script, or a Python and `-m siltstone`."""
Groups = Mapping[str, Mapping[str, Any]]
"""One group of hooks for each event, as settings have them."""
_SHELL = {*"|&;<>()$`"}
_TOOLS = ArgumentParser(add_help=False, allow_abbrev=False)
_TOOLS.add_argument("--tools", nargs="?", default="", const="")


def calls_silt(words: Words) -> bool:
    """Whether these words call silt, wherever the script is."""
    script = len(words) == 1 and Path(words[0]).name == "silt"
    return script or list(words[-2:]) == ["-m", "siltstone"]


# Hooks: {"hooks": {EVENT: [{"matcher": …, "hooks": [{"type": "command", "command": …}]}]}}


def hook_groups(agent: str, silt: Words, **more: str) -> Groups:
    """The groups that `silt install` writes; `more` is added to each hook."""
    line = f"{shlex.join([*silt, 'hook', agent])} {QUIETLY}"
    return {
        hook.name: {
            **({} if hook.matcher is None else {"matcher": hook.matcher}),
            "hooks": [{**more, "type": "command", "command": line, "timeout": hook.timeout}],
        }
        for hook in hooks_of(agent).hooks
    }


def hook_words(hook: object, agent: str) -> list[str]:
    """The words of a hook that calls us for that agent, without its quiet ending; [] for any other."""
    line = hook.get("command") if isinstance(hook, dict) else None
    try:
        words = shlex.split(line) if isinstance(line, str) else []
    except ValueError:
        return []
    while words and words[-1] in QUIETLY.split():
        words.pop()
    at = words.index("hook") if "hook" in words else len(words)
    more = words[at + 2 :]  # a word that somebody added; no pipe, no second command
    plain = not any(_SHELL & {*word} for word in more)
    return words if words[at : at + 2] == ["hook", agent] and plain and calls_silt(words[:at]) else []


def is_our_hook(hook: object, agent: str) -> bool:
    """Whether `silt install` wrote it: it calls us by an absolute path."""
    words = hook_words(hook, agent)
    return bool(words) and Path(words[0]).is_absolute()


def handlers(settings: Any) -> Iterator[tuple[str, int, int, Any]]:
    """Every hook in parsed settings: event, number of its group, number in it, the hook itself. What has
    another shape is somebody else's."""
    events = value_at(settings, ("hooks",))
    for event, groups in events.items() if isinstance(events, dict) else ():
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            hooks = value_at(group, ("hooks",))
            for place, hook in enumerate(hooks if isinstance(hooks, list) else ()):
                yield event, number, place, hook


def with_hooks(text: str, agent: str, groups: Groups) -> str:
    """The text with these groups and no other hooks of ours.

    A hook of ours that is there is renewed in its place, and keeps what was added to it. Raises Unreadable.
    """
    text = without_hooks(text, agent, groups)
    settings = settings_json.read(text)
    for event, group in groups.items():
        (hook,) = group["hooks"]
        found = [(n, p) for e, n, p, one in handlers(settings) if e == event and is_our_hook(one, agent)]
        if found:
            ((number, place),) = found
            text = put(text, ("hooks", event, number, "hooks", place), hook)
            more = {key: value for key, value in group.items() if key != "hooks"}
            text = put(text, ("hooks", event, number), more)
        else:
            there = value_at(settings, ("hooks", event)) or []
            text = put(text, ("hooks", event, len(there) if isinstance(there, list) else 0), group)
    return text


def without_hooks(text: str, agent: str, keep: Groups | None = None) -> str:
    """The text without hooks of ours, nor the groups, lists and objects that only they filled. One for each
    event in `keep` stays. Raises Unreadable."""
    settings = settings_json.read(text)
    wanted, kept = keep or {}, set[str]()
    gone: list[tuple[str, int, int]] = []
    for event, number, place, hook in handlers(settings):
        if is_our_hook(hook, agent):
            # The matcher of a group that others share is not ours to change.
            group = settings["hooks"][event][number]
            is_same = event in wanted and wanted[event].get("matcher") == group.get("matcher")
            if event not in kept and (is_same or (event in wanted and len(group["hooks"]) == 1)):
                kept.add(event)
            else:
                gone.append((event, number, place))
    for event, number, place in reversed(gone):
        text = drop(text, ("hooks", event, number, "hooks", place))
        if not value_at(settings_json.read(text), ("hooks", event, number, "hooks")):
            text = drop_empty(drop(text, ("hooks", event, number)), ("hooks", event))
    return text


# The MCP server: {"mcpServers": {"siltstone": {"command": …, "args": […], "env": {…}}}}


def mcp_words(tools: str) -> list[str]:
    """The words after `silt` that start the server; `tools`: the set that the user chose, "" for none."""
    return ["mcp", *(["--tools", tools] if tools else [])]


def server_entry(silt: Words, tools: str, variables: Mapping[str, str]) -> dict[str, Any]:
    called = [*silt, *mcp_words(tools)]
    return {"command": called[0], "args": called[1:], "env": {**variables, MARK: "1"}}


def server_words(entry: object) -> list[str]:
    """The command line of an entry that starts `silt mcp`, whoever wrote it; [] for any other."""
    if not isinstance(entry, dict):
        return []
    args = entry.get("args", [])
    words = [entry.get("command"), *(args if isinstance(args, list) else [None])]
    called = [word for word in words if isinstance(word, str)]
    at = called.index("mcp") if "mcp" in called else 0
    return called if called == words and calls_silt(called[:at]) else []


def is_our_server(entry: object) -> bool:
    """Whether `silt install` wrote it, and it still starts silt."""
    env = entry.get("env") if isinstance(entry, dict) else None
    return bool(server_words(entry)) and isinstance(env, dict) and MARK in env


def renewed_server(there: Mapping[str, Any], entry: Mapping[str, Any]) -> dict[str, Any]:
    """`entry`, with what the user added to ours: words, variables, other keys. Tools that were chosen stay
    until others are."""
    words = server_words(there)
    added = words[words.index("mcp") + 1 :]
    if tools_in(entry["args"]):
        added = _TOOLS.parse_known_args(added)[1]
    env = {**there.get("env", {}), **entry["env"]}
    return {**there, **entry, "args": [*entry["args"], *added], "env": env}


def tools_in(words: Words) -> str:
    """The set of tools that a command line names; "" for none."""
    return cast(str, _TOOLS.parse_known_args(list(words))[0].tools)


def with_server(text: str, path: Sequence[str], entry: Mapping[str, Any] | None, toml: bool = False) -> str:
    """The text with our server at the path, or without it where `entry` is None. A server of the user's
    that has our name stays. Raises Unreadable."""
    module = settings_toml if toml else settings_json
    there = value_at(module.read(text), path)
    if there is not None and not is_our_server(there):
        return text
    if entry is None:
        return str(module.take(text, path))
    return str(module.put(text, path, dict(entry) if there is None else renewed_server(there, entry)))


def users_server(text: str, path: Sequence[str], toml: bool = False) -> str:
    """The line of a server of the user's that has our name; "" for none. Raises Unreadable."""
    module = settings_toml if toml else settings_json
    there = value_at(module.read(text), path)
    return "" if there is None or is_our_server(there) else f"line {module.line_of(text, path)}"
