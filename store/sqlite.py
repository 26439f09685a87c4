"""SQLite for hot commands (docs/benchmarks.md): the part of `sqlite3` that is written in C, if Python has it.

The rest of it only tells SQLite of dates, which are numbers here; to load what it needs for that takes a hook
2.5 ms, a twelfth of its time.
"""

import sys

from siltstone.store import light_cache

__all__ = ["sqlite3"]

_FOR_THEM = "functools"
"""Where the part in C looks for `lru_cache` as it is loaded, and for nothing else."""

try:
    _light = _FOR_THEM not in sys.modules
    if _light:
        sys.modules[_FOR_THEM] = light_cache
    try:
        import _sqlite3 as sqlite3
    finally:
        if _light:
            del sys.modules[_FOR_THEM]
except ImportError:
    import sqlite3  # type: ignore[no-redef]
