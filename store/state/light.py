"""The state database for commands that may not take longer than a blink (docs/benchmarks.md).

Opening it as everybody does loads pathlib, the migrations and the rest; this opens the file as it stands.
Only a file that is missing, of another version or damaged is handed to `State.open`, which mends it.
"""

import os

from siltstone.store.errors import Locked, StateError
from siltstone.store.sqlite import sqlite3
from siltstone.store.state.migrations import STEPS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "state.sqlite3"
VERSION = len(STEPS)
BUSY_MS = 250
"""How long a hot command waits for another process before it gives up."""

_BESIDE = "-wal"
"""Behind the name of the file in which stands what was written and is not in its place yet."""

Cell = str | int | float | None
Row = tuple[Cell, ...]


class Light:
    """One connection, used by one thread. Raises Locked and StateError as `State` does.

    `complaints` says in a sentence each what was wrong with the file when it was opened.
    """

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, NAME)
        self.complaints: list[str] = []
        self.erased = False
        """Whether rows were deleted: what they said stands in files until this is closed."""
        try:
            self._connection = self._as_it_stands() or self._mended(folder)
        except sqlite3.DatabaseError as error:
            raise self._mapped(error) from error

    def _as_it_stands(self) -> sqlite3.Connection | None:
        """The open file; None when `State.open` has to see to it first."""
        if not os.path.exists(self._path):
            return None
        connection = sqlite3.connect(self._path, timeout=BUSY_MS / 1000, isolation_level=None)
        try:
            if connection.execute("PRAGMA user_version").fetchone()[0] == VERSION:
                return _set_up(connection)
        except sqlite3.OperationalError:
            connection.close()
            raise
        except sqlite3.DatabaseError:
            pass  # damaged: `State.open` sets it aside
        connection.close()
        return None

    def _mended(self, folder: str) -> sqlite3.Connection:
        from pathlib import Path

        from siltstone.store.state.state import State

        with State.open(Path(folder)) as state:
            self.complaints += state.complaints
        return _set_up(sqlite3.connect(self._path, timeout=BUSY_MS / 1000, isolation_level=None))

    def rows(self, sql: str, values: "Sequence[Cell]" = ()) -> list[Row]:
        """What a question finds."""
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._mapped(error) from error

    def write(self, sql: str, values: "Sequence[Cell]" = ()) -> int:
        """Run one changing statement; how many rows it touched."""
        try:
            touched = self._connection.execute(sql, values).rowcount
            self.erased = self.erased or (touched > 0 and sql.startswith("DELETE"))
            return touched
        except sqlite3.DatabaseError as error:
            raise self._mapped(error) from error

    def __enter__(self) -> "Light":
        """Begin a transaction: everything until the end of the block, or nothing of it."""
        self.write("BEGIN IMMEDIATE")
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        try:
            if kind is None:
                self.write("COMMIT")
        finally:
            if self._connection.in_transaction:  # SQLite ends it by itself when the disk is full
                self.write("ROLLBACK")

    def unplaced(self) -> int:
        """Bytes that were written and are not in their place yet."""
        try:
            return os.stat(self._path + _BESIDE).st_size
        except OSError:
            return 0

    def close(self) -> None:
        """Whoever closes last has SQLite put in its place what was written, by all, wait for the disk for
        that, and delete what stood beside it."""
        self._connection.close()

    def _mapped(self, error: sqlite3.DatabaseError) -> StateError | Locked:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
            return Locked(f"the state database {self._path} is in use by another process; try again")
        return StateError(
            f"the state database {self._path} cannot be used: {error}; move it away and run `silt status`"
        )


def _set_up(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection
