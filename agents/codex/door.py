"""What Siltstone puts into Codex: hooks in hooks.json, an MCP server in config.toml, a skill.

Codex runs only the hooks that the user approved as they are, and skips the others without a message. Its
settings hold `hooks.state."<source>:<event>:<group>:<number>"` with the `trusted_hash` of what was approved,
and `enabled = false` for what was switched off in its own screen. Sources and hashes are as the version in
docs/doors.md reports them to its clients (`hooks/list`).
"""

import json
import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from siltstone.agents import commands, settings_json
from siltstone.agents.door import FOLDER, Own, Piece, Place, Settings
from siltstone.agents.entries import SERVER, handlers, hook_groups, hook_words
from siltstone.agents.settings_json import value_at


def pieces(place: Place, base: Path) -> tuple[Piece, ...]:
    return (
        Settings(base / "hooks.json", "codex", hook_groups("codex", place.silt), strict=True),
        Settings(base / "config.toml", "codex", server=("mcp_servers", SERVER), entry=place.server),
        Own(base / "skills" / FOLDER / "SKILL.md", commands.codex(place.silt)),
    )


_STATE = ("hooks", "state")
_DEFAULT, _AT_END = 600, 3
"""Seconds that a hook has which names none, and that one of a session's end has at most."""
_WITHOUT_MATCHER = ("UserPromptSubmit", "Stop")
"""Events whose matcher Codex ignores."""
_HASHED = {"type", "command", "timeout", "async", "statusMessage"}


APPROVE = 'start codex and choose "Trust all and continue"'
NOT_YET = f" yet: {APPROVE}"
CHANGED = f": changed since they were approved; {APPROVE}"
OFF = ": switched off; switch them on in its /hooks"


def skipped_hooks(file: Path, text: str, settings: Mapping[str, object]) -> dict[str, list[str]]:
    """Why Codex does not run some of our hooks of a hooks.json, by its settings, each with the events. Raises
    Unreadable."""
    named = {str(file), os.path.realpath(file)}
    state = value_at(settings, _STATE)
    known = state if isinstance(state, dict) else {}
    skipped: dict[str, list[str]] = {}
    hooks = settings_json.read(text)
    for event, number, place, hook in handlers(hooks):
        if not hook_words(hook, "codex"):
            continue
        keys = [f"{source}:{_snake(event)}:{number}:{place}" for source in named]
        entry = next((one for key in keys if isinstance(one := known.get(key), dict)), {})
        approved, group = entry.get("trusted_hash"), hooks["hooks"][event][number]
        if entry.get("enabled") is False:
            skipped.setdefault(OFF, []).append(event)
        elif not isinstance(approved, str) or not approved:
            skipped.setdefault(NOT_YET, []).append(event)
        elif approved != (_hash(event, group, hook) or approved):
            skipped.setdefault(CHANGED, []).append(event)
    return skipped


def approval(file: Path, text: str, settings: Mapping[str, object]) -> str:
    """What the user must still do before Codex runs our hooks of a hooks.json; "" for nothing. Raises
    Unreadable."""
    waits = skipped_hooks(file, text, settings).keys() & {NOT_YET, CHANGED}
    return f"Codex needs you to approve the hooks once: {APPROVE}" if waits else ""


def _hash(event: str, group: Mapping[str, Any], hook: Mapping[str, Any]) -> str:
    """The hash of a hook; "" for one with keys that we do not know."""
    seconds, later = hook.get("timeout", _DEFAULT), hook.get("async", False)
    if hook.keys() - _HASHED or type(seconds) is not int or not isinstance(later, bool):
        return ""
    limit = min(seconds, _AT_END) if event == "SessionEnd" else seconds
    identity: dict[str, Any] = {
        "event_name": _snake(event),
        "hooks": [{**hook, "timeout": limit, "async": later}],
    }
    if isinstance(group.get("matcher"), str) and event not in _WITHOUT_MATCHER:
        identity["matcher"] = group["matcher"]
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"


def _snake(event: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in event).lstrip("_")
