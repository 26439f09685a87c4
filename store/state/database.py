"""The SQLite file: opening, migrating, setting aside what is broken, transactions."""

import fcntl
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from siltstone.store.errors import Locked, StateError
from siltstone.store.state.migrations import STEPS

VERSION = len(STEPS)
_BUSY_MS = 30_000
_AT_ONCE = 500
"""Values in one question; SQLite takes at least 999."""

Cell = str | int | float | None
Row = tuple[Cell, ...]


class Database:
    """One connection, shared by the threads of a process; several processes may have the file open.

    `complaints` says in a sentence each what was wrong with the file when it was opened.
    """

    def __init__(self, path: Path, steps: Sequence[Sequence[str]] = STEPS) -> None:
        self.path = path
        self.complaints: list[str] = []
        self._steps = steps
        self._guard = threading.RLock()
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Protects looking at the file and setting it aside: two processes must not both move it.
            with _alone(path.with_name(path.name + ".lock")):
                self._connection = self._opened()
        except OSError as error:
            raise StateError(
                f"the state folder {path.parent} cannot be written ({error.strerror}); set SILT_STATE"
            ) from error

    def _opened(self) -> sqlite3.Connection:
        try:
            return self._connect()
        except sqlite3.OperationalError as error:
            raise _mapped(self.path, error) from error
        except sqlite3.DatabaseError:
            broken = set_aside(self.path)
            self.complaints.append(
                f"the state database {self.path} was damaged and is now {broken.name}; watermarks are read "
                "from the store's commits again"
            )
            return self._connect()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=_BUSY_MS / 1000, isolation_level=None, check_same_thread=False
        )
        with ExitStack() as broken:
            broken.callback(connection.close)
            self._refuse_newer(connection)
            # Pages freed by deleting are overwritten, so that what was pruned is gone from the file.
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            self._migrate(connection)
            self.path.chmod(0o600)
            broken.pop_all()
        return connection

    def _refuse_newer(self, connection: sqlite3.Connection) -> None:
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version > len(self._steps):
            raise StateError(
                f"the state database {self.path} has version {version}, "
                f"this siltstone knows {len(self._steps)}; install the newer siltstone, "
                "or name another folder in SILT_STATE"
            )

    def _migrate(self, connection: sqlite3.Connection) -> None:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        for number, step in enumerate(self._steps[version:], start=version + 1):
            connection.execute("BEGIN IMMEDIATE")
            for statement in step:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All of it or nothing. A transaction within one belongs to the outer."""
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
        """Run one changing statement; how many rows it touched."""
        with self._guard, self._errors():
            return self._connection.execute(sql, _safe(values)).rowcount

    def write_all(self, sql: str, rows: Iterable[Sequence[Cell]]) -> None:
        with self.transaction(), self._errors():
            self._connection.executemany(sql, [_safe(row) for row in rows])

    def rows(self, sql: str, values: Sequence[Cell] = ()) -> list[Row]:
        with self._guard, self._errors():
            return self._connection.execute(sql, _safe(values)).fetchall()

    def rows_in(self, sql: str, fixed: Sequence[Cell], values: Sequence[str]) -> Iterator[Row]:
        """The rows of `sql`, whose `{}` stands for a list of `values` of any length."""
        for at in range(0, len(values), _AT_ONCE):
            some = values[at : at + _AT_ONCE]
            yield from self.rows(sql.format(",".join("?" * len(some))), [*fixed, *some])

    def close(self) -> None:
        with self._guard:
            self._connection.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise _mapped(self.path, error) from error


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold the kernel lock on a file, however long it must be waited for; a killed holder frees it."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _mapped(path: Path, error: sqlite3.DatabaseError) -> StateError | Locked:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return Locked(f"the state database {path} is in use by another process; try again")
    if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
        return StateError(f"the state database {path} is damaged ({error}); move it away and run again")
    return StateError(f"the state database {path} cannot be used: {error}; check the disk and its rights")


def clean(text: str) -> str:
    """A text as SQLite can hold it: halves of surrogate pairs are written out as `\\udc80`."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def _safe(values: Sequence[Cell]) -> list[Cell]:
    return [clean(value) if isinstance(value, str) and not value.isascii() else value for value in values]


def set_aside(path: Path) -> Path:
    """Rename a broken database, with what SQLite keeps beside it, to the first free `.corrupt-<n>`."""
    number = 1
    while (free := path.with_name(f"{path.name}.corrupt-{number}")).exists():
        number += 1
    path.rename(free)
    for suffix in ("-wal", "-shm"):
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            beside.rename(free.with_name(free.name + suffix))
    return free


def aside(path: Path) -> list[Path]:
    """The databases that stood at `path` and were set aside."""
    found = path.parent.glob(f"{path.name}.corrupt-*")
    return sorted(one for one in found if not one.name.endswith(("-wal", "-shm")))


def stamp(at: datetime) -> str:
    """A time as the database keeps it: UTC, so written that texts sort as times. Naive times are refused."""
    if at.tzinfo is None:
        raise ValueError(f"{at} has no time zone")
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def moment(text: Cell) -> datetime:
    """The time that `stamp` wrote."""
    return datetime.fromisoformat(str(text))


def moment_or_none(text: Cell) -> datetime | None:
    return None if text is None else moment(text)
