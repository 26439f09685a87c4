"""What is there: one file with its numbers (D6), the tree (D11), the user's profile (E18)."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from siltstone.store.code.status import MARKS
from siltstone.store.entry import Stored
from siltstone.store.files.actor import Reader
from siltstone.store.layout import MAX_DEPTH

PROFILE = 5
"""Memories of a profile unless another number is set (E19, maxProfileItems)."""


class File(NamedTuple):
    """A memory as a file, with what D6 asks for."""

    path: str
    description: str
    content: str
    """The body."""
    chars: int
    """Of the body."""
    limit: int
    """Characters of body that it may hold."""
    readonly: bool
    hot: bool
    """It stands in `system/`: agents are shown it whole."""
    hash: str
    """sha256 hex of the whole file, frontmatter too."""
    code: str = ""
    """What became of the code that it is bound to, where that was looked at."""
    remark: str = ""
    """Why this reading could not be noted, so that an edit will ask for another; "" if it was."""

    @classmethod
    def of(cls, stored: Stored, remark: str = "") -> "File":
        entry = stored.entry
        text = (stored.path, entry.description, entry.body, len(entry.body))
        return cls(*text, entry.limit, entry.readonly, stored.pinned, stored.hash, stored.code, remark)


def read(reader: Reader, path: str) -> File:
    """One file, as it is on disk now (D6, D18); from now on this session may edit it.

    Takes no lock. Raises EntryError when there is none that may be shown, StoreError for a path that
    leads out of the store. It can be read also where the reading cannot be noted.
    """
    stored = reader.store.read(path)
    return File.of(stored, reader.saw(stored, read=True))


class Tree(NamedTuple):
    """The files of a scope, or of all, without their bodies."""

    files: tuple[File, ...]
    """Sorted by path."""
    folded: tuple[tuple[str, int], ...] = ()
    """Folders below the depth, each with the number of its files, sorted."""

    def lines(self) -> list[str]:
        """`path (chars/limit) — description` (D11, D15), then a line for each folded folder."""
        told = [f"{f.path} ({f.chars}/{f.limit}) — {f.description}{MARKS[f.code]}" for f in self.files]
        told += [f"{dir}/ — {n} {'file' if n == 1 else 'files'} below" for dir, n in self.folded]
        return told or ["no memory files found"]


def tree(entries: Sequence[Stored], depth: int = MAX_DEPTH) -> Tree:
    """The tree of `entries` (`Store.entries(scope)`: no archive, no inbox), `depth` levels deep.

    The first level is a scope's folder: 1 shows cold files, 2 hot ones too.
    """
    shown = []
    folded: Counter[str] = Counter()
    for stored in sorted(entries, key=lambda one: one.path):
        folder = stored.path.rpartition("/")[0]
        if stored.path.removeprefix(f"{stored.entry.scope}/").count("/") < depth:
            shown.append(File.of(stored))
        else:
            folded[folder] += 1
    return Tree(tuple(shown), tuple(sorted(folded.items())))


def profile(entries: Sequence[Stored], most: int = PROFILE) -> tuple[Stored, ...]:
    """What is known of the user: the entries of type user, hot ones first, then the latest (E18, E19)."""
    known = [stored for stored in entries if stored.entry.type == "user" and not stored.archived]
    known.sort(key=lambda one: (not one.pinned, -one.entry.updated.timestamp(), one.path))
    return tuple(known[:most])
