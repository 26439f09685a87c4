"""Pieces of a door put where they belong, and taken out: decided first, then written.

A file is taken back to the bytes it had when it is still as we left it; else our entries alone are taken out
of it. What is decided is written only while the file is as it was decided on.
"""

import difflib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from siltstone.agents.installed import Record, Records, digest
from siltstone.agents.pieces import Own, Piece, Shared
from siltstone.agents.servers import SERVER, is_ours
from siltstone.agents.settings_edit.tree import Unreadable
from siltstone.store.disk import FILE_MODE, Disk
from siltstone.store.errors import SettingsError, Stale

BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class Change:
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
    """What it is without us."""
    remark: str = ""
    """A sentence: what of the user's stays there, and why; "" for nothing."""

    @property
    def is_one(self) -> bool:
        return self.now != self.then

    @property
    def is_of_us_alone(self) -> bool:
        """Whether nothing in the file is anybody else's, before or after."""
        return self.ours and self.without is None

    @property
    def diff(self) -> str:
        """The change for a person's eyes."""
        sides = [(side or b"").decode("utf-8", "replace").splitlines() for side in (self.now, self.then)]
        names = [str(self.path) if side is not None else os.devnull for side in (self.now, self.then)]
        lines = difflib.unified_diff(sides[0], sides[1], names[0], names[1], n=2, lineterm="")
        return "\n".join(lines)


def install(agent: str, project: Path | None, pieces: Iterable[Piece], records: Records) -> list[Change]:
    """What to change so that all pieces stand; nothing is written. Raises SettingsError, OSError."""
    return [_put(agent, project, piece, records) for piece in pieces]


def uninstall(agent: str, project: Path | None, pieces: Iterable[Piece], records: Records) -> list[Change]:
    """What to change so that none of the pieces stands, nor what was recorded for this agent and place."""
    found = [_take(agent, project, piece, records) for piece in pieces]
    known = {change.path for change in found}
    where = None if project is None else str(project)
    for record in records.all():
        if (record.agent, record.project) == (agent, where) and Path(record.path) not in known:
            found.append(_older(record))
    return found


def write(changes: Sequence[Change], records: Records, disk: Disk) -> Iterator[tuple[Change, Path | None]]:
    """Make the changes; each that is made, with the place of the copy of what was there.

    Raises Stale when a file is not as it was decided on, OSError; what was made before stays, and calling
    again goes on from there.
    """
    made: set[Path] = set()
    for change in changes:
        if _read(change.path) != change.now:
            raise Stale(f"{change.path} was changed by somebody else just now: run the same command again.")
        record = records.of(change.path, change.project)
        folders = tuple(str(folder) for folder in _missing(change.path.parent))
        stays = change.then is not None and change.then != change.without
        copy = None
        if stays and change.then is not None:
            made_here = (*(record.made if record else ()), *folders)
            copy = records.keep(_record(change, change.then, made_here, records))
        if change.is_one:
            _write(change, disk)
            yield change, copy
        if not stays:
            made |= {Path(folder) for folder in (record.made if record else ())}
            records.drop(change.path, change.project)
    for folder in sorted(made, key=lambda one: len(one.parts), reverse=True):
        disk.rmdir(folder)


def _put(agent: str, project: Path | None, piece: Piece, records: Records) -> Change:
    path = Path(os.path.realpath(piece.path))
    now = _read(path)
    without = _without(piece, path, now, records.of(path, project))
    if isinstance(piece, Own):
        return Change(agent, project, path, True, now, piece.text.encode(), without)
    # Entries of ours are renewed where they stand: what was written beside them since stays.
    then: bytes | None = _edited(piece, path, now, piece.put)
    if without is None and then == piece.least.encode():
        then = None  # nothing of ours is for this file
    return Change(agent, project, path, False, now, then, without, _theirs(piece, path, now))


def _take(agent: str, project: Path | None, piece: Piece, records: Records) -> Change:
    path = Path(os.path.realpath(piece.path))
    now = _read(path)
    record = records.of(path, project)
    without = _without(piece, path, now, record)
    if isinstance(piece, Own):
        return Change(agent, project, path, True, now, without, without, _stays(path, now, without, record))
    return Change(agent, project, path, False, now, without, without, _theirs(piece, path, now))


def _older(record: Record) -> Change:
    """Something that an older version of us installed: it goes if it is as that version left it."""
    path = Path(record.path)
    now = _read(path)
    then = record.before if now is not None and digest(now) == record.left else now
    project = Path(record.project) if record.project else None
    remark = _stays(path, now, then, record) if record.ours else ""
    return Change(record.agent, project, path, record.ours, now, then, then, remark)


def _stays(path: Path, now: bytes | None, then: bytes | None, record: Record | None) -> str:
    """What is said of a file of ours that is not taken away."""
    if now is None or now != then or record is None or digest(now) == record.left:
        return ""
    return f"{path} stays: it was changed since it was installed; delete it if you do not want it"


def _theirs(piece: Shared, path: Path, now: bytes | None) -> str:
    """What is said of a server of our name that is the user's."""
    found: list[tuple[object, int]] = []

    def look(text: str) -> str:
        found.extend(filter(None, [piece.server(text)]))
        return text

    _edited(piece, path, now, look)
    if not found or is_ours(found[0][0]):
        return ""
    line = found[0][1]
    return f"{path}, line {line}: an MCP server {SERVER} that is not ours stands there; it stays as it is"


def _without(piece: Piece, path: Path, now: bytes | None, record: Record | None) -> bytes | None:
    """What a file is without us: what it was, when nobody has touched it since; else what is not ours."""
    if now is None:
        return None
    if record is not None and digest(now) == record.left:
        return record.before
    if isinstance(piece, Own):
        return None if now == piece.text.encode() else now
    if not now.strip():
        return now  # nothing is in it, so nothing of ours
    left = _edited(piece, path, now, piece.take)
    made_by_us = record is not None and record.made_whole
    return None if made_by_us and left.decode().strip() in ("", "{}") else left


def _edited(piece: Shared, path: Path, data: bytes | None, edit: Callable[[str], str]) -> bytes:
    """The file after an edit of its text; a byte order mark stays. Raises SettingsError."""
    try:
        text = (data or b"").decode()
        mark = BOM if text.startswith(BOM) else ""
        text = text.removeprefix(BOM)
        return (mark + edit(text if text.strip() else piece.least)).encode()
    except UnicodeDecodeError as error:
        line = (data or b"")[: error.start].count(b"\n") + 1
        what = "the text is not UTF-8"
    except Unreadable as error:
        line, what = error.at, str(error)
    raise SettingsError(f"{path}, line {line}: {what}; mend it there and try again. It was left as it is.")


def _missing(folder: Path) -> Iterator[Path]:
    """The folders that are not there yet, innermost first."""
    while not folder.exists():
        yield folder
        folder = folder.parent


def _record(change: Change, then: bytes, made: tuple[str, ...], records: Records) -> Record:
    project = None if change.project is None else str(change.project)
    path, without = str(change.path), change.without
    whole = without is None or any(one.made_whole for one in records.all() if one.path == path)
    return Record(change.agent, project, path, change.ours, digest(then), made, without, whole)


def _read(path: Path) -> bytes | None:
    try:
        plain = stat.S_ISREG(path.stat().st_mode)  # a pipe would be waited for
        if not plain:
            raise SettingsError(f"{path} is no plain file; put it right and try again. It was left as it is.")
        return path.read_bytes()
    except FileNotFoundError:
        return None


def _write(change: Change, disk: Disk) -> None:
    if change.then is None:
        disk.unlink(change.path)
        return
    mode = FILE_MODE if change.now is None else stat.S_IMODE(change.path.stat().st_mode)
    disk.write(change.path, change.then, mode)
