"""What runs by itself: whether a `silt watch` lives, which scheduler has an entry of ours, and which agents
have our hooks in their settings."""

import json
import os
import shutil
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from siltstone.agents import doors, registered
from siltstone.agents.hooks import AGENTS
from siltstone.cli.door_place import place_of
from siltstone.cli.schedulers import ALL, System
from siltstone.cli.settings import Configured
from siltstone.store.disk import Disk
from siltstone.store.errors import ScheduleError
from siltstone.store.state.leases import Holder, started

LOCK = "watch.lock"
"""In the state folder; held by the one watch there may be, and says which process that is."""
_MOST = 1_000


@dataclass(frozen=True, slots=True)
class Watching:
    """A watch that is at work."""

    pid: int
    since: datetime


def sign(handle: int, since: datetime) -> None:
    """Write into the lock, which is held, whose it is."""
    mine = Holder.current()
    said = {"pid": mine.pid, "started": mine.started, "since": since.isoformat()}
    os.ftruncate(handle, 0)
    os.pwrite(handle, json.dumps(said).encode(), 0)


def watching(folder: Path) -> Watching | None:
    """The watch at work on a state folder. Told by what the lock says, for trying it could keep a watch
    from beginning just then; a process that is gone, or has its number from another, is none."""
    try:
        with (folder / LOCK).open("rb") as file:
            said = json.loads(file.read(_MOST))
        pid, since = int(said["pid"]), datetime.fromisoformat(said["since"])
        is_it = started(pid) == said["started"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Watching(pid, since) if is_it else None


def scheduled(configured: Configured) -> list[str]:
    """Names of the schedulers that run batches; one that does not answer is left out."""
    system = System(configured.environ, os.getuid(), Disk())
    path = configured.environ.get("PATH")
    return [name for name in ALL if shutil.which(ALL[name].program, path=path) and _is_there(name, system)]


def hooked(configured: Configured) -> list[str]:
    """Names of the agents whose own settings of the user call our hooks; those of projects are not asked."""
    place = place_of(configured, None)
    found = []
    for agent in AGENTS:
        door = doors.door(agent)
        package = door.packaged(place.environ, place.home)
        paths = [piece.path for piece in door.pieces(place)] + ([package] if package else [])
        found += [agent] if registered.on_disk(agent, paths) else []
    return found


def _is_there(name: str, system: System) -> bool:
    try:
        return ALL[name](system).there()
    except ScheduleError:
        return False
