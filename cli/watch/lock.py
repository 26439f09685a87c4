"""The lock of `silt watch`: one process for each state folder, and the file names it."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from siltstone.store.disk import Disk
from siltstone.store.errors import Locked
from siltstone.store.state import Holder
from siltstone.store.state.windows import started

LOCK = "watch.lock"
"""In the state folder."""


@contextmanager
def only_watch(folder: Path, since: datetime) -> Iterator[None]:
    """Be the only watch on this state folder. Raises Locked for a second one."""
    disk = Disk()
    disk.mkdir(folder)
    handle = disk.lock(folder / LOCK)
    if handle is None:
        raise Locked(f"another silt watch is running on {folder}: keep that one, or stop it first")
    try:
        mine = Holder.current()._asdict() | {"since": since.isoformat()}
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps(mine).encode(), 0)
        yield
    finally:
        disk.unlock(handle)


def watching(folder: Path) -> dict[str, Any] | None:
    """The watch that is running on a state folder, as its lock file says: `pid` and `since`.

    The lock itself is not tried, because that could keep a watch from starting just then. A process that is
    gone, or whose number another one has now, does not count.
    """
    try:
        with (folder / LOCK).open("rb") as file:
            found = json.loads(file.read(1_000))
        pid, since = int(found["pid"]), datetime.fromisoformat(found["since"])
        return {"pid": pid, "since": since} if started(pid) == found["started"] else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
