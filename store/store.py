"""The store: memories as files in a git repository, read freely and written by one at a time.

    with store.locked():
        settled = store.settle()          # ours undone, the user's edits committed as theirs
        changes = decide(store.entries())
        store.apply(changes, "memory: learn 2 facts about larkspur", trailers)

See docs/store-format.md and invariants 2, 3, 9, 10, 13.
"""

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from siltstone.store import commits, frontmatter, history_index, layout, lock
from siltstone.store.create import READ_ONLY, open_repository
from siltstone.store.disk import Disk
from siltstone.store.entry import Change, Entry, Snapshot, Stored
from siltstone.store.entry_index import EntryIndex, FileRow, stat_of, told
from siltstone.store.entry_reader import EntryReader, Parse, Secrets, by_user
from siltstone.store.errors import EntryError, GitError
from siltstone.store.git import LONG_TIMEOUT, Git
from siltstone.store.history_index import HistoryIndex
from siltstone.store.intent import hash_of
from siltstone.store.recovery import Settled, settle
from siltstone.store.redaction import findings
from siltstone.store.writing import cannot_write, carry_out, plan

LOCK = "silt-lock"
LOOSE_OBJECTS = 2000
"""More of them, and `pack` packs (docs/store-format.md)."""


def utc_now() -> datetime:
    """The clock a store has unless it is given another."""
    return datetime.now(UTC)


class Store:
    """One store. Reading takes no lock; `settle`, `apply` and `pack` want `locked()` around them."""

    def __init__(
        self,
        git: Git,
        disk: Disk,
        clock: Callable[[], datetime],
        parse: Parse,
        secrets: Secrets,
        wait: float = lock.WAIT,
        index: Path | None = None,
    ) -> None:
        self.root = git.root
        self.git = git
        self.disk = disk
        self.clock = clock
        self.lacks: str | None = None
        """Why git cannot be used, in a sentence: then entries are read as they stand, each taken for the
        user's own, and every write raises GitError (C26). None while all is well."""
        self._wait = wait
        self._reader = EntryReader(git.root, parse, secrets)
        self._files = EntryIndex(index)
        self._index: HistoryIndex | None = None
        self._committed: tuple[str, Mapping[str, str]] = ("", {})
        """A commit, and the object id of each of its files."""
        self._reading = threading.RLock()
        self._holder: int | None = None
        self._is_settled = False

    @classmethod
    def open(
        cls,
        root: Path,
        disk: Disk | None = None,
        clock: Callable[[], datetime] = utc_now,
        *,
        parse: Parse = frontmatter.parse,
        secrets: Secrets = findings,
        wait: float = lock.WAIT,
        index: Path | None = None,
    ) -> "Store":
        """The store at `root`, made when the folder is missing or empty.

        `wait`: seconds to wait for its lock. `index`: the search database, which also notes what each
        file held, so that unchanged files are not read again.

        A store whose git is missing or broken can be read all the same, see `lacks`. Raises StoreError
        for a folder that is no store and must not become one, GitError when one cannot be made for want
        of git, Deferred when a clone that was never opened is in the middle of a merge.
        """
        disk = disk or Disk()
        opened = open_repository(Path(os.path.realpath(Path(root).expanduser())), disk, clock(), wait)
        store = cls(opened.git, disk, clock, parse, secrets, wait, index)
        store.lacks = opened.lacks
        return store

    def close(self) -> None:
        """Close the index, if the store has one."""
        with self._reading:
            self._files.close()

    # Reading

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
        paths = self.hashes()
        return {scope: sum(path.startswith(f"{scope}/") for path in paths) for scope in self.scopes()}

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
            self._tell_rows()
        rows = {}
        by_git: tuple[HistoryIndex, Mapping[str, str]] | None = None
        for path in sorted(paths):
            if not reader.is_nameable(path):
                continue
            stat = stat_of(os.path.join(self.root, path))
            row = files.rows.get(path)
            if row is None or not stat or row.stat != stat:
                by_git = by_git or self._told_by_git()
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
        row = told(path, row, committed, known.blobs, known.bodies)
        entry, problem = self._reader.read(path, data, hash)
        secret = (self._reader.secret_in(path, data) or "") if entry is not None and row.by_hand else None
        row = replace(row, name="" if entry is None else entry.name, problem=problem, secret=secret)
        if row != self._files.rows.get(path) or not stat:
            self._files.put(path, row, entry, data.decode("utf-8", "replace"))
        return row

    def _tell_rows(self) -> None:
        """Compute anew whose words each file holds: HEAD is another commit."""
        known, committed = self._told_by_git()
        for path, row in list(self._files.rows.items()):
            new = told(path, row, committed, known.blobs, known.bodies)
            if new is not row:
                if new.by_hand and new.secret is None and new.problem is None:
                    new = replace(new, stat="")  # nobody has looked for secrets in it yet
                self._files.set_flags(path, new)
        self._files.head = known.head

    def _told_by_git(self) -> tuple[HistoryIndex, Mapping[str, str]]:
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

    # Writing

    def check_git(self) -> None:
        """Raise GitError when git cannot be used: asks it what differs from HEAD, as every write begins."""
        if self.lacks is not None:
            raise GitError(self.lacks)
        try:
            self.git.dirty()
        except GitError as error:
            self.lacks = f"{error} ({READ_ONLY})"
            raise

    @contextmanager
    def locked(self, wait: float | None = None) -> Iterator[None]:
        """Be the one writer, across processes and threads, for as short as possible.

        Raises Locked after `wait` seconds, by default those that the store was opened with, GitError at
        once where git cannot be used. Not to be nested.
        """
        if self.lacks is not None:
            raise GitError(self.lacks)
        if self._holder == threading.get_ident():
            raise RuntimeError("the store's lock is already held by this thread")
        seconds = self._wait if wait is None else wait
        with lock.locked(self.git.dir / LOCK, self.root, self.disk, seconds) as handle:
            self._holder, self.git.held, self._is_settled = threading.get_ident(), handle, False
            try:
                yield
            finally:
                self._holder, self.git.held, self._is_settled = None, None, False

    def settle(self) -> Settled:
        """Undo what an unfinished pass left, then commit the user's edits as the user's (invariants 3, 9).

        A changed file with a secret stays uncommitted and is named by file and line; the rest goes on.
        Raises Deferred in the middle of a merge or rebase, Locked while another git is at work.
        """
        self._must_hold()
        try:
            settled = settle(self.git, self._reader, self.clock())
        except OSError as error:
            raise cannot_write(self.root, error) from error
        self._is_settled = True
        return settled

    def apply(
        self,
        changes: Sequence[Change],
        subject: str,
        trailers: Sequence[tuple[str, str]],
        body: str = "",
        when: datetime | None = None,
    ) -> str:
        """Make all changes in one commit, or none: returns the commit's id.

        Each change is checked against the hash it was decided on; Stale names those that no longer
        fit, and nothing is written. `trailers` must tell our commit by a Silt-Op. No changes make an
        empty commit, so that a watermark can stand alone. `when` is the commit's date, else the clock.
        A fault on the way leaves the intent, and the next `settle` puts everything back.
        """
        self._must_hold()
        if not any(key == commits.OP for key, _ in trailers):
            raise ValueError("a commit of ours needs a Silt-Op trailer, or it would pass for the user's")
        if not self._is_settled:
            self.settle()
        message = commits.message(subject, body, trailers)
        planned = plan(self.root, changes, dict(trailers).get(commits.RUN, ""))
        self._is_settled = False
        commit = carry_out(self.git, planned, message, when or self.clock())
        self._is_settled = True
        return commit

    def pack(self) -> bool:
        """Pack the repository when it holds many loose objects; whether it did. Wants the lock."""
        self._must_hold()
        loose = sum(
            len(list(folder.iterdir())) for folder in (self.git.dir / "objects").glob("[0-9a-f][0-9a-f]")
        )
        if loose > LOOSE_OBJECTS:
            self.git.run("gc", "-q", timeout=LONG_TIMEOUT, writes=True)
        return loose > LOOSE_OBJECTS

    def _must_hold(self) -> None:
        if self._holder != threading.get_ident():
            raise RuntimeError("this wants `with store.locked():` around it")
