"""SQLite files that can be made again: `search.sqlite3`, `recall.sqlite3`, `code.sqlite3` (invariant 12).

A damaged file, or one of another version, is thrown away, and whoever writes it fills it anew.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Self

from siltstone.store.disk import FILE_MODE, FOLDER_MODE
from siltstone.store.errors import Locked, StateError
from siltstone.store.state import HOOK_WAIT
from siltstone.store.state.purge import scrubbed

MADE_ANEW = "the next run rebuilds it, or `silt rebuild` now"
Load = Callable[[sqlite3.Connection], None]


class DerivedDatabase(NamedTuple):
    """What one kind of file holds."""

    version: int
    """Raise it when the tables change, and when rows are made in another way."""
    tables: str
    """The statements that make them."""
    check: Callable[[sqlite3.Connection], None]
    """Raises sqlite3.DatabaseError for a file that is damaged."""

    def open(self, path: str, wait: float, load: Load | None = None) -> sqlite3.Connection:
        """The file for writing, made when it is missing; `wait` in seconds for other processes. What `load`
        reads at once may show damage, too."""
        try:
            return self._open(path, wait, load)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            return self.fresh(path, wait)

    def fresh(self, path: str, wait: float) -> sqlite3.Connection:
        """The file thrown away and made anew."""
        for end in ("", "-wal", "-shm"):
            Path(path + end).unlink(missing_ok=True)
        return self._open(path, wait)

    def _open(self, path: str, wait: float, load: Load | None = None) -> sqlite3.Connection:
        db = sqlite3.connect(path, timeout=wait, isolation_level=None, check_same_thread=False)
        try:
            (version,) = db.execute("pragma user_version").fetchone()
            if version not in (0, self.version):
                raise sqlite3.DatabaseError("another version")
            if version == 0:
                os.chmod(path, FILE_MODE)  # before SQLite makes its files beside it, which take over the mode
                db.execute("pragma journal_mode = wal")
                db.executescript(
                    f"begin immediate;\n{self.tables}\npragma user_version = {self.version};\ncommit;"
                )
            db.execute("pragma synchronous = normal")
            self.check(db)
            if load is not None:
                load(db)
        except BaseException:
            db.close()
            raise
        return db


class Derived:
    """Such a file, open. Use it as a context manager, or `close` it."""

    _path: str
    _db: sqlite3.Connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._db.close()


class DerivedWriter(Derived):
    """Opened for writing, made with its folder when it is missing. Raises StateError, Locked."""

    def __init__(self, kind: DerivedDatabase, path: Path, wait: float) -> None:
        """`wait`: seconds for other processes that write."""
        self._path, self._kind, self._wait = str(path), kind, wait
        with sqlite_errors(self._path):
            path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            self._db = kind.open(self._path, wait)

    @contextmanager
    def _using(self) -> Iterator[None]:
        """Errors as ours. After damage that opening did not find the file begins anew, empty."""
        with sqlite_errors(self._path):
            try:
                yield
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError as error:
                self._db.close()
                self._db = self._kind.fresh(self._path, self._wait)
                raise StateError(f"{self._path} was damaged and starts empty; run `silt rebuild`") from error

    def scrub(self) -> str:
        """Remove deleted text from the file itself, as `store.state.purge.scrubbed` does."""
        with self._using():
            return scrubbed(lambda sql: self._db.execute(sql).fetchall(), self._path)


class DerivedReader(Derived):
    """Opened for reading, all of it as of one moment."""

    def __init__(self, path: str, version: int, missing: str) -> None:
        """`missing`: what to say where there is none. Raises StateError without a usable one, Locked."""
        self._path = path
        if not os.path.isfile(path):
            raise StateError(missing)
        with sqlite_errors(path):
            self._db = sqlite3.connect(path, timeout=HOOK_WAIT, isolation_level=None)
            try:
                # Few pages are read twice, and memory for each costs more than to read it once more.
                self._db.execute("pragma cache_size = 40")
                self._db.execute("begin")  # the file is locked once, not for each statement
                (found,) = self._db.execute("pragma user_version").fetchone()
                if found != version:
                    raise StateError(f"{path} was made by another version of siltstone; {MADE_ANEW}")
                self._read()
            except BaseException:
                self._db.close()
                raise

    def _read(self) -> None:
        """What is read at once."""


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Everything that the block writes, or nothing of it."""
    db.execute("begin immediate")
    try:
        yield
        db.execute("commit")
    finally:
        if db.in_transaction:
            db.execute("rollback")


@contextmanager
def sqlite_errors(path: str) -> Iterator[None]:
    """Turns errors of SQLite and of the disk about the file at `path` into ours."""
    try:
        yield
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise Locked(f"{path} is held by another process; try again") from error
        what = (
            "use a Python whose SQLite has FTS5" if "no such module" in str(error) else "run `silt rebuild`"
        )
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            what = "make its folder and what is in it readable and writable"
        raise StateError(f"{path} cannot be used ({error}); {what}") from error
    except sqlite3.DatabaseError as error:
        raise StateError(f"{path} is damaged ({error}); {MADE_ANEW}") from error
    except OSError as error:
        raise StateError(f"{path} cannot be used ({error.strerror}); check its folder") from error
