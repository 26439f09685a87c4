"""Our entries in an agent's settings: its hooks and the MCP server. How they look, how we know them from
those of others, and how they are added, renewed and removed.

A hook of ours calls `silt` by an absolute path. An MCP server of ours carries the variable MARK. Entries
that were written by hand have neither, and stay as they are.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from siltstone.agents import settings_json, settings_toml
from siltstone.agents.hooks import hooks_of
from siltstone.agents.settings_json import Unreadable, line_of, pruned, value_at, with_value

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
    if words[-2:] == ["||", "true"]:
        words = words[:-2]
    if words[-1:] == ["2>/dev/null"]:
        words = words[:-1]
    at = words.index("hook") if "hook" in words else len(words)
    more = words[at + 2 :]  # a word that somebody added; no pipe, no second command
    plain = not any(_SHELL & {*word} for word in more)
    return words if words[at : at + 2] == ["hook", agent] and plain and calls_silt(words[:at]) else []


def is_our_hook(hook: object, agent: str) -> bool:
    """Whether `silt install` wrote it: it calls us by an absolute path."""
    words = hook_words(hook, agent)
    return bool(words) and Path(words[0]).is_absolute()


def handlers(settings: Any) -> Iterator[tuple[str, int, int, Any]]:
    """Every hook in parsed settings: event, number of its group, number in it, the hook itself."""
    for event, number, group in _groups(settings):
        for place, hook in enumerate(group["hooks"]):
            yield event, number, place, hook


def _groups(settings: Any) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """Every group of hooks: event, number, the group. What has another shape is somebody else's."""
    events = settings.get("hooks") if isinstance(settings, dict) else None
    for event, groups in events.items() if isinstance(events, dict) else ():
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            if isinstance(group, dict) and isinstance(group.get("hooks"), list):
                yield event, number, group


def with_hooks(text: str, agent: str, groups: Groups) -> str:
    """The text with these groups and no other hooks of ours.

    A hook of ours that is there is renewed in its place, and keeps what was added to it. Raises Unreadable.
    """
    text = without_hooks(text, agent, groups)
    settings = settings_json.read(text)
    if not isinstance(settings, dict):
        raise Unreadable("the whole is no object", 1)
    events = settings.setdefault("hooks", {})
    if not isinstance(events, dict):
        raise Unreadable("hooks is no object", line_of(text, ("hooks",)))
    for event, group in groups.items():
        there = events.setdefault(event, [])
        if not isinstance(there, list):
            raise Unreadable(f"hooks.{event} is no list", line_of(text, ("hooks", event)))
        found = [(n, p) for e, n, p, hook in handlers(settings) if e == event and is_our_hook(hook, agent)]
        if not found:
            there.append(dict(group))
            continue
        number, place = found[0]
        inner = [*there[number]["hooks"]]
        inner[place] = {**inner[place], **group["hooks"][0]}
        there[number] = {**there[number], **group, "hooks": inner}
    return settings_json.changed(text, settings)


def without_hooks(text: str, agent: str, keep: Groups | None = None) -> str:
    """The text without hooks of ours, nor the groups, lists and objects that only they filled. One for each
    event in `keep` stays. Raises Unreadable."""
    settings = settings_json.read(text)
    wanted, kept = keep or {}, set[str]()
    emptied: list[tuple[str, int]] = []
    for event, number, group in _groups(settings):
        # The matcher of a group that others share is not ours to change.
        may_stay = event in wanted and (
            len(group["hooks"]) == 1 or wanted[event].get("matcher") == group.get("matcher")
        )
        left = []
        for hook in group["hooks"]:
            if is_our_hook(hook, agent):
                if not may_stay or event in kept:
                    continue
                kept.add(event)
            left.append(hook)
        if len(left) < len(group["hooks"]):
            settings["hooks"][event][number] = {**group, "hooks": left}
            if not left:
                emptied.append((event, number))
    text = settings_json.changed(text, settings)
    for event, number in reversed(emptied):
        del settings["hooks"][event][number]
        if not settings["hooks"][event]:
            del settings["hooks"][event]
    if emptied and not settings["hooks"]:
        del settings["hooks"]
    return settings_json.changed(text, settings)


# The MCP server: {"mcpServers": {"siltstone": {"command": …, "args": […], "env": {…}}}}


def mcp_words(tools: str) -> list[str]:
    """The words after `silt` that start the server; `tools`: the set that the user chose, "" for none."""
    return ["mcp", *(["--tools", tools] if tools else [])]


def server_entry(silt: Words, tools: str, variables: Mapping[str, str]) -> dict[str, Any]:
    """The entry that `silt install` writes."""
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
        added = _without_tools(added)
    env = {**there.get("env", {}), **entry["env"]}
    return {**there, **entry, "args": [*entry["args"], *added], "env": env}


def tools_in(words: Words) -> str:
    """The set of tools that a command line names; "" for none."""
    for number, word in enumerate(words):
        name, _, value = word.partition("=")
        if name == "--tools":
            return value or "".join(words[number + 1 : number + 2])
    return ""


def with_server(text: str, path: Sequence[str], entry: Mapping[str, Any] | None, toml: bool = False) -> str:
    """The text with our server at the path, or without it where `entry` is None. A server of the user's
    that has our name stays. Raises Unreadable."""
    settings = (settings_toml if toml else settings_json).read(text)
    there = value_at(settings, path)
    if there is not None and not is_our_server(there):
        return text
    if entry is None:
        if toml:
            return settings_toml.without_table(text, path)
        return (
            text
            if there is None
            else settings_json.changed(text, pruned(with_value(settings, path, None), path[:-1]))
        )
    wanted = dict(entry) if there is None else renewed_server(there, entry)
    if toml:
        return settings_toml.with_table(text, path, wanted)
    holder: Any = settings
    for number, name in enumerate(path):
        if not isinstance(holder, dict):
            raise Unreadable(f"{'.'.join(path[:number]) or 'the whole'} is no object", line_of(text, path))
        holder = holder.get(name, {})
    return settings_json.changed(text, with_value(settings, path, wanted))


def users_server(text: str, path: Sequence[str], toml: bool = False) -> int:
    """The line of a server of the user's that has our name; 0 for none. Raises Unreadable."""
    module = settings_toml if toml else settings_json
    there = value_at(module.read(text), path)
    return 0 if there is None or is_our_server(there) else module.line_of(text, path)


def _without_tools(words: Words) -> list[str]:
    left: list[str] = []
    skipped = False
    for word in words:
        if skipped or word.partition("=")[0] == "--tools":
            skipped = not skipped and word == "--tools"
        else:
            left.append(word)
    return left
