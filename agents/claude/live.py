"""Whether a Claude Code process holds a session: `sessions/<pid>.json` (docs/transcripts.md)."""

import os
from pathlib import Path

from siltstone.agents.jsonl import loads
from siltstone.agents.records import Record, integer, opened, string

_PROC = Path("/proc")
_START_TIME = 19
"""Field 22 of /proc/<pid>/stat, counted from the one after the command's closing bracket."""


def idle(config: Path, session: str, proc: Path = _PROC) -> bool | None:
    """True when the processes that had the session are dead; False when one is busy with it; None
    when none is known or one is waiting for its user: then only the clock can tell.

    The file stays after kill -9, and pids come again: the start time must agree.
    """
    states = [_state(file, session, proc) for file in _files(config)]
    known = [state for state in states if state is not None]
    if "busy" in known:
        return False
    return True if known and "waiting" not in known else None


def _files(config: Path) -> list[Path]:
    try:
        return sorted((config / "sessions").glob("*.json"))
    except OSError:
        return []


def _state(file: Path, session: str, proc: Path) -> str | None:
    try:
        with opened(file) as stream:
            record = loads(stream.read()) or {}
    except OSError:
        return None
    if record.get("sessionId") != session:
        return None
    if not _alive(record, proc):
        return "dead"
    return "busy" if record.get("status") == "busy" else "waiting"


def _alive(record: Record, proc: Path) -> bool:
    pid = integer(record.get("pid"))
    if pid is None or pid <= 0:
        return False
    try:
        stat = (proc / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return not proc.is_dir() and _signalled(pid)
    fields = stat.rpartition(")")[2].split()
    started = string(record.get("procStart"))
    return not started or len(fields) <= _START_TIME or fields[_START_TIME] == started


def _signalled(pid: int) -> bool:
    """Systems without /proc."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
