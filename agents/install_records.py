"""The record of what was installed: each file as it was before, kept in the state folder until uninstalled.

`install/<key>/` holds `record.json` and, when there was a file before, a copy of it under its own name. A
file may have two records: for the user and for a project.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from siltstone.store.disk import Disk
from siltstone.store.errors import Locked

FOLDER = "install"
_RECORD = "record.json"


@dataclass(frozen=True, slots=True)
class Record:
    """One file that we changed or made."""

    agent: str
    project: str | None
    """The project it was installed for; None: the user."""
    path: str
    ours: bool
    """Whether the whole file is ours."""
    left: str
    """sha256 of the file as we left it."""
    made: tuple[str, ...]
    """Folders that we made for it."""
    there: bool = False
    """Whether there was a file before."""
    before: bytes | None = None
    """That file."""
    made_whole: bool = False
    """Whether there was no file before anything of ours, for this place or another."""


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


class Records:
    """All records below a state folder."""

    def __init__(self, state: Path, disk: Disk) -> None:
        self._folder = state / FOLDER
        self._disk = disk

    def all(self) -> Iterator[Record]:
        """In a stable order. One that cannot be read is left where it is."""
        for path in sorted(self._folder.glob(f"*/{_RECORD}")):
            if found := _read(path):
                yield found

    def of(self, path: Path, project: Path | None) -> Record | None:
        return _read(self._place(path, project) / _RECORD)

    def keep(self, record: Record) -> Path | None:
        """Write a record. Returns where the copy of the old file is, if there was one."""
        place = self._place(Path(record.path), Path(record.project) if record.project else None)
        copy = place / Path(record.path).name
        if record.before is None:
            self._disk.unlink(copy)
        else:
            self._disk.write(copy, record.before)
        written = {**asdict(record), "before": None}
        self._disk.write(place / _RECORD, (json.dumps(written, indent=1) + "\n").encode())
        return None if record.before is None else copy

    def drop(self, path: Path, project: Path | None) -> None:
        """Forget a file, its copy too."""
        place = self._place(path, project)
        self._disk.unlink(place / path.name)
        self._disk.unlink(place / _RECORD)
        self._disk.rmdir(place)

    def lock(self) -> int:
        """Keep other installs away until `Disk.unlock`. Raises Locked."""
        self._disk.mkdir(self._folder)
        handle = self._disk.lock(self._folder)
        if handle is None:
            raise Locked("another `silt install` or `silt uninstall` is running; try again when it is done.")
        return handle

    def _place(self, path: Path, project: Path | None) -> Path:
        key = f"{path}\0{project or ''}".encode("utf-8", "surrogateescape")
        return self._folder / sha256(key).hexdigest()[:16]


def _read(path: Path) -> Record | None:
    try:
        record = TypeAdapter(Record).validate_json(path.read_bytes())
        copy = path.parent / Path(record.path).name
        return replace(record, before=copy.read_bytes() if record.there else None)
    except (OSError, ValidationError):
        return None
