"""The store: memories as files in a git repository, read freely and written by one at a time.

    with store.locked():
        settled = store.settle()          # ours undone, the user's edits committed as theirs
        changes = decide(store.entries())
        store.apply(changes, "memory: learn 2 facts about larkspur", trailers)

See docs/store-format.md and invariants 2, 3, 9, 10, 13.
"""

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from siltstone.store import commits, intent, layout, lock
from siltstone.store.create import LOCK, READ_ONLY, open_repository
from siltstone.store.disk import Disk
from siltstone.store.entries import Entries
from siltstone.store.entry import Change, Delete
from siltstone.store.errors import GitError, Stale, cannot_write
from siltstone.store.git import LONG_TIMEOUT, Git
from siltstone.store.recovery import INTENT, Settled, found, prune, settle

UNBOUND = [(commits.OP, op) for op in ("undo", "rollback")]
"""What brings back files as they were, with the anchors they had."""
LOOSE_OBJECTS = 2000
"""More of them, and `pack` packs (docs/store-format.md)."""


def utc_now() -> datetime:
    """The clock a store has unless it is given another."""
    return datetime.now(UTC)


class Store(Entries):
    """One store. Reading takes no lock; `settle`, `apply` and `pack` want `locked()` around them."""

    def __init__(
        self,
        git: Git,
        disk: Disk,
        clock: Callable[[], datetime],
        wait: float = lock.WAIT,
        index: Path | None = None,
    ) -> None:
        super().__init__(git, disk, clock, index)
        self._wait = wait
        self._is_settled = False
        self.bind: Callable[[Sequence[Change]], Sequence[Change]] = lambda changes: changes
        """Gives memories that are about to be written their anchors (`pipeline/binding.py`)."""

    @classmethod
    def open(
        cls,
        root: Path,
        disk: Disk | None = None,
        clock: Callable[[], datetime] = utc_now,
        *,
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
        place = Path(os.path.realpath(Path(root).expanduser()))
        git, lacks = open_repository(place, disk, clock(), wait)
        store = cls(git, disk, clock, wait, index)
        store.lacks = lacks
        return store

    def check_git(self) -> None:
        """Raise GitError when git cannot be used: asks it of one file what every write asks of all."""
        if self.lacks is not None:
            raise GitError(self.lacks)
        try:
            self.git.dirty(".gitignore")
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
                left = os.fstat(handle)
                if left.st_size:  # a writer was killed in a git, and that with it: no git of ours lives now
                    self.git.drop_locks(left.st_mtime_ns)
                    os.ftruncate(handle, 0)
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
            settled = settle(self.git, self.unreadable, self.clock())
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
        fit, Locked says that another git is at work: nothing is written then. `trailers` must name a
        Silt-Op, by which our commits are known. No changes make an empty commit, so that a watermark can
        stand alone. `when` is the commit's date, else the clock. A fault on the way leaves the intent, and
        the next `settle` puts everything back.
        """
        self._must_hold()
        if not any(key == commits.OP for key, _ in trailers):
            raise ValueError("a commit of ours needs a Silt-Op trailer, or it would pass for the user's")
        if not self._is_settled:
            self.settle()
        if not any(line in UNBOUND for line in trailers):
            changes = self.bind(changes)
        message = commits.message(subject, body, trailers)
        old, new = _checked(self.root, changes)
        planned = {path: (old[path], intent.hash_of(data)) for path, data in new.items()}
        self._is_settled = False
        try:
            self.git.wait_until_free()  # before a file is written that could not be committed
            if new:
                run = dict(trailers).get(commits.RUN, "")
                intent.write(self.git.dir / INTENT, intent.Intent(run, planned), self.disk)
            for path, data in new.items():
                if data is not None:
                    self.disk.write(self.root / path, data)
                else:
                    self.disk.unlink(self.root / path)
                    prune(self.git, path)
            commit = self.git.commit(list(new), message, when or self.clock())
            self.disk.unlink(self.git.dir / INTENT)
        except OSError as error:
            raise cannot_write(self.root, error) from error
        self._is_settled = True
        return commit

    def pack(self) -> bool:
        """Pack the repository when it holds many loose objects; whether it did. Wants the lock."""
        self._must_hold()
        loose = sum(
            len(list(folder.iterdir())) for folder in (self.git.dir / "objects").glob("[0-9a-f][0-9a-f]")
        )
        if loose > LOOSE_OBJECTS:
            self.git.run("gc", "-q", "--force", timeout=LONG_TIMEOUT, writes=True)
        return loose > LOOSE_OBJECTS

    def _must_hold(self) -> None:
        if self._holder != threading.get_ident():
            raise RuntimeError("this wants `with store.locked():` around it")


def _checked(root: Path, changes: Sequence[Change]) -> tuple[dict[str, str], dict[str, bytes | None]]:
    """The hash that each path of `changes` has, and its content afterwards; None for no file.

    Raises Stale naming those that changed since they were decided on, StoreError for a path where no memory
    may stand.
    """
    # A lone surrogate out of a transcript has no UTF-8: it becomes "?".
    new = {
        change.path: None if isinstance(change, Delete) else change.text.encode("utf-8", "replace")
        for change in changes
    }
    if len(new) != len(changes):
        raise ValueError("two changes of one pass touch the same path")
    # What is already there may go whatever it is called; what comes must stand where memories stand.
    places = {p: layout.inside(root, p) if data is None else layout.check(root, p) for p, data in new.items()}
    old = {path: found(place) for path, place in places.items()}
    stale = tuple(sorted(c.path for c in changes if old[c.path] != (c.expected or intent.GONE)))
    if stale:
        raise Stale(
            f"{', '.join(stale[:3])} changed in the meantime: nothing was written, run this again", stale
        )
    return old, new
