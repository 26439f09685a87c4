"""The record of what was installed: each file as it was before, beside the state, until it is taken out.

`install/<key>/` holds `record.json` and, when there was a file, a copy of it under its own name. A file may
have two: what is installed for the user and what for a project can stand in one.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from siltstone.store.disk import Disk
from siltstone.store.errors import Locked

FOLDER = "install"
"""In the state folder."""
_RECORD = "record.json"


@dataclass(frozen=True, slots=True)
class Record:
    """One file of an agent's that we changed or made."""

    agent: str
    project: str | None
    """Whose project it belongs to; None: the user's."""
    path: str
    ours: bool
    """Whether the whole file is ours."""
    left: str
    """sha256 of the file as we left it."""
    made: tuple[str, ...]
    """Folders that we made for it."""
    before: bytes | None = None
    """The file without us; None when there was none."""
    made_whole: bool = False
    """Whether there was no file before anything of ours, of this place or of another."""
    server: bool | None = None
    """Whether we wrote an MCP server there; None: an older version did not note it."""


class _Written(BaseModel):
    """A record as it stands on disk."""

    model_config = ConfigDict(extra="ignore", strict=True)

    agent: str
    project: str | None
    path: str
    ours: bool
    left: str
    made: list[str]
    there: bool
    made_whole: bool = False
    server: bool | None = None


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()


class Records:
    """All records below a state folder."""

    def __init__(self, state: Path, disk: Disk) -> None:
        self._folder = state / FOLDER
        self._disk = disk

    def all(self) -> Iterator[Record]:
        """In a stable order. One that cannot be read is passed over: its backup stays where it is."""
        for place in sorted(self._folder.glob(f"*/{_RECORD}")):
            found = self._read(place)
            if found is not None:
                yield found

    def of(self, path: Path, project: Path | None) -> Record | None:
        return self._read(self._place(path, project) / _RECORD)

    def keep(self, record: Record) -> Path | None:
        """Write a record; where the copy of the file stands, if there was one."""
        place = self._place(Path(record.path), Path(record.project) if record.project else None)
        copy = place / Path(record.path).name
        if record.before is None:
            self._disk.unlink(copy)
        else:
            self._disk.write(copy, record.before)
        told = {key: value for key, value in asdict(record).items() if key != "before"}
        told["there"] = record.before is not None
        self._disk.write(place / _RECORD, (json.dumps(told, indent=1) + "\n").encode())
        return None if record.before is None else copy

    def drop(self, path: Path, project: Path | None) -> None:
        """Forget a file, its copy too."""
        place = self._place(path, project)
        self._disk.unlink(place / path.name)
        self._disk.unlink(place / _RECORD)
        self._disk.rmdir(place)

    def lock(self) -> int:
        """Keep other installs away; give it back with `Disk.unlock`. Raises Locked."""
        self._disk.mkdir(self._folder)
        handle = self._disk.lock(self._folder)
        if handle is None:
            raise Locked(
                "another `silt install` or `silt uninstall` is at work; run it again when it is done."
            )
        return handle

    def _place(self, path: Path, project: Path | None) -> Path:
        key = f"{path}\0{project or ''}".encode("utf-8", "surrogateescape")
        return self._folder / sha256(key).hexdigest()[:16]

    def _read(self, place: Path) -> Record | None:
        try:
            told = _Written.model_validate_json(place.read_bytes())
            before = (place.parent / Path(told.path).name).read_bytes() if told.there else None
        except (OSError, ValidationError):
            return None
        made = tuple(told.made)
        whole = told.made_whole or before is None
        return Record(
            told.agent, told.project, told.path, told.ours, told.left, made, before, whole, told.server
        )
