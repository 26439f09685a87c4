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
from datetime import UTC, datetime
from pathlib import Path

from siltstone.store import annals, commits, frontmatter, layout, lock
from siltstone.store.annals import Annals
from siltstone.store.create import READ_ONLY, open_repository
from siltstone.store.disk import Disk
from siltstone.store.entry import Change, Entry, Stored
from siltstone.store.errors import EntryError, GitError
from siltstone.store.git import LONG_TIMEOUT, Git
from siltstone.store.redaction import findings
from siltstone.store.settle import Settled, settle
from siltstone.store.shelf import Parse, Secrets, Shelf, by_user
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
    ) -> None:
        self.root = git.root
        self.git = git
        self.disk = disk
        self.clock = clock
        self.lacks: str | None = None
        """Why git cannot be used, in a sentence: then entries are read as they stand, each taken for the
        user's own, and every write raises GitError (C26). None while all is well."""
        self._wait = wait
        self._shelf = Shelf(git.root, parse, secrets)
        self._annals: Annals | None = None
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
    ) -> "Store":
        """The store at `root`, made when the folder is missing or empty; `wait`: seconds that its lock is
        waited for.

        A store whose git is missing or broken can be read all the same, see `lacks`. Raises StoreError
        for a folder that is no store and must not become one, GitError when one cannot be made for want
        of git, Deferred when a clone that was never opened is in the middle of a merge.
        """
        disk = disk or Disk()
        opened = open_repository(Path(os.path.realpath(Path(root).expanduser())), disk, clock(), wait)
        store = cls(opened.git, disk, clock, parse, secrets, wait)
        store.lacks = opened.lacks
        return store

    # Reading

    @property
    def complaints(self) -> list[str]:
        """One sentence for each file that was left out when it was last looked at, sorted by path."""
        return [self._shelf.complaints[path] for path in sorted(self._shelf.complaints)]

    @property
    def unreadable(self) -> dict[str, str]:
        """The same sentences by path."""
        return dict(self._shelf.complaints)

    def scopes(self) -> list[str]:
        """ "global" and every project's folder, sorted."""
        return layout.scopes(self.root)

    def entries(self, scope: str | None = None, archived: bool = False) -> list[Stored]:
        """Entries of one scope or of all, sorted by path; with `archived` those in `archive/` too.

        What cannot or may not be shown is left out and named in `complaints`. The inbox is not in it.
        """
        folders = []
        for name in self.scopes() if scope is None else [scope]:
            folders += [name, f"{name}/{layout.SYSTEM}"]
            folders += [f"{name}/{layout.ARCHIVE}"] if archived else []
        return self._read_all([path for folder in folders for path in layout.files(self.root, folder)])

    def inbox(self) -> list[Stored]:
        """Quarantined candidates, sorted by path."""
        return self._read_all(layout.files(self.root, layout.INBOX))

    def read(self, path: str) -> Stored:
        """One entry by its path; raises EntryError when there is none that may be shown."""
        layout.check(self.root, path)
        if not (self.root / path).is_file():
            raise EntryError(f"{path} is not in the store: `silt list` shows what is")
        read = self._read_all([path])
        if not read:
            raise EntryError(self._shelf.complaints[path])
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
            known = self._shelf.complaints
            named = [path for path in paths if path in known]
            return {p: (self._shelf.peek(p) or b"").decode("utf-8", "replace") for p in named}

    def text(self, path: str) -> str | None:
        """Content of `_CONFLICTS.md` or a `project.yaml`; None when it is not there or cannot be read."""
        at = layout.check(self.root, path)
        data = self._shelf.bytes_of(path) if at.exists() else None
        return None if data is None else data.decode("utf-8", "replace")

    def parse(self, path: str, text: str) -> Entry | None:
        """The entry in a text that once stood at `path`; None when it does not parse."""
        return self._shelf.parse(path, text)

    def annals(self) -> Annals:
        """What history says as a whole, up to HEAD."""
        with self._reading:
            self._annals = annals.current(self.git, self.disk, self._annals)
            return self._annals

    def _read_all(self, paths: Sequence[str]) -> list[Stored]:
        with self._reading:
            known, committed = self._told_by_git()
            for path in [p for p in self._shelf.complaints if not (self.root / p).exists()]:
                del self._shelf.complaints[path]
            read = []
            for path in sorted(paths):
                data = self._shelf.bytes_of(path) if self._shelf.is_nameable(path) else None
                if data is None:
                    continue
                # By the very bytes that are read: what git said a moment before may be true no more.
                blob = annals.blob_id(data, known.head)
                edited = committed.get(path) != blob
                by_hand = edited or blob in known.blobs
                stored = self._shelf.take(path, data, by_hand)
                if stored is not None:
                    wrote = edited or (bool(known.bodies) and annals.body_hash(data) in known.bodies)
                    read.append(by_user(stored) if wrote else stored)
            return read

    def _told_by_git(self) -> tuple[Annals, Mapping[str, str]]:
        """The annals, and the object id of each file as HEAD has it; nothing where git cannot be used.

        What a writer decides on must be true: under the lock GitError is raised.
        """
        try:
            if self.lacks is None:
                known = self.annals()
                if known.head and self._committed[0] != known.head:
                    self._committed = known.head, self.git.files_of(known.head)
                return known, self._committed[1] if known.head else {}
        except GitError as error:
            if self._holder is not None:
                raise
            self.lacks = f"{error} ({READ_ONLY})"
        return Annals(), {}

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
            settled = settle(self.git, self._shelf, self.clock())
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
