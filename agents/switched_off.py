"""Settings by which an agent runs none of our hooks, though they stand there and answer."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siltstone.agents.packages import NAME
from siltstone.agents.settings_edit.hooks import plain_of
from siltstone.agents.settings_edit.toml_table import read
from siltstone.agents.settings_edit.tree import value_at


@dataclass(frozen=True, slots=True)
class _Switch:
    """A setting of an agent."""

    names: Sequence[str]
    off: bool
    """Its value where hooks are off."""


_FILES: Mapping[str, tuple[Sequence[str], str]] = {
    "claude": ((".claude/settings.local.json", ".claude/settings.json"), "settings.json"),
    "codex": ((".codex/config.toml",), "config.toml"),
    "gemini": ((".gemini/settings.json",), "settings.json"),
}
"""Of each agent the settings of a project, and the user's in its folder: the first that says anything of a
switch is what counts, as was seen with the versions of docs/doors.md."""
_SWITCHES: Mapping[str, Sequence[_Switch]] = {
    "claude": (_Switch(("disableAllHooks",), True),),
    "codex": (_Switch(("features", "hooks"), False), _Switch(("features", "codex_hooks"), False)),
    "gemini": (_Switch(("hooksConfig", "enabled"), False),),
}
_NAMES = {"gemini": ("hooksConfig", "disabled")}
"""A list of hooks that are off, by name: those of all settings count."""


def switched_off(agent: str, folder: Path, project: Path | None) -> str:
    """The setting that keeps the agent from running our hooks, with its file; "" where there is none.

    `folder`: where the agent has its settings for the user; `project`: where one stands. What cannot be read
    says nothing here.
    """
    found = list(_told(agent, folder, project))
    for switch in _SWITCHES.get(agent, ()):
        said = ((value_at(told, switch.names), path) for path, told in found)
        value, path = next(((value, path) for value, path in said if isinstance(value, bool)), (None, None))
        if value is switch.off:
            return f"{'.'.join(switch.names)} is {str(value).lower()} in {path}"
    for path, told in found:
        listed = value_at(told, _NAMES.get(agent, ("",)))
        if isinstance(listed, list) and NAME in listed:
            return f"{'.'.join(_NAMES[agent])} names {NAME} in {path}"
    return ""


def _told(agent: str, folder: Path, project: Path | None) -> Iterator[tuple[Path, Any]]:
    of_project, of_user = _FILES.get(agent, ((), ""))
    paths = [project / name for name in of_project] if project else []
    for path in [*paths, folder / of_user] if of_user else ():
        with suppress(OSError, ValueError):
            text = path.read_text(encoding="utf-8-sig")
            yield path, read(text) if path.suffix == ".toml" else plain_of(text)
