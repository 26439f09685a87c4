"""Whether a Codex is at work on a thread, told without disturbing it (docs/transcripts.md)."""

import os
from enum import Enum
from pathlib import Path

from siltstone.agents.records import opened

_TAIL = 4 * 1024 * 1024
"""Bytes of a file's end in which the last turn's mark is looked for."""
# Inside a JSON string every quote is escaped, so these cannot stand in anybody's words.
_BEGUN = (b'"payload":{"type":"task_started"',)
_OVER = (b'"payload":{"type":"task_complete"', b'"payload":{"type":"turn_aborted"')
_LOCKS = Path("/proc/locks")


class Liveness(Enum):
    """What the transcript and its lock show."""

    RUNNING = "a turn is open"
    ENDED = "nobody holds the thread any more"
    UNKNOWN = "only the clock can tell"


def liveness(root: Path, path: Path, thread: str, locks: Path = _LOCKS) -> Liveness:
    """A writer holds a flock on `thread-writer-locks/<thread>.lock`. The kernel's list is read
    rather than the lock tried: trying it could make a starting Codex fail."""
    held = _held(root / "thread-writer-locks" / f"{thread}.lock", locks)
    if held is False:
        return Liveness.ENDED
    if path.name.endswith(".zst"):
        return Liveness.UNKNOWN
    return Liveness.RUNNING if _turn_open(path) else Liveness.UNKNOWN


def _held(lock: Path, locks: Path) -> bool | None:
    """None where that cannot be known: no such lock, or a system without a list of locks."""
    try:
        stat = lock.stat()
        listed = locks.read_text()
    except OSError:
        return None
    wanted = f"{os.major(stat.st_dev):02x}:{os.minor(stat.st_dev):02x}:{stat.st_ino}"
    return any(wanted in line.split() for line in listed.splitlines())


def _turn_open(path: Path) -> bool:
    try:
        with opened(path) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - _TAIL))
            tail = file.read(_TAIL)
    except OSError:
        return False
    return _last(tail, _BEGUN) > _last(tail, _OVER)


def _last(tail: bytes, marks: tuple[bytes, ...]) -> int:
    return max(tail.rfind(mark) for mark in marks)
