"""Reading one entry file: each error is one sentence that names the file, its line and what to do.

Whoever reads leaves such a file out and goes on with the rest (invariants 8 and 13).
"""

import errno
import os
from pathlib import Path

from siltstone.store.entry import Entry
from siltstone.store.errors import EntryError, RedactionError
from siltstone.store.frontmatter import parse
from siltstone.store.plain_file import opened
from siltstone.store.redaction import findings

MAX_BYTES = 5_000_000
"""A larger file is no memory: it is named, not read."""


def a_link(path: str) -> str:
    """The sentence on a symbolic link in place of a file."""
    return f"{path} is a symbolic link, which Siltstone does not follow: put the file itself there"


def read_file(root: Path, path: str) -> bytes:
    """Content of a file; raises EntryError for a link, and for one that is too large or unreadable."""
    try:
        path.encode()
        with opened(os.path.join(root, path), links=False) as file:
            size = os.fstat(file.fileno()).st_size
            if size <= MAX_BYTES:
                # Not MAX_BYTES: room for so much would be made for every file.
                return file.read(size + 1)
    except UnicodeEncodeError:
        raise EntryError(f"{path!a} has a name that is not UTF-8: rename it") from None
    except OSError as error:
        told = f"{path} cannot be read ({error.strerror}): make it a plain, readable file"
        raise EntryError(a_link(path) if error.errno == errno.ELOOP else told) from error
    raise EntryError(f"{path} is not a file under {MAX_BYTES:,} bytes: move it out of the store")


def read_entry(path: str, data: bytes) -> Entry:
    """The entry in a file's content. Raises EntryError."""
    try:
        return parse(path, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise EntryError(f"{path}, line {line}: is not UTF-8; save it as UTF-8") from error


def read_old(path: str, data: bytes) -> Entry | None:
    """The entry in what once stood at `path`; None when it does not parse."""
    try:
        return parse(path, data.decode("utf-8", "replace"))
    except EntryError:
        return None


def secret_in(path: str, data: bytes) -> str:
    """A sentence that names file and line when `data` holds a secret, or cannot be checked; else ""."""
    try:
        found = findings(data.decode("utf-8", "replace"))
    except RedactionError as error:
        return f"{path} could not be checked for secrets ({error}): it is not committed, shown or sent"
    if not found:
        return ""
    return (
        f"{path}, line {found[0].line}: contains a secret ({found[0].kind}); it is not committed, shown "
        f"or sent until you remove the secret"
    )
