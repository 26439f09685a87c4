"""The entries of a store as they stand on disk: read without a lock, each file only when it changed.

`entry_reader.py` reads one file, `entry_index.py` notes what each held when it was last read.
See docs/store-format.md and invariants 8, 12, 13.
"""

import os
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from siltstone.store import history_index, layout
from siltstone.store.create import READ_ONLY
from siltstone.store.disk import Disk
from siltstone.store.entry import Entry, Snapshot, Stored
from siltstone.store.entry_index import EntryIndex, FileRow, stat_of, with_flags
from siltstone.store.entry_reader import EntryReader, Parse, Secrets, by_user
from siltstone.store.errors import EntryError, GitError
from siltstone.store.git import Git
from siltstone.store.history_index import HistoryIndex
from siltstone.store.intent import hash_of
from siltstone.store.names import scope_of_path


class Entries:
    """The entries of one store. Several threads may read at once."""

    def __init__(
        self,
        git: Git,
        disk: Disk,
        clock: Callable[[], datetime],
        parse: Parse,
        secrets: Secrets,
        index: Path | None = None,
    ) -> None:
        self.root = git.root
        self.git = git
        self.disk = disk
        self.clock = clock
        self.lacks: str | None = None
        """Why git cannot be used, in a sentence: then entries are read as they stand, each taken for the
        user's own, and every write raises GitError (C26). None while all is well."""
        self._reader = EntryReader(git.root, parse, secrets)
        self._files = EntryIndex(index)
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
        """One sentence for each file that was left out when it was last looked at, sorted by path."""
        return [self._reader.complaints[path] for path in sorted(self._reader.complaints)]

    @property
    def unreadable(self) -> dict[str, str]:
        """The same sentences by path."""
        return dict(self._reader.complaints)

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
        """Entries whose path or name holds `name`, archived ones too, those of the inbox last."""
        wanted = name.strip().removesuffix("/").casefold()
        with self._reading:
            rows = self._rows([*self._paths(None, archived=True), *layout.files(self.root, layout.INBOX)])
            found = self.read_all(
                [p for p, row in rows.items() if wanted in p.casefold() or wanted in row.name.casefold()]
            )
            return sorted(found, key=lambda one: one.path.startswith(f"{layout.INBOX}/"))

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
            raise EntryError(self._reader.complaints[path])
        return read[0]

    def taken(self, scope: str) -> set[str]:
        """Paths of every file in a scope (or "inbox"), readable or not, archived too: none is free."""
        folders = (scope, f"{scope}/{layout.SYSTEM}", f"{scope}/{layout.ARCHIVE}")
        return {path for folder in folders for path in layout.files(self.root, folder)}

    def left_out(self, folder: str) -> dict[str, str]:
        """What stands in the files of a scope (or "inbox") that `entries` leaves out, by path.

        To find out whether they hold something, never to be shown: it may be a secret. "" for what is
        no plain file. The archive is not in it.
        """
        paths = [*layout.files(self.root, folder), *layout.files(self.root, f"{folder}/{layout.SYSTEM}")]
        with self._reading:
            known = self._reader.complaints
            named = [path for path in paths if path in known]
            return {p: (self._reader.peek(p) or b"").decode("utf-8", "replace") for p in named}

    def text(self, path: str) -> str | None:
        """Content of `_CONFLICTS.md` or a `project.yaml`; None when it is not there or cannot be read."""
        at = layout.check(self.root, path)
        data = self._reader.bytes_of(path) if at.exists() else None
        return None if data is None else data.decode("utf-8", "replace")

    def parse(self, path: str, text: str) -> Entry | None:
        """The entry in a text that once stood at `path`; None when it does not parse."""
        return self._reader.parse(path, text)

    def history_index(self) -> HistoryIndex:
        """What history says as a whole, up to HEAD."""
        with self._reading:
            self._index = history_index.current(self.git, self.disk, self._index)
            return self._index

    def read_all(self, paths: Sequence[str]) -> list[Stored]:
        """The entries at these paths, sorted; what may not be shown is left out and named in `complaints`."""
        with self._reading:
            rows = {path: row for path, row in self._rows(paths).items() if row.complaint is None}
            unmade = [path for path, row in rows.items() if not self._reader.has(path, row.hash)]
            for path, (text, entry) in self._files.contents(unmade).items():
                self._reader.keep(path, rows[path].hash, text, entry)
            read = []
            for path, row in rows.items():
                stored = self._reader.stored(path, row.hash)
                if stored is None:  # the index has lost its text, or the file changed since
                    self._files.drop([path])
                    row = self._rows([path]).get(path, row)
                    stored = self._reader.stored(path, row.hash) if row.complaint is None else None
                if stored is not None:
                    read.append(by_user(stored) if row.user_written else stored)
            return read

    def _rows(self, paths: Sequence[str]) -> dict[str, FileRow]:
        """What each file holds, sorted by path; only files that changed are read."""
        files, reader = self._files, self._reader
        for path in [p for p in reader.complaints if not (self.root / p).exists()]:
            del reader.complaints[path]
        if files.head != self._head():
            self._update_flags()
        rows, root = {}, os.fspath(self.root)
        by_git: tuple[HistoryIndex, Mapping[str, str]] | None = None
        for path in sorted(paths):
            if not reader.is_nameable(path):
                continue
            stat = stat_of(f"{root}/{path}")
            row = files.rows.get(path)
            if row is None or not stat or row.stat != stat:
                by_git = by_git or self._git_knows()
                row = self._read_file(path, stat, *by_git)
            if row is None:
                files.drop([path])
                continue
            rows[path] = row
            if row.complaint is None:
                reader.complaints.pop(path, None)
            else:
                reader.complaints[path] = row.complaint
        files.save()
        return rows

    def _head(self) -> str:
        """The commit that HEAD names; "" where there is none or git cannot be used."""
        try:
            return "" if self.lacks is not None else self.git.head() or ""
        except GitError as error:
            if self._holder is not None:
                raise
            self.lacks = f"{error} ({READ_ONLY})"
            return ""

    def _read_file(
        self, path: str, stat: str, known: HistoryIndex, committed: Mapping[str, str]
    ) -> FileRow | None:
        """A file as it stands now; None with a complaint if it cannot be read."""
        data = self._reader.bytes_of(path)
        if data is None:
            return None
        # By the very bytes that are read: what git said a moment before may be true no more.
        hash, body = hash_of(data), history_index.body_hash(data)
        row = FileRow(stat, history_index.blob_id(data, known.head), hash, body)
        row = with_flags(path, row, committed, known.blobs, known.bodies)
        entry, problem = self._reader.read(path, data, hash)
        secret = (self._reader.secret_in(path, data) or "") if entry is not None and row.by_hand else None
        row = row._replace(name="" if entry is None else entry.name, problem=problem, secret=secret)
        if row != self._files.rows.get(path) or not stat:
            self._files.put(path, row, entry, data.decode("utf-8", "replace"))
        return row

    def _update_flags(self) -> None:
        """Compute anew whose words each file holds: HEAD is another commit."""
        known, committed = self._git_knows()
        for path, row in list(self._files.rows.items()):
            new = with_flags(path, row, committed, known.blobs, known.bodies)
            if new is not row:
                if new.by_hand and new.secret is None and new.problem is None:
                    new = new._replace(stat="")  # it was not searched for secrets yet
                self._files.set_flags(path, new)
        self._files.head = known.head

    def _git_knows(self) -> tuple[HistoryIndex, Mapping[str, str]]:
        """The history index, and the object id of each file as HEAD has it; nothing where git cannot be used.

        What a writer decides on must be true: under the lock GitError is raised.
        """
        try:
            if self.lacks is None:
                known = self.history_index()
                if known.head and self._committed[0] != known.head:
                    self._committed = known.head, self.git.files_of(known.head)
                return known, self._committed[1] if known.head else {}
        except GitError as error:
            if self._holder is not None:
                raise
            self.lacks = f"{error} ({READ_ONLY})"
        return HistoryIndex(), {}
