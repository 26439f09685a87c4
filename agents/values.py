"""Taking values out of outside JSON: whatever stands there, the answer has the type asked for.

Transcripts are untrusted: a field may be missing, of another type, or hold anything. Readers take
every value through one of these, so that no shape can make them crash.
"""

import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from operator import attrgetter
from pathlib import Path
from typing import Any

import orjson

from siltstone.pipeline.messages import Source
from siltstone.store import entry_form
from siltstone.store.data import data
from siltstone.store.errors import SourceError

Record = dict[str, Any]

_SECONDS = 100_000_000_000
"""Numbers from here on are milliseconds since 1970: as seconds they would lie beyond the year 5000."""


def obj(value: object) -> Record:
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def string(value: object) -> str:
    return value if isinstance(value, str) else ""


def integer(value: object) -> int | None:
    """The whole number, or None; True and False are none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def compact(value: object) -> str:
    """Compact JSON of an argument object; a string stays as it is; None is ""."""
    if value is None or isinstance(value, str):
        return value or ""
    return dumped(value).decode()


def dumped(value: object) -> bytes:
    """Compact JSON of anything that came from JSON."""
    try:
        return orjson.dumps(value)
    except (TypeError, ValueError):
        # Integers beyond 64 bits: orjson reads them as floats, json (our fallback) does not.
        return str(value).encode("utf-8", "replace")


def instant(value: object) -> datetime | None:
    """An aware UTC time from ISO 8601 text or seconds or milliseconds since 1970; None when it is none.

    Text without an offset is taken as UTC.
    """
    try:
        if isinstance(value, str):
            return entry_form.instant(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if abs(value) >= _SECONDS else value, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def machine_made(agent: str) -> dict[str, str]:
    """How texts begin that nobody typed, and the reason that they are counted under."""
    return dict(data(__file__, "machine_made.toml")[agent])


def entries(folder: Path | str) -> list[os.DirEntry[str]]:
    """What stands in a folder, by name; nothing when it is missing or cannot be read."""
    try:
        return listed(folder)
    except SourceError:
        return []


def listed(folder: Path | str) -> list[os.DirEntry[str]]:
    """What stands in a folder, by name; nothing when it is missing. Raises SourceError when it cannot be
    read."""
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=attrgetter("name"))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        raise SourceError(f"{folder} cannot be read ({error.strerror}); check its permissions") from error


def stated(entry: os.DirEntry[str] | Path) -> os.stat_result | None:
    """A file's stat; None when it went away meanwhile."""
    try:
        return entry.stat()
    except OSError:
        return None


ABANDONED = timedelta(hours=1)
"""A turn that stands open and unchanged for so long was killed: Codex and OpenCode leave no trace of that."""


def is_abandoned(source: Source, now: datetime) -> bool:
    """Whether a turn that stands open in it counts as killed."""
    return now - source.changed > ABANDONED


def aged(source: Source, now: datetime) -> Source:
    """The source with a stamp that changes once more when an open turn counts as killed: what was held back
    until then is read."""
    return replace(source, stamp=f"{source.stamp}:old") if is_abandoned(source, now) else source


def source(agent: str, key: str, entry: os.DirEntry[str] | Path) -> Source | None:
    """A file found by stat alone, whose stamp is inode, size and time of last change; None when it went."""
    stat = stated(entry)
    if stat is None:
        return None
    stamp = f"{stat.st_ino}:{stat.st_size}:{stat.st_mtime_ns}"
    return Source(agent, key, os.fspath(entry), stamp, stat.st_mtime)
