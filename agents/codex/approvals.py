"""Which hooks of ours Codex passes over: it runs none that nobody approved as it stands, and says nothing.

Its settings hold `hooks.state."<source>:<event>:<group>:<number>"` with the `trusted_hash` of what was
approved, and `enabled = false` for what was switched off in its own screen. Sources, hashes and what is
counted in them are as its version of docs/doors.md tells them to its clients (`hooks/list`).
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from siltstone.agents.packages import HOOKS, NAME
from siltstone.agents.pieces import mine
from siltstone.agents.settings_edit.hooks import handlers, plain_of
from siltstone.agents.settings_edit.hooks import is_mine as is_ours
from siltstone.agents.settings_edit.tree import value_at

_STATE = ("hooks", "state")
_DEFAULT, _AT_END = 600, 3
"""Seconds that a hook has which names none, and that one of a session's end has at most."""
_WITHOUT_MATCHER = ("UserPromptSubmit", "Stop")
"""Events whose matcher Codex leaves out of account."""
_COUNTED = {"type", "command", "timeout", "async", "statusMessage"}


@dataclass(slots=True)
class Passed:
    """Events whose hook of ours Codex does not run."""

    unapproved: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    """Approved once, but not as the hook stands now."""
    off: list[str] = field(default_factory=list)


def sources(hooks: Path, package: bool) -> set[str]:
    """What Codex may call a hooks.json: its path; in a package the plugin, and the file within."""
    if package:
        market = hooks.parents[3].name
        return {f"{NAME}@{market}:{HOOKS.as_posix()}"}
    return {str(hooks), os.path.realpath(hooks)}


def passed_over(named: set[str], text: str, settings: Mapping[str, object]) -> Passed:
    """Our hooks of a hooks.json that Codex does not run by its settings. Raises Unreadable."""
    state = value_at(settings, _STATE)
    known = state if isinstance(state, dict) else {}
    passed = Passed()
    told = plain_of(text)
    for event, number, place, hook in handlers(told):
        if not is_ours(hook, mine("codex")):
            continue
        keys = [f"{source}:{_snake(event)}:{number}:{place}" for source in named]
        entry = next((one for key in keys if isinstance(one := known.get(key), dict)), {})
        approved, group = entry.get("trusted_hash"), told["hooks"][event][number]
        if entry.get("enabled") is False:
            passed.off.append(event)
        elif not isinstance(approved, str) or not approved:
            passed.unapproved.append(event)
        elif approved != (_counted(event, group, hook) or approved):
            passed.changed.append(event)
    return passed


def _counted(event: str, group: Mapping[str, Any], hook: Mapping[str, Any]) -> str:
    """The hash of a hook; "" for one that says what we do not know the weight of."""
    seconds, later = hook.get("timeout", _DEFAULT), hook.get("async", False)
    if hook.keys() - _COUNTED or type(seconds) is not int or not isinstance(later, bool):
        return ""
    limit = min(seconds, _AT_END) if event == "SessionEnd" else seconds
    told: dict[str, Any] = {
        "event_name": _snake(event),
        "hooks": [{**hook, "timeout": limit, "async": later}],
    }
    if isinstance(group.get("matcher"), str) and event not in _WITHOUT_MATCHER:
        told["matcher"] = group["matcher"]
    text = json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _snake(event: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in event).lstrip("_")
