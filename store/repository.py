"""What the git folder around a path says, read without running git (a batch asks for every session)."""

import os
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

MAX_CONFIG = 1_000_000
"""Bytes of a git config that are read."""
MAX_REFS = 2**20
"""Characters of `packed-refs` that are looked through."""
_ID_LENGTHS = (40, 64)
_HEX = frozenset("0123456789abcdef")

_SECTION = re.compile(r'\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*+)")?\s*\]')
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b"}


class Repository(NamedTuple):
    """A work tree and the git folder it shares with its other work trees. Paths are absolute."""

    top: str
    common: str
    name: str
    """Base name of the main work tree, also when seen from another one."""
    remote: str | None
    """URL of `origin`, else of the first remote: a second one may be anybody's."""


def find_repository(folder: str, ceilings: Collection[str]) -> Repository | None:
    """The repository around an existing folder; None when there is none below `ceilings`.

    `ceilings` (the home folder, "/") are never the top of a project, even when they are under git.
    """
    at = folder
    while at not in ceilings:
        common = _common(os.path.join(at, ".git"))
        if common is not None:
            return Repository(at, common, _name(at, common), _remote(os.path.join(common, "config")))
        above = os.path.dirname(at)
        if above == at:
            return None
        at = above
    return None


def remotes(config: str) -> dict[str, str]:
    """First URL of each remote in a git config, in its order."""
    found: dict[str, str] = {}
    for section, key, value in _settings(config):
        if section.startswith("remote ") and key == "url" and value:
            found.setdefault(section.removeprefix("remote "), value)
    return found


def _common(dot_git: str) -> str | None:
    """The common git folder that a `.git` folder or file leads to."""
    try:
        if os.path.isdir(dot_git):
            real = dot_git
        else:
            pointer = _read(dot_git)
            if not pointer.startswith("gitdir:"):
                return None
            target = pointer.removeprefix("gitdir:").strip()
            real = os.path.normpath(os.path.join(os.path.dirname(dot_git), target))
            shared = _read(os.path.join(real, "commondir"), missing=".").strip()
            real = os.path.normpath(os.path.join(real, shared))
        return os.path.realpath(real) if os.path.isfile(os.path.join(real, "HEAD")) else None
    except (OSError, ValueError):
        return None


def _name(top: str, common: str) -> str:
    folder, base = os.path.split(common)
    if base == ".git":
        return os.path.basename(folder)
    inside_git = f"{os.sep}.git{os.sep}" in common
    return os.path.basename(top) if inside_git else base.removesuffix(".git")


def _remote(config: str) -> str | None:
    try:
        found = remotes(_read(config, missing=""))
    except OSError:
        return None
    return found.get("origin", next(iter(found.values()), None))


def _read(path: str, missing: str | None = None) -> str:
    """A plain file's text. Raises OSError unless `missing` says what an absent one holds.

    Whatever else stands there is not opened: a pipe waits for ever, a device has no end.
    """
    if not os.path.isfile(path):
        if missing is not None:
            return missing
        raise FileNotFoundError(path)
    with open(path, "rb") as file:
        return file.read(MAX_CONFIG).decode("utf-8", "replace")


def _settings(config: str) -> Iterator[tuple[str, str, str]]:
    """(section, key, value) by git's own grammar: quotes, escapes, comments, continued lines."""
    section = ""
    for line in _joined(config).splitlines():
        head = _head(line)
        if head is not None:
            section, line = head
        key, sign, written = line.partition("=")
        key = key.strip()
        if sign and key.isascii() and key[:1].isalpha() and key.replace("-", "").isalnum():
            yield section, key.lower(), _value(written.lstrip(" \t"))


def _joined(config: str) -> str:
    """Continued lines as one."""
    return re.sub(r"\\\r?\n", "", config)


def _head(line: str) -> tuple[str, str] | None:
    """The section that a line opens, and what stands behind it; None for another line."""
    head = _SECTION.match(line)
    if head is None:
        return None
    name = "" if head[2] is None else " " + re.sub(r"\\(.)", r"\1", head[2])
    return head[1].lower() + name, line[head.end() :]


def _value(written: str) -> str:
    out: list[str] = []
    quoted = False
    kept = 0
    characters = iter(written)
    for char in characters:
        if char == '"':
            quoted = not quoted
            kept = len(out)
        elif char == "\\":
            escaped = next(characters, "")
            out.append(_ESCAPES.get(escaped, escaped))
            kept = len(out)
        elif char in "#;" and not quoted:
            break
        else:
            out.append(char)
            kept = len(out) if quoted or not char.isspace() else kept
    return "".join(out[:kept])


def head(root: str) -> str:
    """The commit that a store's HEAD names; "" where its files do not say."""
    return _named(os.path.join(root, ".git"))


def commit_of(git: str) -> str | None:
    """The same of a git folder, when it is a whole id; None where only git knows."""
    said = _named(git)
    return said if len(said) in _ID_LENGTHS and not set(said) - _HEX else None


def _named(git: str) -> str:
    said = _read_ref(os.path.join(git, "HEAD")).strip()
    if not said.startswith("ref: "):
        return said
    ref = said.removeprefix("ref: ")
    return _read_ref(os.path.join(git, ref)).strip() or _packed(os.path.join(git, "packed-refs"), ref)


def _packed(path: str, ref: str) -> str:
    lines = (line.partition(" ") for line in _read_ref(path).split("\n"))
    return next((commit for commit, _, name in lines if name == ref), "")


def _read_ref(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(MAX_REFS)
    except (OSError, ValueError):
        return ""
