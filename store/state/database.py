"""The SQLite file of the state: opening, migrating, transactions, and what happens when it is damaged."""

import fcntl
import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from typing import Any, Self, TypeVar

from siltstone.store.errors import Locked, StateError

MIGRATIONS = Path(__file__).with_name("migrations")
"""The tables, as steps: file n brings a database of version n - 1 to version n. Steps are never edited."""
WAIT = 30.0
"""Seconds to wait for another process that writes."""
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_LOST = ("no such table: ", "no such column: ")
"""Begins SQLite's errors about a table that every database of this version has: its schema is damaged."""
_VALUES_AT_ONCE = 500
"""In one statement: SQLite allows at least 999."""
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}

Row = tuple[Any, ...]
T = TypeVar("T")


class Database:
    """One connection, shared by the threads of a process. Several processes may have the file open.

    A missing file is made. A damaged one is renamed to `.corrupt-<n>` and a new one is made in its place.
    Damage found while opening adds a sentence to `complaints`; damage found later raises StateError, and the
    next call works on the new file. A file in use by another process for longer than `wait` seconds raises
    Locked.

    Values are written and rows are read as what they are in Python: times in UTC, dates, mappings as JSON.
    """

    title = "the state database"
    when_lost = "watermarks are restored from the store's commits"
    """What replacing a damaged file means."""

    def __init__(self, path: Path, migrations: Path = MIGRATIONS, wait: float = WAIT) -> None:
        self.path = path
        self.complaints: list[str] = []
        self._steps = sorted(migrations.glob("*.sql"))
        self._wait = wait
        self._guard = threading.RLock()
        self._connection = self._open()

    def close(self) -> None:
        with self._guard:
            self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # Opening

    def _open(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._alone():
                try:
                    connection = self._open_and_migrate()
                except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
                    if not _is_damage(error):
                        raise
                    self.complaints.append(self._set_aside())
                    connection = self._open_and_migrate()
        except OSError as error:
            raise StateError(
                f"the state folder {self.path.parent} cannot be written ({error.strerror}); make it "
                f"writable, or set SILT_STATE to another folder"
            ) from error
        except sqlite3.DatabaseError as error:
            raise self._unusable(error) from error
        self._inode = _inode(self.path)
        return connection

    def _open_and_migrate(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=self._wait, isolation_level=None, check_same_thread=False
        )
        try:
            # Pages freed by deleting are overwritten, so that what was deleted is gone from the file.
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA synchronous = NORMAL")
            # Reads the schema, where most damage shows.
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version > len(self._steps):
                raise StateError(
                    f"{self.title} {self.path} has version {version}, this siltstone knows "
                    f"{len(self._steps)}; install the newer siltstone, or set SILT_STATE to another "
                    f"folder"
                )
            if version < len(self._steps):
                connection.execute("PRAGMA journal_mode = WAL")
                for number, step in enumerate(self._steps[version:], start=version + 1):
                    made = f"{step.read_text('utf-8')}\nPRAGMA user_version = {number};"
                    connection.executescript(f"BEGIN IMMEDIATE;\n{made}\nCOMMIT;")
                self.path.chmod(0o600)
        except BaseException:
            connection.close()
            raise
        return connection

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

    def write(self, sql: str, *values: object) -> int:
        """Run one changing statement; returns how many rows it touched."""
        with self._guard, self._errors():
            return self._connection.execute(sql, [_cell(value) for value in values]).rowcount

    def write_all(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Run one statement for each of `rows`, in one transaction."""
        cells = [[_cell(value) for value in row] for row in rows]
        with self.transaction(), self._errors():
            self._connection.executemany(sql, cells)

    def put(self, table: str, **row: object) -> None:
        """Write a row, its values named by column, in place of one with the same key."""
        marks = ",".join("?" * len(row))
        self.write(f"INSERT OR REPLACE INTO {table} ({','.join(row)}) VALUES ({marks})", *row.values())  # noqa: S608 (names of ours)

    def rows(self, sql: str, *values: object) -> list[Row]:
        """The rows that a query finds, as SQLite keeps them."""
        with self._guard, self._errors():
            return self._connection.execute(sql, [_cell(value) for value in values]).fetchall()

    def among(self, ask: str, values: Iterable[object], *before: object) -> list[Row]:
        """The rows of a query that ends in IN, for any number of values; `before`: of its other marks."""
        left, found = iter(values), list[Row]()
        while some := list(islice(left, _VALUES_AT_ONCE)):
            found += self.rows(f"{ask} ({','.join('?' * len(some))})", *before, *some)
        return found

    def read(self, make: Callable[..., T], source: str, *values: object) -> list[T]:
        """What `make` makes of each row of a source: a table, WHERE and ORDER as SQL wants them.

        `make` is a class or a function whose fields or parameters are named like the columns; their types say
        what each column holds. A row that cannot be read so is damage.
        """
        kinds = {name: kind for name, kind in make.__annotations__.items() if name != "return"}
        with self._guard:
            rows = self.rows(f"SELECT {', '.join(kinds)} FROM {source}", *values)  # noqa: S608 (names of ours)
            try:
                return [make(*map(_value, row, kinds.values())) for row in rows]
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise self._damaged() from error

    def value(self, key: str) -> str | None:
        rows = self.rows("SELECT value FROM value WHERE key = ?", key)
        return str(rows[0][0]) if rows else None

    def number(self, key: str) -> float:
        """A number stored under a name; 0 when there is none."""
        try:
            return float(self.value(key) or 0)
        except ValueError:
            return 0.0

    def set_value(self, key: str, value: str | float | None) -> None:
        """Store a small value under a name; None drops it."""
        if value is None:
            self.write("DELETE FROM value WHERE key = ?", key)
        else:
            self.put("value", key=key, value=str(value))

    # Damage

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            damaged = _is_damage(error) or str(error).startswith(_LOST)
            raise (self._damaged() if damaged else self._unusable(error)) from error

    def _unusable(self, error: Exception) -> StateError | Locked:
        if _code(error) in _BUSY:
            return Locked(f"{self.title} {self.path} is in use by another process; try again")
        return StateError(
            f"{self.title} {self.path} cannot be used: {error}; check the disk and its permissions"
        )

    def _damaged(self) -> StateError:
        """Replace the file by a new one; the error for the call that found the damage."""
        self._connection.close()
        try:
            with self._alone():
                # Another process may have replaced the file since we opened it.
                told = (
                    self._set_aside()
                    if _inode(self.path) == self._inode
                    else f"{self.title} {self.path} was damaged and has been replaced"
                )
            self._connection = self._open()
        except (OSError, Locked, StateError) as error:
            return StateError(
                f"{self.title} {self.path} is damaged and cannot be replaced ({error}); move it away"
            )
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
        return f"{self.title} {self.path} was damaged and is now {free.name}; {self.when_lost}"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """No other process opens, migrates or sets the file aside meanwhile. A killed one frees the lock."""
        lock = self.path.with_name(f"{self.path.name}.lock")
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)


class Part:
    """The methods for some of the tables."""

    def __init__(self, database: Database) -> None:
        self._db = database


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


def clean(text: str) -> str:
    """The text as SQLite stores it: half of a surrogate pair is written out, as in `\\udc80`."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def stamp(at: datetime) -> str:
    """A time as the tables store it: UTC, written so that it sorts as text. Naive times are refused."""
    if at.tzinfo is None:
        raise ValueError(f"{at} has no time zone")
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def _cell(value: object) -> object:
    """A value as the tables store it."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, datetime):
        return stamp(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return json.dumps(value, sort_keys=True)
    if isinstance(value, tuple):
        return clean("\n".join(value))
    return value


_READ: dict[object, Callable[[Any], object]] = {
    datetime: datetime.fromisoformat,
    datetime | None: datetime.fromisoformat,
    date: date.fromisoformat,
    Mapping[str, object]: lambda text: dict(json.loads(text)),
    tuple[str, ...]: lambda text: tuple(text.split("\n")) if text else (),
    bool: bool,
}
"""The way back, by the type of a field; what is not here is stored as it is."""


def _value(cell: object, kind: object) -> object:
    return _READ[kind](cell) if kind in _READ and cell is not None else cell
