"""The brief of a project: lines of its own files, quoted and labelled (docs/seeds.md E5, E6).

Made at write time (`recall/briefing.py`), shown as it stands. It is no memory and no evidence: whoever
reads it sees which file says so, and whether the file says something else by now.
"""

import os
import stat
import time

from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

READ_AT_MOST = 64 * 1024
"""Bytes of one file that are read, and that its hash is of."""


class Quote(NamedTuple):
    """What one file says. `said` is a safe line; "" when the file is only named."""

    file: str
    said: str
    hash: str = ""
    """Of the bytes it was taken from; "" for what is no plain file."""
    stamp: str = ""
    """Size and time of the file then: as long as they are the same, nobody has to read it."""


class Brief(NamedTuple):
    """The brief of one project."""

    folder: str
    """Where its files stand."""
    made: float
    """Epoch seconds."""
    quotes: tuple[Quote, ...]


def text(brief: Brief, stale: "Collection[str]" = ()) -> str:
    """The brief as a block shows it: a line that says what it is, then a line a file."""
    day = time.strftime("%Y-%m-%d", time.gmtime(brief.made))
    rows = [f"- {one.file}{_said(one)}{_mark(one, stale)}" for one in brief.quotes]
    return "\n".join([f"Quoted from the project's own files on {day}, unverified:", *rows])


def told(brief: Brief, stale: "Collection[str]" = ()) -> str:
    """The brief in a receipt."""
    names = [f"{one.file}{_mark(one, stale)}" for one in brief.quotes]
    return f"project brief, quoted from {', '.join(names)}"


def stale(brief: Brief) -> list[str]:
    """Files of a brief that do not hold any more what it was taken from."""
    return [one.file for one in brief.quotes if one.hash and _differs(brief.folder, one)]


def read(path: str) -> tuple[bytes, str] | None:
    """The beginning of a plain file and its stamp; None for anything else: no link is followed."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as file:
            status = os.fstat(handle)
            return (file.read(READ_AT_MOST), _stamp(status)) if stat.S_ISREG(status.st_mode) else None
    except (OSError, ValueError):
        return None


def digest(data: bytes) -> str:
    """What tells one content from another."""
    import hashlib  # half a millisecond that a brief which fits its files does not need

    return hashlib.sha256(data).hexdigest()


def briefed(rows: "Sequence[tuple[str, float, str, str, str, str]]") -> Brief | None:
    """The brief in rows of a database, (folder, made, *quote) each; None for none."""
    if not rows:
        return None
    return Brief(rows[0][0], rows[0][1], tuple(Quote(*row[2:]) for row in rows))


def _differs(folder: str, one: Quote) -> bool:
    path = os.path.join(folder, one.file)
    try:
        if _stamp(os.lstat(path)) == one.stamp:
            return False
    except (OSError, ValueError):
        return True
    found = read(path)
    return found is None or digest(found[0]) != one.hash


def _stamp(status: os.stat_result) -> str:
    return f"{status.st_size} {status.st_mtime_ns}"


def _said(one: Quote) -> str:
    return f": “{one.said}”" if one.said else ""


def _mark(one: Quote, stale: "Collection[str]") -> str:
    return " [changed since, verify]" if one.file in stale else ""
