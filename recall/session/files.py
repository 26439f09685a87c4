"""Which files a session works with, and how much (docs/seeds.md A31, A32, and "Source": 20 are kept)."""

import re
from json import loads
from typing import NamedTuple

from siltstone.recall.session.state import File
from siltstone.store.data import data
from siltstone.store.redaction import cleaned

_NAMES = data(__file__, "programs.toml")

WEIGHTS = {"edit": 50, "write": 45, "grep": 30, "read": 20}
KEPT = 20
_PER_COUNT = 3
_LONGEST = 600
_MOST_AT_ONCE = 10

_ACTION, _COMMANDS = (
    {word: name for name, words in _NAMES[table].items() for word in words.split()}
    for table in ("tools", "programs")
)
_WITH_PATTERN = frozenset({"grep", "rg", "sed"})
"""Programs whose first word is a pattern or script, and no file."""
_WRITERS = frozenset({"cat", "echo", "printf"})
_KEYS = ("file_path", "filePath", "path", "absolute_path", "notebook_path", "filename", "file")
_PATCHED = re.compile(r"(?m)^\*\*\* (Update|Add|Delete) File: (.{1,300})$")
_WORD = re.compile(r"'([^'\n]{0,400})'|\"([^\"\n]{0,400})\"|([^\s'\"|;&<>]{1,400})|([|;&<>\n])")
_FILE = re.compile(r"[\w@.+~-]*(?:/[\w@.+~-]+)*/?[\w@+~-]*\.[A-Za-z]\w{0,9}|[\w@.+~-]*(?:/[\w@.+~-]+)+")


class Touch(NamedTuple):
    """An action on a file."""

    path: str
    action: str


def touches(name: str, given: str, command: str) -> list[Touch]:
    """What a tool call did with files. `name` is the agent's own name of the tool, `given` its arguments."""
    if command:
        return _by_command(command)
    action = _ACTION.get(name.lower().rsplit("__", 1)[-1])
    if action is None:
        return []
    try:
        found = loads(given) if len(given) <= 2_000_000 else {}
    except (ValueError, RecursionError):
        found = {}
    arguments: dict[str, object] = found if isinstance(found, dict) else {}
    texts = [given, *(value for value in arguments.values() if isinstance(value, str))]
    patched = [touch for text in texts for touch in _in_patch(text)]
    named = [value for key in _KEYS if isinstance(value := arguments.get(key), str) and value][:1]
    # Codex's changes have paths for keys.
    paths = named or [key for key, value in arguments.items() if isinstance(value, dict) and "/" in key]
    return (patched or [Touch(path, action) for path in paths])[:_MOST_AT_ONCE]


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
    """Highest rank first, then the latest."""
    return sorted(files, key=lambda file: (-rank(file), -file.event, file.path))


def shown(path: str, cwd: str) -> str:
    """A path as it is shown, relative to the session's folder when inside it; "" for what is no path."""
    path = path.strip().replace("\\", "/")
    if not path or len(path) > _LONGEST + len(cwd) or any(ord(char) < 32 for char in path):
        return ""
    base = cwd.replace("\\", "/").rstrip("/")
    if base and path.startswith(base + "/"):
        path = path[len(base) + 1 :]
    while path.startswith("./"):
        path = path[2:]
    return path if 0 < len(path) <= _LONGEST else ""


def _by_command(command: str) -> list[Touch]:
    """What a shell command does with files: those given to `cat`, `sed`, `grep` and the like, and those that
    `cat`, `echo` and `printf` are redirected to."""
    found = _in_patch(command)
    if found:
        return found[:_MOST_AT_ONCE]
    program, action, pattern, into = "", "", False, False
    for single, double, bare, mark in _WORD.findall(command[:2_000]):
        word = single or double or bare
        if not word and not mark:
            continue
        if mark in ("<", ">"):
            into, action = mark == ">" and program in _WRITERS, ""
        elif mark:
            program = action = ""
            into = False
        elif not program:
            program = bare.rsplit("/", 1)[-1] or " "
            action, pattern = _COMMANDS.get(program, ""), program in _WITH_PATTERN
        elif word[:1] == "-":
            pattern = pattern and word not in ("-e", "-f")
            action = "edit" if program == "sed" and word[:2] == "-i" else action
        elif pattern and not into:
            pattern = False
        elif (action or into) and _FILE.fullmatch(word) and not word.startswith("/dev/"):
            found.append(Touch(word, "write" if into else action))
            into = False
    return found[:_MOST_AT_ONCE]


def _in_patch(text: str) -> list[Touch]:
    return [
        Touch(path.strip(), "write" if verb == "Add" else "edit")
        for verb, path in _PATCHED.findall(text[:100_000])
    ]
