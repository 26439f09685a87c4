"""Where things stand in a store (docs/store-format.md), and which paths may be written.

Paths are relative to the store, with forward slashes. Names come from code, but what code makes them
of comes from models and transcripts: every path is checked here before it is touched (C28).
"""

import os
import re
from contextlib import suppress
from pathlib import Path

from siltstone.store.disk import is_temp
from siltstone.store.entry import GLOBAL
from siltstone.store.errors import StoreError
from siltstone.store.names import place

INBOX = "inbox"
PROJECTS = "projects"
SYSTEM = "system"
ARCHIVE = "archive"
CONFLICTS = "_CONFLICTS.md"
PROJECT_FILE = "project.yaml"
INDEX = "MEMORY.md"
MAX_DEPTH = 3
"""Levels of a tree unless another number is set (D5, maxTreeDepth): as deep as a store goes."""

IGNORE_HEADER = "# Siltstone: derived files, written anew from the memories"
IGNORE = f"{IGNORE_HEADER}\n/MEMORY.md\n/projects/*/MEMORY.md\n/projects.md\n/PROTOCOL.md\n"
"""The store's .gitignore. Its first line marks a store among other repositories, in clones too.

The user may edit it or take it away: the same stands in `.git/info/exclude`, and `is_derived` holds
whatever either says."""

MAX_PART = 200
"""Bytes of one part of a path: most file systems end at 255."""

_PART = re.compile(
    r"[^\x00-\x20\x7f.\-\\/:*?\"<>|\ud800-\udfff][^\x00-\x1f\x7f\\/:*?\"<>|\ud800-\udfff]*(?<![. ])"
)
_RESERVED = re.compile(r"(?i:con|prn|aux|nul|com\d|lpt\d)(\..*)?")
_SHAPES = re.compile(
    rf"{CONFLICTS}"
    rf"|{INBOX}/[^/]+\.md"
    rf"|{PROJECTS}/[^/]+/{PROJECT_FILE}"
    rf"|({GLOBAL}|{PROJECTS}/[^/]+)/(({SYSTEM}|{ARCHIVE})/)?[^/]+\.md"
)


_DERIVED = re.compile(rf"({PROJECTS}/[^/]+/)?{INDEX}|projects\.md|PROTOCOL\.md")


def is_derived(path: str) -> bool:
    """Whether a file is written anew from the memories, and so never committed by us (invariant 12)."""
    return _DERIVED.fullmatch(path) is not None


_SCRATCH = re.compile(
    r"\.[^/]*\.sw[a-z]|[^/]*~|#[^/]*#|\.#[^/]*|4913|\.DS_Store|\.goutputstream-[^/]*|[^/]*\.kate-swp"
)


def is_scratch(path: str) -> bool:
    """Whether a file's name is one that editors and desktops give to what they need for a moment."""
    return _SCRATCH.fullmatch(path.rpartition("/")[2]) is not None


def is_place(path: str) -> bool:
    """Whether a path is safe, and of a shape that a file of the store has."""
    parts = path.split("/")
    return (
        _SHAPES.fullmatch(path) is not None
        and parts[-1].casefold() != INDEX.casefold()
        and all(_PART.fullmatch(part) and not _RESERVED.fullmatch(part) for part in parts)
        and all(len(part.encode()) <= MAX_PART for part in parts)
    )


def check(root: Path, path: str) -> Path:
    """The absolute path of a file that may be written in the store at `root`.

    Raises StoreError unless it is a safe relative path of a known shape with no symbolic link on the
    way: no "..", no absolute path, nothing hidden, nothing derived.
    """
    if not is_place(path):
        raise StoreError(f"{path[:MAX_PART]!r} is not a place for a memory: nothing was written, rename it")
    return inside(root, path)


def inside(root: Path, path: str) -> Path:
    """The absolute path of any file of the store; raises StoreError for one that leads out of it."""
    parts = path.split("/")
    if "\0" in path or any(part in ("", ".", "..") or part.casefold() == ".git" for part in parts):
        raise StoreError(f"{path[:MAX_PART]!r} leads out of the store: nothing was written")
    at = root
    for part in parts:
        at = at / part
        if at.is_symlink():
            raise StoreError(f"{at} is a symbolic link: replace it with a real file or folder")
    return at


def files(root: Path, folder: str) -> list[str]:
    """Paths of the entry files directly in `folder`, sorted; symbolic links too, which are not followed."""
    if not is_real_folder(root, folder):
        return []
    with os.scandir(root / folder) as found:
        names = [f"{folder}/{item.name}" for item in found if not item.is_dir(follow_symlinks=False)]
    return sorted(filter(place, names))


def scopes(root: Path) -> list[str]:
    """ "global" and each project that holds anything, sorted."""
    found = [GLOBAL]
    if is_real_folder(root, PROJECTS):
        for name in sorted(os.listdir(root / PROJECTS)):
            scope = f"{PROJECTS}/{name}"
            if not name.startswith(".") and is_real_folder(root, scope):
                with os.scandir(root / scope) as held:
                    found += [scope] if any(held) else []
    return found


def is_real_folder(root: Path, folder: str) -> bool:
    """Whether `folder` of the store is a folder with no symbolic link on the way."""
    at = os.fspath(root)
    for part in folder.split("/"):
        at = f"{at}/{part}"
        if os.path.islink(at):
            return False
    return os.path.isdir(at)


def fingerprint(root: Path) -> int:
    """A number that changes when a file that a person may have edited was made, changed or removed.

    Found by stat alone: no git, no lock, no file opened. Two of them compare within one process only.
    Derived files, git's own and what editors keep beside a file do not count. A folder that cannot be read,
    or that is deleted at this moment, counts as empty.
    """
    found = 0
    top = os.fspath(root)
    for folder, folders, files in os.walk(top):
        folders[:] = [name for name in folders if name != ".git"]
        links = [name for name in folders if os.path.islink(os.path.join(folder, name))]
        for name in (*files, *links):
            at = os.path.join(folder, name)
            if is_derived(at[len(top) + 1 :]) or is_temp(name) or is_scratch(name):
                continue
            with suppress(OSError):
                stat = os.lstat(at)
                found += hash((at, stat.st_ino, stat.st_size, stat.st_mtime_ns))
    return found % (1 << 64)
