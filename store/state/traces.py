"""What the state keeps of texts in passing, for `silt purge`: sessions, their summaries, reports, errors."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

from siltstone.store.errors import Locked
from siltstone.store.state.database import Database

BLANK = "(purged)"
"""Stands where a report of a run, or an error, told of something that was purged."""

Tells = Callable[[str], bool]
"""Whether a text tells of what is purged."""


class Traces:
    """Texts that nobody looks up by what they say."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def forget_if(self, tells: Tells, at: Callable[[str], bool]) -> int:
        """Drop the sessions and summaries that tell of it or worked in a folder that `at` picks; how many.

        What reports of runs and failed windows tell of it is blanked: their counts stay.
        """
        with self._db.transaction():
            sessions = self._db.rows("SELECT agent, session, body FROM session")
            ended = self._db.rows("SELECT agent, session, cwd, text FROM summary")
            gone = [row[:2] for row in sessions if self._is_gone(str(row[2]), tells, at)]
            over = [row[:2] for row in ended if at(str(row[2])) or tells(str(row[3]))]
            self._db.write_all("DELETE FROM session WHERE agent = ? AND session = ?", gone)
            self._db.write_all("DELETE FROM summary WHERE agent = ? AND session = ?", over)
            self._blank_reports(tells)
            self._blank_errors(tells)
        return len(gone) + len(over)

    def scrub(self) -> str:
        """Write the file anew without what was deleted; a sentence where another process prevents it."""
        return scrubbed(lambda sql: self._db.rows(sql), str(self._db.path))

    def _is_gone(self, body: str, tells: Tells, at: Callable[[str], bool]) -> bool:
        state = _read(body)
        folder = state.get("cwd") if isinstance(state, dict) else None
        return (isinstance(folder, str) and at(folder)) or any(map(tells, _texts(state)))

    def _blank_reports(self, tells: Tells) -> None:
        changed = []
        for id, report in self._db.rows("SELECT id, report FROM run"):
            before = _read(str(report))
            after = _blanked(before, tells)
            if after != before:
                changed.append((json.dumps(after, ensure_ascii=True, sort_keys=True), id))
        self._db.write_all("UPDATE run SET report = ? WHERE id = ?", changed)

    def _blank_errors(self, tells: Tells) -> None:
        rows = self._db.rows("SELECT window, error FROM failure")
        self._db.write_all(
            "UPDATE failure SET error = ? WHERE window = ?",
            [(BLANK, window) for window, error in rows if tells(str(error))],
        )


def scrubbed(run: Callable[[str], list[Any]], path: str) -> str:
    """Write a database anew without free pages, and empty its log; "" when that worked.

    Else a sentence: another process reads or writes it, and what was deleted may still be in the file.
    """
    try:
        run("VACUUM")
        ((busy, *_),) = run("PRAGMA wal_checkpoint(TRUNCATE)")
    except (Locked, sqlite3.OperationalError):
        busy = 1
    return f"{path} is in use by another process, and may still hold what was purged" if busy else ""


def _read(body: str) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body


def _texts(value: Any) -> Iterator[str]:
    """Every text in a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, one in value.items():
            yield str(key)
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


def _blanked(value: Any, tells: Tells) -> Any:
    if isinstance(value, str):
        return BLANK if tells(value) else value
    if isinstance(value, dict):
        return {key: _blanked(one, tells) for key, one in value.items()}
    return [_blanked(one, tells) for one in value] if isinstance(value, list) else value
