"""Pieces of a door put where they belong, and taken out: decided first, then written.

A file is taken back to the bytes it had when it is still as we left it; else our entries alone are taken out
of it. What is decided is written only while the file is as it was decided on.
"""

import difflib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from siltstone.agents.installed import Record, Records, digest
from siltstone.agents.pieces import Own, Piece, Shared, Wrote
from siltstone.agents.servers import SERVER, is_ours
from siltstone.agents.settings_edit.tree import Unreadable
from siltstone.store.disk import FILE_MODE, Disk
from siltstone.store.errors import SettingsError, Stale

BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
OURS = "silt"
"""Name of the folders that are ours whole."""


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
    server: bool = False
    """Whether an MCP server of ours is in what it becomes."""
    unrecorded: bool = False
    """Whether something of ours is in it that no record tells of: how it was before is not known."""

    edited: bool = False
    """Whether it is a file of ours that somebody changed since we wrote it, and that stays as it is."""

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
    listed = tuple(pieces)
    known = _known(agent, project, listed, records)
    return [_writable(_put(agent, project, piece, known)) for piece in listed]


def uninstall(agent: str, project: Path | None, pieces: Iterable[Piece], records: Records) -> list[Change]:
    """What to change so that none of the pieces stands, nor what was recorded for this agent and place."""
    listed = tuple(pieces)
    known = _known(agent, project, listed, records)
    found = [_take(agent, project, piece, known) for piece in listed]
    told = {change.path for change in found}
    found += [_older(record) for path, record in known.records.items() if path not in told]
    return [_writable(change) for change in found]


def write(changes: Sequence[Change], records: Records, disk: Disk) -> Iterator[tuple[Change, Path | None]]:
    """Make the changes; each that is made, with the place of the copy of what was there.

    Raises Stale when a file is not as it was decided on, OSError; what was made before stays, and calling
    again goes on from there.
    """
    made: set[Path] = set()
    for change in changes:
        if change.edited:
            continue
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
            made |= {change.path.parent} if change.unrecorded and change.path.parent.name == OURS else set()
            records.drop(change.path, change.project)
    for folder in sorted(made, key=lambda one: len(one.parts), reverse=True):
        disk.rmdir(folder)


@dataclass(frozen=True, slots=True)
class _Known:
    """What the records tell of an agent in one place."""

    records: Mapping[Path, Record]
    lost: bool
    """Whether something of ours stands there, and no record of it."""

    def wrote(self, path: Path) -> Wrote:
        """Whether we wrote the MCP server in that file: one from before the first install is the user's."""
        record = self.records.get(path)
        return (None if self.lost else False) if record is None else record.server


def _known(agent: str, project: Path | None, pieces: Sequence[Piece], records: Records) -> _Known:
    where = None if project is None else str(project)
    of_place = [one for one in records.all() if (one.agent, one.project) == (agent, where)]
    lost = not of_place and any(_stands(piece) for piece in pieces)
    return _Known({Path(one.path): one for one in of_place}, lost)


def _stands(piece: Piece) -> bool:
    """Whether something stands that nobody else would write: a file of ours, a hook."""
    path = Path(os.path.realpath(piece.path))
    now = _read(path)
    if isinstance(piece, Own) or now is None or _is_blank(now):
        return isinstance(piece, Own) and now is not None and _as_ours(piece, now)
    return _edited(piece, path, now, lambda text: piece.take(text, False)) != now


def _put(agent: str, project: Path | None, piece: Piece, known: _Known) -> Change:
    path = Path(os.path.realpath(piece.path))
    now, wrote = _read(path), known.wrote(path)
    without = _without(piece, path, now, known)
    if isinstance(piece, Own):
        return _put_whole(Change(agent, project, path, True, now, piece.text.encode(), without), piece, known)
    # Entries of ours are renewed where they stand: what was written beside them since stays.
    then: bytes | None = _edited(piece, path, now, lambda text: piece.put(text, wrote))
    if without is None and then == piece.least.encode():
        then = None  # nothing of ours is for this file
    remark = _theirs(piece, path, now, wrote)
    server = not remark and _server(piece, path, then) is not None
    return Change(agent, project, path, False, now, then, without, remark, server)


def _put_whole(change: Change, piece: Own, known: _Known) -> Change:
    """A file of ours: renewed, unless somebody changed it since we wrote it."""
    record, now = known.records.get(change.path), change.now
    if now is None or now == change.then:
        return change
    if record is None:
        ours = piece.is_ours(now)  # who changed it cannot be known, if anybody
        return replace(change, without=None, unrecorded=True) if ours else change
    if not record.ours or digest(now) == record.left:
        return change
    told = "was changed since it was installed, and stays as it is"
    command = f"silt install {change.agent}{' --project' if change.project else ''}"
    what = f"{change.path} {told}; to have ours again, delete it and run `{command}`"
    return replace(change, then=now, without=now, remark=what, edited=True)


def _take(agent: str, project: Path | None, piece: Piece, known: _Known) -> Change:
    path = Path(os.path.realpath(piece.path))
    now, record = _read(path), known.records.get(path)
    without = _without(piece, path, now, known)
    ours = isinstance(piece, Own)
    if isinstance(piece, Shared):
        remark = _theirs(piece, path, now, known.wrote(path))
    else:
        remark = _stays(path, now, without, known)
    unrecorded = record is None and now != without
    return Change(agent, project, path, ours, now, without, without, remark, unrecorded=unrecorded)


def _older(record: Record) -> Change:
    """Something that an older version of us installed: it goes if it is as that version left it."""
    path = Path(record.path)
    now = _read(path)
    then = record.before if now is not None and digest(now) == record.left else now
    project = Path(record.project) if record.project else None
    remark = _stays(path, now, then, _Known({path: record}, False)) if record.ours else ""
    return Change(record.agent, project, path, record.ours, now, then, then, remark)


def _writable(change: Change) -> Change:
    """Raises SettingsError for a file that is to change and that somebody made read-only: a rename would
    not even ask."""
    if change.is_one and change.now is not None and not change.path.stat().st_mode & stat.S_IWUSR:
        what = "cannot be written, as somebody made it read-only"
        raise SettingsError(f"{change.path} {what}; make it writable and try again. It was left as it is.")
    return change


def _as_ours(piece: Own, now: bytes) -> bool:
    return now == piece.text.encode() or piece.is_ours(now)


def _stays(path: Path, now: bytes | None, then: bytes | None, known: _Known) -> str:
    """What is said of a file of ours that is not taken away."""
    record = known.records.get(path)
    if now is None or now != then or (record is not None and digest(now) == record.left):
        return ""
    if record is None:
        unknown = "it is not as this version writes it, and no record tells whose it is"
        return f"{path} stays: {unknown}; delete it if you do not want it" if known.lost else ""
    return f"{path} stays: it was changed since it was installed; delete it if you do not want it"


def _theirs(piece: Shared, path: Path, now: bytes | None, wrote: Wrote) -> str:
    """What is said of a server of our name that is the user's."""
    there, line = _server(piece, path, now) or (None, 0)
    if not line or is_ours(there, wrote):
        return ""
    told = f"an MCP server {SERVER} that is not ours stands there"
    return f"{path}, line {line}: {told}; it stays as it is"


def _server(piece: Shared, path: Path, data: bytes | None) -> tuple[object, int] | None:
    """What stands under the name of our MCP server, and on which line."""
    found: list[tuple[object, int]] = []

    def look(text: str) -> str:
        found.extend(filter(None, [piece.server(text)]))
        return text

    _edited(piece, path, data, look)
    return found[0] if found else None


def _without(piece: Piece, path: Path, now: bytes | None, known: _Known) -> bytes | None:
    """What a file is without us: what it was, when nobody has touched it since; else what is not ours. Where
    no record tells, a file of nothing but entries of ours was made by us."""
    record = known.records.get(path)
    if now is None:
        return None
    if record is not None and digest(now) == record.left:
        return record.before
    if isinstance(piece, Own):
        return None if now == piece.text.encode() else now
    if _is_blank(now):
        return now  # nothing is in it, so nothing of ours
    left = _edited(piece, path, now, lambda text: piece.take(text, known.wrote(path)))
    made_by_us = left != now if record is None else record.made_whole
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


def _is_blank(data: bytes) -> bool:
    return not data.removeprefix(BOM.encode()).strip()


def _missing(folder: Path) -> Iterator[Path]:
    """The folders that are not there yet, innermost first."""
    while not folder.exists():
        yield folder
        folder = folder.parent


def _record(change: Change, then: bytes, made: tuple[str, ...], records: Records) -> Record:
    project = None if change.project is None else str(change.project)
    path, without = str(change.path), change.without
    whole = without is None or any(one.made_whole for one in records.all() if one.path == path)
    left, server = digest(then), change.server
    return Record(change.agent, project, path, change.ours, left, made, without, whole, server)


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
