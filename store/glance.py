"""Whether anything in a store changed, told by stat alone: no git, no lock, no file opened."""

import os
from collections.abc import Iterator
from pathlib import Path

from siltstone.store.disk import is_temp
from siltstone.store.layout import is_derived, is_scratch

_MODULUS = 1 << 64


def glance(root: Path) -> int:
    """A number that is another one when a file that a hand may have edited was made, changed or removed.

    Two of them compare within one process only. Derived files, git's own and what editors keep beside a
    file do not count. A folder that cannot be read, or goes meanwhile, counts as empty.
    """
    return sum(map(hash, _files(os.fspath(root)))) % _MODULUS


def _files(root: str) -> Iterator[tuple[str, int, int, int]]:
    """Path, inode, size and time of every file."""
    folders = [""]
    while folders:
        folder = folders.pop()
        for entry in _listed(os.path.join(root, folder)):
            path = folder + entry.name
            if entry.is_dir(follow_symlinks=False):
                folders += [] if entry.name == ".git" else [f"{path}/"]
            elif not (is_derived(path) or is_temp(entry.name) or is_scratch(entry.name)):
                try:
                    stat = entry.stat(follow_symlinks=False)
                except OSError:
                    continue
                yield path, stat.st_ino, stat.st_size, stat.st_mtime_ns


def _listed(folder: str) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []
