"""Hooks in an agent's JSON settings: `{"hooks": {EVENT: [{"matcher": …, "hooks": [{"command": …}]}]}}`.

Claude Code, Codex and Gemini CLI share this shape. Ours are told from others by their command.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from siltstone.agents.settings_edit.splice import add, drop, get, renewed_in
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
    return {event: hook["command"] for event, _, _, hook in handlers(settings) if is_mine(hook, mine)}


def with_hooks(text: str, groups: Groups, mine: Mine) -> str:
    """The text with these groups and no other hooks of ours; as it is when they stand there already.

    A hook of ours that stands there is renewed in its place: what else it and its group say stays. Raises
    Unreadable.
    """
    text = _dropped(text, mine, groups)
    for event, group in groups.items():
        found = next((one for one in _ours(text, mine) if one[0] == event), None)
        if found is None:
            text = add(text, (HOOKS, event), dict(group))
            continue
        _, number, place = found
        of_group = {key: value for key, value in group.items() if key != HOOKS}
        text = renewed_in(text, (HOOKS, event, number), of_group)
        text = renewed_in(text, (HOOKS, event, number, HOOKS, place), group[HOOKS][0])
    return text


def without_hooks(text: str, mine: Mine) -> str:
    """The text without hooks of ours, nor the groups, lists and objects that they alone filled.

    Raises Unreadable.
    """
    return _dropped(text, mine, {})


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


def plain_of(text: str) -> Any:
    """The settings that a text holds. Raises Unreadable."""
    node = get(text, ())
    return plain(node) if node else None


def _dropped(text: str, mine: Mine, kept: Groups) -> str:
    """The text without hooks of ours, but for one of each event that is kept."""
    while found := _surplus(text, mine, kept):
        event, number, place = found
        path: list[str | int] = [HOOKS, event, number, HOOKS, place]
        text = drop(text, path)
        group = get(text, path[:3])
        if group is not None and not plain(group)[HOOKS]:
            text = emptied(drop(text, path[:3]), path[:2])
    return text


def _surplus(text: str, mine: Mine, kept: Groups) -> tuple[str, int, int] | None:
    """The first hook of ours that is not to stand where it does: its event has none or another, or its group
    is for hooks of others too, whose matcher is not ours to change."""
    settings = plain_of(text)
    seen: set[str] = set()
    for event, number, place in _ours(text, mine):
        group = settings[HOOKS][event][number]
        wanted = kept.get(event)
        apart = len(group[HOOKS]) == 1 or (wanted and wanted.get("matcher") == group.get("matcher"))
        if wanted is None or event in seen or not apart:
            return event, number, place
        seen.add(event)
    return None


def _ours(text: str, mine: Mine) -> list[tuple[str, int, int]]:
    """The places of our hooks: event, number of the group, number in it."""
    found = handlers(plain_of(text))
    return [(event, number, place) for event, number, place, hook in found if is_mine(hook, mine)]


def is_mine(hook: Any, mine: Mine) -> bool:
    """Whether a hook of settings that are read, of whatever shape, is one of ours."""
    command = hook.get("command") if isinstance(hook, dict) else None
    return isinstance(command, str) and mine(command)
