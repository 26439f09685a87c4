"""SQLite for hot commands (docs/benchmarks.md): the part of `sqlite3` that is written in C, if Python has it.

The rest of it only tells SQLite of dates, which are numbers here; to load what it needs for that takes a hook
2.5 ms, a twelfth of its time.
"""

try:
    import _sqlite3 as sqlite3
except ImportError:
    import sqlite3  # type: ignore[no-redef]

__all__ = ["sqlite3"]
