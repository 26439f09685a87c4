"""Whether a database is closed when it is done with, or left as it is by a process that ends at once.

Whoever closes the state database last has SQLite write, wait for the disk and delete: 2 ms of a hook. Closing
one that was only read takes it 0.2. The system closes them as the process ends; nothing is lost, for what was
committed stands in the file beside, and who opens it next reads that.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from typing import Protocol

    class Closable(Protocol):
        def close(self) -> object: ...


_left: "list[Closable] | None" = None


def leave_open() -> None:
    """From now on close none, for this process ends without taking anything apart."""
    global _left
    _left = []


def let_go(database: "Closable") -> None:
    """Close a database, unless it is to be left open."""
    if _left is None:
        database.close()
    else:
        _left.append(database)  # what nobody holds any more is closed
