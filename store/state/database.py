"""The SQLite file of the state: opening, migrating, transactions, and what happens when it is damaged."""

import fcntl
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from siltstone.store.errors import Locked, StateError
from siltstone.store.state.migrations import STEPS

VERSION = len(STEPS)
WAIT = 30.0
"""Seconds to wait for another process that writes."""
_VALUES_PER_QUERY = 500
"""SQLite allows at least 999."""
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_LOST = ("no such table: ", "no such column: ")
"""Begins SQLite's errors about a table that every database of this version has: its schema is damaged."""
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}

Cell = str | int | float | None
Row = tuple[Cell, ...]
T = TypeVar("T")


class Database:
    """One connection, shared by the threads of a process. Several processes may have the file open.

    A damaged file is renamed to `.corrupt-<n>` and a new one is made in its place. Damage found while
    opening adds a sentence to `complaints`; damage found later raises StateError, and the next call
    works on the new file. A file in use by another process for longer than `wait` seconds raises Locked.
    """

    def __init__(self, path: Path, steps: Sequence[Sequence[str]] = STEPS, wait: float = WAIT) -> None:
        self.path = path
        self.complaints: list[str] = []
        self._steps = steps
        self._wait = wait
        self._guard = threading.RLock()
        try:
            self._connection = self._open()
        except sqlite3.DatabaseError as error:
            raise self._unusable(error) from error
        self._inode = _inode(path)

    def close(self) -> None:
        """Close the file."""
        with self._guard:
            self._connection.close()

    # Opening

    def _open(self) -> sqlite3.Connection:
        if (ready := self._open_current()) is not None:
            return ready
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Two processes must not both set the file aside, or migrate it.
            with _locked(self.path.with_name(f"{self.path.name}.lock")):
                try:
                    return self._open_and_migrate()
                except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
                    if not _is_damage(error):
                        raise
                    self.complaints.append(self._set_aside())
                    return self._open_and_migrate()
        except OSError as error:
            raise StateError(
                f"the state folder {self.path.parent} cannot be written ({error.strerror}); set SILT_STATE"
            ) from error

    def _open_current(self) -> sqlite3.Connection | None:
        """The connection, if the file needs no work: it is there, sound, and of this version."""
        if not self.path.exists():
            return None
        try:
            connection, version = self._connect()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if not _is_damage(error):
                raise
            return None
        if version == len(self._steps):
            return connection
        connection.close()
        return None

    def _open_and_migrate(self) -> sqlite3.Connection:
        connection, version = self._connect()
        with ExitStack() as failed:
            failed.callback(connection.close)
            if version > len(self._steps):
                raise StateError(
                    f"the state database {self.path} has version {version}, this siltstone knows "
                    f"{len(self._steps)}; install the newer siltstone, or name another folder in SILT_STATE"
                )
            connection.execute("PRAGMA journal_mode = WAL")
            for number, step in enumerate(self._steps[version:], start=version + 1):
                connection.execute("BEGIN IMMEDIATE")
                for statement in step:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")
                connection.execute("COMMIT")
            self.path.chmod(0o600)
            failed.pop_all()
        return connection

    def _connect(self) -> tuple[sqlite3.Connection, int]:
        """A connection, and the version of the file."""
        connection = sqlite3.connect(
            self.path, timeout=self._wait, isolation_level=None, check_same_thread=False
        )
        with ExitStack() as failed:
            failed.callback(connection.close)
            # Pages freed by deleting are overwritten, so that what was deleted is gone from the file.
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA synchronous = NORMAL")
            # Reads the schema, where most damage shows.
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            failed.pop_all()
        return connection, int(version)

    # Reading and writing

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of the block is committed, or nothing. A nested transaction belongs to the outer one."""
        with self._guard:
            if self._connection.in_transaction:
                yield
                return
            with self._errors():
                self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                with self._errors():
                    self._connection.execute("COMMIT")
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")

    def write(self, sql: str, values: Sequence[Cell] = ()) -> int:
        """Run one changing statement; returns how many rows it touched."""
        with self._guard, self._errors():
            return self._connection.execute(sql, _cleaned(values)).rowcount

    def write_all(self, sql: str, rows: Iterable[Sequence[Cell]]) -> None:
        """Run one statement for each of `rows`, in one transaction."""
        cleaned = [_cleaned(row) for row in rows]
        with self.transaction(), self._errors():
            self._connection.executemany(sql, cleaned)

    def rows(self, sql: str, values: Sequence[Cell] = ()) -> list[Row]:
        """The rows that a query finds."""
        with self._guard, self._errors():
            return self._connection.execute(sql, _cleaned(values)).fetchall()

    def read(self, make: Callable[[Row], T], sql: str, values: Sequence[Cell] = ()) -> list[T]:
        """What `make` makes of each row. A row it cannot read (ValueError, KeyError, TypeError) is damage."""
        with self._guard:
            rows = self.rows(sql, values)
            try:
                return [make(row) for row in rows]
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise self._damaged() from error

    def read_in(
        self, make: Callable[[Row], T], sql: str, fixed: Sequence[Cell], values: Sequence[str]
    ) -> Iterator[T]:
        """As `read`; in `sql` the mark `{}` stands for a list of `values` of any length."""
        for at in range(0, len(values), _VALUES_PER_QUERY):
            some = values[at : at + _VALUES_PER_QUERY]
            yield from self.read(make, sql.format(",".join("?" * len(some))), [*fixed, *some])

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            damaged = _is_damage(error) or str(error).startswith(_LOST)
            raise (self._damaged() if damaged else self._unusable(error)) from error

    def _unusable(self, error: Exception) -> StateError | Locked:
        if _code(error) in _BUSY:
            return Locked(f"the state database {self.path} is in use by another process; try again")
        return StateError(
            f"the state database {self.path} cannot be used: {error}; check the disk and its permissions"
        )

    def _damaged(self) -> StateError:
        """Replace the file by a new one; the error for the call that found the damage."""
        self._connection.close()
        try:
            with _locked(self.path.with_name(f"{self.path.name}.lock")):
                # Another process may have replaced the file since we opened it.
                told = (
                    self._set_aside()
                    if _inode(self.path) == self._inode
                    else f"the state database {self.path} was damaged and has been replaced"
                )
            self._connection = self._open()
        except (OSError, sqlite3.DatabaseError) as error:
            return StateError(
                f"the state database {self.path} is damaged and cannot be replaced ({error}); move it away"
            )
        self._inode = _inode(self.path)
        return StateError(f"{told}; run this again")

    def _set_aside(self) -> str:
        """Rename the file and those that SQLite keeps beside it; returns a sentence that says so."""
        number = 1
        while (free := self.path.with_name(f"{self.path.name}.corrupt-{number}")).exists():
            number += 1
        self.path.rename(free)
        for suffix in ("-wal", "-shm"):
            beside = self.path.with_name(self.path.name + suffix)
            if beside.exists():
                beside.rename(free.with_name(free.name + suffix))
        return (
            f"the state database {self.path} was damaged and is now {free.name}; watermarks are read from "
            "the store's commits again"
        )


def set_aside(path: Path) -> list[Path]:
    """The damaged databases that once stood at `path`."""
    found = path.parent.glob(f"{path.name}.corrupt-*")
    return sorted(one for one in found if not one.name.endswith(("-wal", "-shm")))


def _is_damage(error: Exception) -> bool:
    if isinstance(error, UnicodeDecodeError) or _code(error) in _DAMAGED:
        return True
    # Python's own error for text that is no UTF-8 has no code.
    return str(error).startswith(("Could not decode", "unsupported file format"))


def _code(error: Exception) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError:
        return 0


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the kernel lock on a file, however long that takes. A killed holder frees it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def clean(text: str) -> str:
    """The text as SQLite stores it: half of a surrogate pair is written out, as in `\\udc80`."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def session_key(name: str) -> str:
    """An agent's or a session's name as the tables store it: at most 200 characters."""
    return clean(name[:200])


def storable(text: str) -> str:
    """The text as SQLite stores it and as it is printed: half of a surrogate pair becomes "?"."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _cleaned(values: Sequence[Cell]) -> list[Cell]:
    return [clean(value) if isinstance(value, str) else value for value in values]


def stamp(at: datetime) -> str:
    """A time as the tables store it: UTC, written so that it sorts as text. Naive times are refused."""
    if at.tzinfo is None:
        raise ValueError(f"{at} has no time zone")
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def moment(text: Cell) -> datetime:
    """The time that `stamp` wrote."""
    return datetime.fromisoformat(str(text))


def moment_or_none(text: Cell) -> datetime | None:
    """The same; None for NULL."""
    return None if text is None else moment(text)
