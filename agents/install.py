"""Pieces of a door put into an agent and taken out: decided first, then written.

A file that is still as we left it gets its old bytes back. From any other file only our entries are taken. A
decision is carried out only while the file is as it was when it was decided.

Each file as it was before is kept below the state folder until uninstalled: `install/<key>/` holds
`record.json` and, when there was a file, a copy of it under its own name. A file may have two records: for
the user and for a project.
"""

import difflib
import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter, ValidationError

from siltstone.agents.door import FOLDER, Own, Piece, Settings
from siltstone.agents.settings_json import Unreadable
from siltstone.store.disk import FILE_MODE, Disk, is_temp
from siltstone.store.errors import Locked, SettingsError, Stale
from siltstone.store.intent import hash_of
from siltstone.store.plain_file import content

BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
RECORDS = "install"
"""The folder of records, below the state folder."""
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
    made_whole: bool = False
    """Whether there was no file before anything of ours, for this place or another."""


class Records:
    def __init__(self, state: Path, disk: Disk) -> None:
        self._folder = state / RECORDS
        self._disk = disk

    def all(self) -> Iterator[Record]:
        """In a stable order. One that cannot be read is left where it is."""
        for path in sorted(self._folder.glob(f"*/{_RECORD}")):
            if found := _record_at(path):
                yield found

    def of(self, path: Path, project: Path | None) -> Record | None:
        return _record_at(self._place(path, project) / _RECORD)

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


def _record_at(path: Path) -> Record | None:
    try:
        record = TypeAdapter(Record).validate_json(content(path))
        copy = path.parent / Path(record.path).name
        return replace(record, before=content(copy) if record.there else None)
    except (OSError, ValidationError):
        return None


class Change(NamedTuple):
    """What a file becomes."""

    agent: str
    project: Path | None
    path: Path
    """The file itself, links followed."""
    ours: bool
    now: bytes | None
    then: bytes | None
    """None: no file."""
    without: bytes | None
    remark: str = ""
    """A sentence: what of the user's stays there, and why; "" for nothing."""
    unrecorded: bool = False
    """Something of ours is in it and there is no record of how it was before."""
    edited: bool = False
    """It is a file of ours that somebody changed. It stays as it is."""

    @property
    def is_one(self) -> bool:
        return self.now != self.then

    @property
    def diff(self) -> str:
        sides = [(side or b"").decode("utf-8", "replace").splitlines() for side in (self.now, self.then)]
        names = [str(self.path) if side is not None else os.devnull for side in (self.now, self.then)]
        return "\n".join(difflib.unified_diff(sides[0], sides[1], names[0], names[1], n=2, lineterm=""))


def install(agent: str, project: Path | None, pieces: Iterable[Piece], records: Records) -> list[Change]:
    """What to change so that all pieces are there. Nothing is written. Raises SettingsError, OSError."""
    known = _known(agent, project, records)
    return [_writable(_put(agent, project, _target(piece, known))) for piece in pieces]


def uninstall(agent: str, project: Path | None, pieces: Iterable[Piece], records: Records) -> list[Change]:
    """What to change so that none of the pieces is there, nor anything that was recorded for this agent and
    place. Nothing is written. Raises SettingsError, OSError."""
    known = _known(agent, project, records)
    changes = [_take(agent, project, _target(piece, known)) for piece in pieces]
    paths = {change.path for change in changes}
    for path, record in known.items():
        if path not in paths:  # an older version installed it: it goes if it is as that version left it
            now = _content(path)
            then = record.before if hash_of(now) == record.left else now
            remark = _stays(path, now, then, record) if record.ours else ""
            changes.append(Change(agent, project, path, record.ours, now, then, then, remark))
    return [_writable(change) for change in changes]


def write(changes: Sequence[Change], records: Records, disk: Disk) -> Iterator[tuple[Change, Path | None]]:
    """Make the changes; yields each one made, with the place of the copy of what was there.

    Raises Stale when a file is not as it was when this was decided, OSError. What was made by then stays,
    and another call goes on from there.
    """
    emptied: set[Path] = set()
    for change in changes:
        if change.edited:
            continue
        path, folder = change.path, change.path.parent
        if _content(path) != change.now:
            raise Stale(f"{path} was just changed by somebody else: run the same command again.")
        for left in leftovers(folder):  # the lock on the records keeps other installs away: nobody writes it
            disk.unlink(left)
        record, copy = records.of(path, change.project), None
        made = record.made if record else ()
        before = change.without
        stays = change.then is not None and change.then != before
        if stays:
            made += tuple(str(one) for one in (folder, *folder.parents) if not one.exists())
            project = None if change.project is None else str(change.project)
            whole = before is None or any(one.made_whole for one in records.all() if one.path == str(path))
            kept = Record(change.agent, project, str(path), change.ours, hash_of(change.then), made)
            copy = records.keep(replace(kept, there=before is not None, before=before, made_whole=whole))
        if change.then is None:
            disk.unlink(path)
        elif change.is_one:
            mode = FILE_MODE if change.now is None else stat.S_IMODE(path.stat().st_mode)
            disk.write(path, change.then, mode)
        if change.is_one:
            yield change, copy
        if not stays:
            emptied |= {Path(one) for one in made}
            emptied |= {folder} if change.unrecorded and folder.name == FOLDER else set()
            records.drop(path, change.project)
    for one in sorted(emptied, key=lambda path: len(path.parts), reverse=True):
        disk.rmdir(one)


def leftovers(folder: Path) -> list[Path]:
    """Temporary files of an install that was killed while it wrote in this folder."""
    return [path for path in sorted(folder.glob("*")) if is_temp(path.name)]


class _Target(NamedTuple):
    """A piece, the file it is for, links followed, and our record of that file."""

    piece: Piece
    path: Path
    now: bytes | None
    record: Record | None

    @property
    def without(self) -> bytes | None:
        """The file without us: what it was, if nobody touched it since; else what of it is not ours."""
        now, record, piece = self.now, self.record, self.piece
        if now is None:
            return None
        if record is not None and hash_of(now) == record.left:
            return record.before
        if isinstance(piece, Own):
            return None if now == piece.text.encode() else now
        if not now.removeprefix(BOM.encode()).strip():
            return now  # nothing of ours is in it
        left = self.edited(piece.take)
        made_by_us = left != now if record is None else record.made_whole
        return None if made_by_us and left.decode().strip() in ("", "{}") else left

    def edited(self, edit: Callable[[str], str]) -> bytes:
        """The file after an edit of its text; a byte order mark stays. Raises SettingsError."""
        mark = BOM if (self.now or b"").startswith(BOM.encode()) else ""
        return (mark + self.asked(edit)).encode()

    def asked(self, ask: Callable[[str], str]) -> str:
        """What is asked of the file's text. Raises SettingsError."""
        data = self.now or b""
        try:
            text = data.decode().removeprefix(BOM)
            return ask(text if text.strip() or isinstance(self.piece, Own) else self.piece.smallest)
        except UnicodeDecodeError as error:
            line, what = data[: error.start].count(b"\n") + 1, "the text is not UTF-8"
        except Unreadable as error:
            line, what = error.line, str(error)
        where = f"{self.path}, line {line}"
        raise SettingsError(f"{where}: {what}; correct it there and try again. It was left as it is.")

    @property
    def users_server(self) -> str:
        """A sentence on a server of the user's that has our name; "" for none."""
        line = self.asked(self.piece.users_server) if isinstance(self.piece, Settings) else ""
        what = "an MCP server named siltstone that somebody else wrote is there and stays as it is"
        return f"{self.path}, {line}: {what}" if line else ""


def _target(piece: Piece, known: Mapping[Path, Record]) -> _Target:
    path = Path(os.path.realpath(piece.path))
    return _Target(piece, path, _content(path), known.get(path))


def _known(agent: str, project: Path | None, records: Records) -> Mapping[Path, Record]:
    where = None if project is None else str(project)
    return {Path(one.path): one for one in records.all() if (one.agent, one.project) == (agent, where)}


def _put(agent: str, project: Path | None, target: _Target) -> Change:
    piece, path, now, without = target.piece, target.path, target.now, target.without
    if not isinstance(piece, Own):
        then: bytes | None = target.edited(piece.put)
        if without is None and then == piece.smallest.encode():
            then = None  # nothing of ours is for this file
        return Change(agent, project, path, False, now, then, without, target.users_server)
    change, record = Change(agent, project, path, True, now, piece.text.encode(), without), target.record
    if now is None or now == change.then:
        return change
    if record is None:
        # Nobody knows who changed it, if anybody did.
        return change._replace(without=None, unrecorded=True) if piece.is_ours(now) else change
    if not record.ours or hash_of(now) == record.left:
        return change
    remark = (
        f"{path} has been changed since it was installed and stays as it is; to get Siltstone's again, "
        f"delete it and run "
        f"`silt install {agent}{' --project' if project else ''}`"
    )
    return change._replace(then=now, without=now, remark=remark, edited=True)


def _take(agent: str, project: Path | None, target: _Target) -> Change:
    piece, path, now, without = target.piece, target.path, target.now, target.without
    unrecorded = target.record is None and now != without
    if not isinstance(piece, Own):
        remark = target.users_server
    elif target.record is None and now is not None and now == without and piece.is_ours(now):
        what = "it is not what this version writes, and there is no record of who changed it"
        remark = f"{path} stays: {what}; delete it if you do not want it"
    else:
        remark = _stays(path, now, without, target.record)
    return Change(agent, project, path, isinstance(piece, Own), now, without, without, remark, unrecorded)


def _stays(path: Path, now: bytes | None, then: bytes | None, record: Record | None) -> str:
    if record is None or now is None or now != then or hash_of(now) == record.left:
        return ""
    return f"{path} stays: it has been changed since it was installed; delete it if you do not want it"


def _writable(change: Change) -> Change:
    """Raises SettingsError for a file that is to change and that is read-only: a rename would not ask."""
    if change.is_one and change.now is not None and not change.path.stat().st_mode & stat.S_IWUSR:
        what = "cannot be written, because somebody made it read-only"
        raise SettingsError(f"{change.path} {what}; make it writable and try again. It was left as it is.")
    return change


def _content(path: Path) -> bytes | None:
    try:
        return content(path)
    except FileNotFoundError:
        return None
