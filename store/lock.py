"""The store's lock: one writer at a time, across processes and threads (invariant 13).

It protects the work tree, git's index and the branch of one store between `settle` and the end of
the last `apply`. It is held for merge and commit only, never while a model is waited for; readers
do not take it. It is a kernel lock (flock) on `.git/silt-lock`, so a killed holder frees it; a git
that the holder started keeps it until that git is done (`Disk.run`), so that nobody recovers a
store while an orphan is still writing to it. Plain `fcntl`, not filelock: filelock does not give its
descriptor to a child, and takes 51 ms to import.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from siltstone.store.disk import Disk
from siltstone.store.errors import Locked, StoreError

WAIT = 30.0
"""Seconds a writer waits by default: a merge and commit takes a fraction of one."""
STEP = 0.05


@contextmanager
def locked(path: Path, store: Path, disk: Disk, wait: float = WAIT) -> Iterator[int]:
    """Hold the lock at `path`, which protects `store`; yields its descriptor.

    Raises Locked when somebody else has held it for `wait` seconds, StoreError when the lock file
    cannot be written.
    """
    left = wait
    while (handle := _try(path, disk)) is None:
        if left <= 0:
            since = f"has been writing to {store} for {wait:.0f} s" if wait >= 1 else f"is writing to {store}"
            raise Locked(f"another silt process {since}: try again later")
        disk.pause(STEP)
        left -= STEP
    try:
        yield handle
    finally:
        disk.unlock(handle)


def _try(path: Path, disk: Disk) -> int | None:
    try:
        return disk.lock(path)
    except OSError as error:
        raise StoreError(
            f"the store's lock {path} cannot be taken ({error.strerror}): make the folder writable"
        ) from error
