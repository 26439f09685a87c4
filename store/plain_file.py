"""Reading files that others may have made. What is no plain file is refused at once: a pipe is waited on for
ever, a device has no end."""

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

_BUFFER = 128 * 1024


def opened(path: Path | str, links: bool = True) -> BinaryIO:
    """A plain file, to be read; `links`: what a symbolic link leads to as well. Raises OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if links else os.O_NOFOLLOW))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "not a plain file", os.fspath(path))
    return os.fdopen(handle, "rb", _BUFFER)


def content(path: Path | str) -> bytes:
    """All of a plain file. Raises OSError."""
    with opened(path) as file:
        return file.read()


def head(path: Path | str, most: int = 1024 * 1024) -> bytes:
    """The first bytes of a plain file, `most` at most; none where it cannot be read."""
    try:
        with opened(path) as file:
            return file.read(most)
    except (OSError, ValueError):
        return b""
