"""What `silt purge` does to the state: texts go, hashes of purged messages stay."""

import json
import sqlite3
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from siltstone.store.errors import Locked
from siltstone.store.state.database import Part

BLANK = "(purged)"
"""Replaces a report or error that quotes what was purged."""

Quotes = Callable[[str], bool]
"""Whether a text quotes something that is purged."""


class Purged(Part):
    """Hashes of the messages that a purged memory came from, and the texts that may quote one.

    A forgotten memory leaves a tombstone in git. A purged one must leave no words behind: a hash of the
    message's id is enough not to learn it from that message again (invariant 9).
    """

    def add(self, hashes: Iterable[str], now: datetime) -> None:
        """Remember the messages of a memory that is purged."""
        self._db.write_all(
            "INSERT OR IGNORE INTO purged (message, at) VALUES (?,?)", [(one, now) for one in hashes]
        )

    def all(self) -> frozenset[str]:
        return frozenset(message for (message,) in self._db.rows("SELECT message FROM purged"))

    def forget_if(self, quotes: Quotes, at: Callable[[str], bool]) -> None:
        """Drop sessions and summaries that quote what is purged, or whose folder `at` picks.

        In reports of runs and errors of failed windows the quoting texts are blanked: their counts stay.
        """
        with self._db.transaction():
            for agent, session, body in self._db.rows("SELECT agent, session, body FROM session"):
                state = _read(body)
                folder = state.get("cwd") if isinstance(state, dict) else None
                if (isinstance(folder, str) and at(folder)) or _blanked(state, quotes) != state:
                    self._db.write("DELETE FROM session WHERE agent = ? AND session = ?", agent, session)
            for agent, session, cwd, text in self._db.rows("SELECT agent, session, cwd, text FROM summary"):
                if at(cwd) or quotes(text):
                    self._db.write("DELETE FROM summary WHERE agent = ? AND session = ?", agent, session)
            for id, report in self._db.rows("SELECT id, report FROM run"):
                before = _read(report)
                if (after := _blanked(before, quotes)) != before:
                    self._db.write("UPDATE run SET report = ? WHERE id = ?", json.dumps(after), id)
            for window, error in self._db.rows("SELECT window, error FROM failure"):
                if quotes(error):
                    self._db.write("UPDATE failure SET error = ? WHERE window = ?", BLANK, window)

    def scrub(self) -> str:
        """Write the file anew without what was deleted; a sentence if another process prevents it."""
        return scrubbed(self._db.rows, str(self._db.path))


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


def _blanked(value: Any, quotes: Quotes) -> Any:
    """A JSON value without the texts in it that quote what is purged."""
    if isinstance(value, str):
        return BLANK if quotes(value) else value
    if isinstance(value, dict):
        return {_blanked(key, quotes): _blanked(one, quotes) for key, one in value.items()}
    return [_blanked(one, quotes) for one in value] if isinstance(value, list) else value
