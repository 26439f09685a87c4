"""The entries of a store as they stand on disk: read without a lock, each file only when it changed.

`entry_reader.py` reads one file, `entry_index.py` notes what each held when it was last read. A file that
does not parse, holds conflict markers, is a link, or was edited by hand and holds a secret, is left out and
named in `complaints`; it never stops the rest. See docs/store-format.md and invariants 8, 12, 13.
"""

import os
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from siltstone.store import history_index, layout
from siltstone.store.create import READ_ONLY
from siltstone.store.disk import Disk
from siltstone.store.entry import Entry, Snapshot, Stored, TextFile
from siltstone.store.entry_index import EntryIndex, FileRow, stat_of
from siltstone.store.entry_reader import read_entry, read_file, secret_in
from siltstone.store.errors import EntryError, GitError
from siltstone.store.git import Git
from siltstone.store.history_index import HistoryIndex
from siltstone.store.intent import hash_of
from siltstone.store.names import in_inbox, place, scope_of_path, slug

_Answer = TypeVar("_Answer")


class Entries:
    """The entries of one store. Several threads may read at once."""

    def __init__(
        self, git: Git, disk: Disk, clock: Callable[[], datetime], index: Path | None = None
    ) -> None:
        self.root = git.root
        self.git = git
        self.disk = disk
        self.clock = clock
        self.lacks: str | None = None
        """Why git cannot be used, in a sentence: then entries are read as they stand, each taken for the
        user's own, and every write raises GitError (C26). None while all is well."""
        self.unreadable: dict[str, str] = {}
        """Path → one sentence about a file that was left out when it was last looked at."""
        self._files = EntryIndex(index)
        self._stored: dict[str, Stored] = {}
        """Path → what was read there last."""
        self._index: HistoryIndex | None = None
        self._committed: tuple[str, Mapping[str, str]] = ("", {})
        """A commit, and the object id of each of its files."""
        self._reading = threading.RLock()
        self._holder: int | None = None

    def close(self) -> None:
        """Close the index, if the store has one."""
        with self._reading:
            self._files.close()

    @property
    def complaints(self) -> list[str]:
        """The sentences of `unreadable`, sorted by path."""
        return [self.unreadable[path] for path in sorted(self.unreadable)]

    def scopes(self) -> list[str]:
        """ "global" and every project's folder, sorted."""
        return layout.scopes(self.root)

    def entries(self, scope: str | None = None, archived: bool = False) -> list[Stored]:
        """Entries of one scope or of all, sorted by path; with `archived` those in `archive/` too.

        What cannot or may not be shown is left out and named in `complaints`. The inbox is not in it.
        """
        return self.read_all(self._paths(scope, archived))

    def hashes(self) -> dict[str, str]:
        """Path → sha256 of every file that `entries()` would give; none is parsed for it."""
        with self._reading:
            paths = self._paths(None, archived=False)
            others = self._files.rows.keys() - set(paths)
            self._files.drop([path for path in others if not os.path.lexists(self.root / path)])
            rows = self._rows(paths)
            return {path: row.hash for path, row in rows.items() if row.complaint is None}

    def snapshot(self) -> Snapshot:
        """What `entries()` would give, read only where it is asked for."""
        return Snapshot(self.hashes(), self.read_all)

    def counts(self) -> dict[str, int]:
        """How many entries are in force in each scope."""
        found = Counter(scope_of_path(path) for path in self.hashes())
        return {scope: found[scope] for scope in self.scopes()}

    def resembling(self, name: str) -> list[Stored]:
        """Entries whose path or name holds `name`, as it is or as code makes names of it; archived ones too,
        those of the inbox last."""
        said = name.strip().removesuffix("/").casefold()
        wanted = (said, slug(said))
        with self._reading:
            rows = self._rows([*self._paths(None, archived=True), *layout.files(self.root, layout.INBOX)])
            named = {path: (path.casefold(), row.name.casefold()) for path, row in rows.items()}
            alike = [path for path, names in named.items() if any(one in n for one in wanted for n in names)]
            return sorted(self.read_all(alike), key=lambda one: in_inbox(one.path))

    def inbox(self) -> list[Stored]:
        """Quarantined candidates, sorted by path."""
        return self.read_all(layout.files(self.root, layout.INBOX))

    def _paths(self, scope: str | None, archived: bool) -> list[str]:
        folders = []
        for name in self.scopes() if scope is None else [scope]:
            folders += [name, f"{name}/{layout.SYSTEM}"]
            folders += [f"{name}/{layout.ARCHIVE}"] if archived else []
        return [path for folder in folders for path in layout.files(self.root, folder)]

    def read(self, path: str) -> Stored:
        """One entry by its path; raises EntryError when there is none that may be shown."""
        layout.check(self.root, path)
        if not (self.root / path).is_file():
            raise EntryError(f"{path} is not in the store: `silt list` shows what is")
        read = self.read_all([path])
        if not read:
            raise EntryError(self.unreadable[path])
        return read[0]

    def taken(self, scope: str) -> set[str]:
        """Paths of every file in a scope (or "inbox"), readable or not, archived too: none is free."""
        return set(self._paths(scope, archived=True))

    def left_out(self, folder: str) -> dict[str, str]:
        """What stands in the files of a scope (or "inbox") that `entries` leaves out, by path.

        To find out whether they hold something, never to be shown: it may be a secret. "" for what is
        no plain file. The archive is not in it.
        """
        paths = [*layout.files(self.root, folder), *layout.files(self.root, f"{folder}/{layout.SYSTEM}")]
        left = dict.fromkeys([path for path in paths if path in self.unreadable], "")
        for path in left:
            with suppress(EntryError):
                left[path] = read_file(self.root, path).decode("utf-8", "replace")
        return left

    def conflicts_file(self) -> TextFile | None:
        """`_CONFLICTS.md`; None when it is not there or cannot be read."""
        if not (self.root / layout.CONFLICTS).exists():
            return None
        try:
            data = read_file(self.root, layout.CONFLICTS)
        except EntryError as error:
            self.unreadable[layout.CONFLICTS] = str(error)
            return None
        return TextFile(data.decode("utf-8", "replace"), hash_of(data))

    def history_index(self) -> HistoryIndex:
        """What history says as a whole, up to HEAD."""
        with self._reading:
            self._index = history_index.current(self.git, self.disk, self._index)
            return self._index

    def read_all(self, paths: Sequence[str]) -> list[Stored]:
        """The entries at these paths, sorted; what may not be shown is left out and named in `complaints`."""
        with self._reading:
            rows = self._shown(paths)
            for path, text, entry in self._files.contents(self._unread(rows)):
                self._keep(path, text, rows[path].hash, entry)
            if lost := self._unread(rows):  # the index has not their text any more
                self._files.drop(lost)
                rows = {p: row for p, row in rows.items() if p not in lost} | self._shown(lost)
            read = [(self._stored[path], rows[path].user_written) for path in sorted(rows)]
            return [one._replace(user_written=True) if by_user else one for one, by_user in read]

    def _shown(self, paths: Sequence[str]) -> dict[str, FileRow]:
        return {path: row for path, row in self._rows(paths).items() if row.complaint is None}

    def _unread(self, rows: Mapping[str, FileRow]) -> list[str]:
        return [p for p, row in rows.items() if p not in self._stored or self._stored[p].hash != row.hash]

    def _keep(self, path: str, text: str, hash: str, entry: Entry) -> None:
        where = place(path)
        kind = where.kind if where is not None else "memory"
        self._stored[path] = Stored(
            path, text, hash, entry, pinned=kind == "pinned", archived=kind == "archived"
        )

    def _rows(self, paths: Sequence[str]) -> dict[str, FileRow]:
        """What each file holds, sorted by path; only files that changed are read."""
        for path in [p for p in self.unreadable if not os.path.lexists(self.root / p)]:
            del self.unreadable[path]
        if self._files.head != self._asked(lambda: self.git.head() or "", ""):
            self._update_flags()
        rows, root = {}, os.fspath(self.root)
        by_git: tuple[HistoryIndex, Mapping[str, str]] | None = None
        for path in sorted(paths):
            stat = stat_of(f"{root}/{path}")
            row = self._files.rows.get(path)
            try:
                if row is None or not stat or row.stat != stat:
                    data = read_file(self.root, path)
                    if row is None or row.hash != hash_of(data) or row.unsearched:
                        by_git = by_git or self._known()
                        row = self._read(path, stat, data, *by_git)
                    elif row.stat != stat:
                        row = row._replace(stat=stat)
                        self._files.put(path, row)
            except EntryError as error:
                self.unreadable[path] = str(error)
                self._files.drop([path])
                continue
            rows[path] = row
            if row.complaint is None:
                self.unreadable.pop(path, None)
            else:
                self.unreadable[path] = row.complaint
        self._files.save()
        return rows

    def _read(
        self, path: str, stat: str, data: bytes, known: HistoryIndex, committed: Mapping[str, str]
    ) -> FileRow:
        """What a file holds of which these bytes were read."""
        # By the very bytes that are read: what git said a moment before may be true no more.
        hash = hash_of(data)
        old = row = self._files.rows.get(path)
        entry = None
        if row is None or row.hash != hash:
            blob, body = history_index.blob_id(data, known.head), history_index.body_hash(data)
            row = FileRow(stat, blob, hash, body)
            try:
                entry = read_entry(path, data)
                row = row._replace(name=entry.name)
            except EntryError as error:
                row = row._replace(problem=str(error))
        row = _with_flags(path, row._replace(stat=stat), known, committed)
        if row.unsearched:
            row = row._replace(secret=secret_in(path, data))
        if row != old:
            self._files.put(path, row)
        if entry is not None:
            self._keep(path, data.decode(), hash, entry)
            if row.complaint is None:
                self._files.put_content(path, data.decode(), entry)
        return row

    def _update_flags(self) -> None:
        """Compute anew whose words each file holds: HEAD is another commit."""
        known, committed = self._known()
        for path, row in list(self._files.rows.items()):
            if (new := _with_flags(path, row, known, committed)) is not row:
                if new.unsearched:
                    new = new._replace(stat="")
                self._files.put(path, new)
        self._files.head = known.head

    def _known(self) -> tuple[HistoryIndex, Mapping[str, str]]:
        """The history index, and the object id of each file as HEAD has it; nothing without git."""

        def ask() -> tuple[HistoryIndex, Mapping[str, str]]:
            known = self.history_index()
            if known.head and self._committed[0] != known.head:
                self._committed = known.head, self.git.files_of(known.head)
            return known, self._committed[1] if known.head else {}

        nothing: Mapping[str, str] = {}
        return self._asked(ask, (HistoryIndex(), nothing))

    def _asked(self, ask: Callable[[], _Answer], otherwise: _Answer) -> _Answer:
        """What git says; `otherwise` where it cannot be used.

        What a writer decides on must be true: under the lock GitError is raised.
        """
        if self.lacks is None:
            try:
                return ask()
            except GitError as error:
                if self._holder is not None:
                    raise
                self.lacks = f"{error} ({READ_ONLY})"
        return otherwise


def _with_flags(path: str, row: FileRow, known: HistoryIndex, committed: Mapping[str, str]) -> FileRow:
    """The row with its flags as git has them now; itself where these are its own."""
    edited = committed.get(path) != row.blob
    by_hand, user_written = edited or row.blob in known.blobs, edited or row.body in known.bodies
    if (by_hand, user_written) == (row.by_hand, row.user_written):
        return row
    return row._replace(by_hand=by_hand, user_written=user_written)
