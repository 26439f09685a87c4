"""Hooks in an agent's JSON settings: `{"hooks": {EVENT: [{"matcher": …, "hooks": [{"command": …}]}]}}`.

Claude Code, Codex and Gemini CLI share this shape. Ours are told from others by their command.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from siltstone.agents.settings_edit.splice import add, drop, get
from siltstone.agents.settings_edit.tree import plain

HOOKS = "hooks"

Mine = Callable[[str], bool]
"""Whether a command is one of ours."""
Groups = Mapping[str, Mapping[str, Any]]
"""One group of hooks for each event."""


def handlers(settings: Any) -> Iterator[tuple[str, int, int, Any]]:
    """Every hook of settings that are read: event, number of its group, number in it, the hook itself.

    What has another shape is passed over: it is somebody else's.
    """
    events = settings.get(HOOKS) if isinstance(settings, dict) else None
    for event, groups in events.items() if isinstance(events, dict) else ():
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            inner = group.get(HOOKS) if isinstance(group, dict) else None
            for place, hook in enumerate(inner if isinstance(inner, list) else ()):
                yield event, number, place, hook


def commands(settings: Any, mine: Mine) -> dict[str, str]:
    """Our command of each event that has one."""
    return {event: hook["command"] for event, _, _, hook in handlers(settings) if _is_mine(hook, mine)}


def with_hooks(text: str, groups: Groups, mine: Mine) -> str:
    """The text with these groups and no other hooks of ours; as it is when they stand there already.

    Raises Unreadable.
    """
    if _standing(text, mine) == {event: [dict(group)] for event, group in groups.items()}:
        return text
    text = without_hooks(text, mine)
    for event, group in groups.items():
        text = add(text, (HOOKS, event), dict(group))
    return text


def without_hooks(text: str, mine: Mine) -> str:
    """The text without hooks of ours, nor the groups, lists and objects that they alone filled.

    Raises Unreadable.
    """
    while found := _first(text, mine):
        event, number, place = found
        path: list[str | int] = [HOOKS, event, number, HOOKS, place]
        text = drop(text, path)
        group = get(text, path[:3])
        if group is not None and not plain(group)[HOOKS]:
            text = emptied(drop(text, path[:3]), path[:2])
    return text


def emptied(text: str, path: list[str | int]) -> str:
    """The text without the container at the path if nothing is left in it, not even a comment, and so on
    upwards."""
    while path:
        node = get(text, path)
        if node is None or node.children or text[node.start + 1 : node.end - 1].strip():
            break
        text = drop(text, path)
        path = path[:-1]
    return text


def _standing(text: str, mine: Mine) -> dict[str, list[Any]]:
    """The groups in which a hook of ours stands, by event."""
    settings = plain_of(text)
    found: dict[str, list[Any]] = {}
    for event, number, _, hook in handlers(settings):
        if _is_mine(hook, mine):
            found.setdefault(event, []).append(settings[HOOKS][event][number])
    return found


def plain_of(text: str) -> Any:
    """The settings that a text holds. Raises Unreadable."""
    node = get(text, ())
    return plain(node) if node else None


def _first(text: str, mine: Mine) -> tuple[str, int, int] | None:
    for event, number, place, hook in handlers(plain_of(text)):
        if _is_mine(hook, mine):
            return event, number, place
    return None


def _is_mine(hook: Any, mine: Mine) -> bool:
    command = hook.get("command") if isinstance(hook, dict) else None
    return isinstance(command, str) and mine(command)
