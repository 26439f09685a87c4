"""Which files a session works with, and how much (docs/seeds.md A31, A32, and "Source": 20 are kept)."""

import json
import re
from typing import NamedTuple

from siltstone.recall.session.state import File
from siltstone.store.plain import cleaned

WEIGHTS = {"edit": 50, "write": 45, "grep": 30, "read": 20}
KEPT = 20
_PER_COUNT = 3
_LONGEST = 300
_MOST_AT_ONCE = 10

_TOOLS = {
    "edit": "edit multiedit multi_edit notebookedit replace str_replace apply_patch patch update smart_edit",
    "write": "write write_file create create_file save",
    "grep": "grep search search_file_content grep_search ripgrep",
    "read": "read read_file view view_file open cat read_many_files",
}
_ACTION = {name: action for action, names in _TOOLS.items() for name in names.split()}
_COMMANDS = {"cat": "read", "head": "read", "tail": "read", "nl": "read", "sed": "read", "less": "read"} | {
    "grep": "grep",
    "rg": "grep",
}
_KEYS = ("file_path", "filePath", "path", "absolute_path", "notebook_path", "filename", "file")
_PATCHED = r"(?m)^\*\*\* (Update|Add|Delete) File: (.{1,300})$"
_WORD = r"'([^'\n]{0,400})'|\"([^\"\n]{0,400})\"|([^\s'\"|;&<>]{1,400})|([|;&<>\n])"
_FILE = r"[\w@.+~-]*(?:/[\w@.+~-]+)*/?[\w@+~-]*\.[A-Za-z]\w{0,9}|[\w@.+~-]*(?:/[\w@.+~-]+)+"


class Touch(NamedTuple):
    """Something done with a file."""

    path: str
    action: str


def touches(name: str, given: str, command: str) -> list[Touch]:
    """What a tool call did with files. `name` is the agent's own name of the tool, `given` its arguments."""
    if command:
        return _by_command(command)
    action = _ACTION.get(name.lower().rsplit("__", 1)[-1])
    if action is None:
        return []
    patched = [Touch(path.strip(), _patched(verb)) for verb, path in re.findall(_PATCHED, given[:100_000])]
    return (patched or [Touch(path, action) for path in _paths(given)])[:_MOST_AT_ONCE]


def track(files: tuple[File, ...], touched: list[Touch], cwd: str, event: int) -> tuple[File, ...]:
    """The files with these touches counted; of more than KEPT those of the lowest rank go."""
    known = {file.path: file for file in files}
    for touch in touched:
        path = cleaned(shown(touch.path, cwd))
        if not path:
            continue
        before = known.get(path, File(path, touch.action))
        action = max(before.action, touch.action, key=lambda action: WEIGHTS.get(action, 0))
        known[path] = File(path, action, before.times + 1, event)
    return tuple(ranked(tuple(known.values()))[:KEPT])


def rank(file: File) -> int:
    """Weight of the action and three for each time (docs/seeds.md A32)."""
    return WEIGHTS.get(file.action, 0) + file.times * _PER_COUNT


def ranked(files: tuple[File, ...]) -> list[File]:
    """The weightiest first; of equals the latest."""
    return sorted(files, key=lambda file: (-rank(file), -file.event, file.path))


def shown(path: str, cwd: str) -> str:
    """A path as it is shown: inside the session's folder from there; "" for what is no path."""
    path = path.strip().replace("\\", "/")
    if not path or len(path) > 2 * _LONGEST + len(cwd) or any(ord(char) < 32 for char in path):
        return ""
    base = cwd.replace("\\", "/").rstrip("/")
    if base and path.startswith(base + "/"):
        path = path[len(base) + 1 :]
    while path.startswith("./"):
        path = path[2:]
    return path if 0 < len(path) <= 2 * _LONGEST else ""


def _by_command(command: str) -> list[Touch]:
    """What a shell command reads: the files named to `cat`, `sed -n`, `grep` and the like."""
    patched = [Touch(path.strip(), _patched(verb)) for verb, path in re.findall(_PATCHED, command[:100_000])]
    found, action, first = list(patched), "", True
    for single, double, bare, mark in re.findall(_WORD, command[:2_000] if not patched else ""):
        if mark:
            action, first = "", mark not in "<>"
        elif first:
            action, first = _COMMANDS.get(bare.rsplit("/", 1)[-1], ""), False
        elif (
            action and (single or double or bare)[:1] != "-" and re.fullmatch(_FILE, single or double or bare)
        ):
            found.append(Touch(single or double or bare, action))
    return found[:_MOST_AT_ONCE]


def _patched(verb: str) -> str:
    return "write" if verb == "Add" else "edit"


def _paths(given: str) -> list[str]:
    """Paths in a tool's arguments: under a key that holds one, or keys that are paths (Codex's changes)."""
    if len(given) > 2_000_000:
        return []
    try:
        found = json.loads(given)
    except (ValueError, RecursionError):
        return []
    if not isinstance(found, dict):
        return []
    named = [found[key] for key in _KEYS if isinstance(found.get(key), str) and found[key]]
    if named:
        return named[:1]
    return [key for key, value in found.items() if isinstance(value, dict) and "/" in key]
