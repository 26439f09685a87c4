"""What `silt purge` does to the state: texts go, hashes of purged messages stay."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

from siltstone.store.entry import HEARD, Evidence
from siltstone.store.errors import Locked
from siltstone.store.state.database import Database, stamp

BLANK = "(purged)"
"""Replaces a report or error that quotes what was purged."""

Quotes = Callable[[str], bool]
"""Whether a text quotes something that is purged."""


def message_hash(said: Evidence) -> str:
    """The hash of the message that a piece of evidence names."""
    return named_hash(said.agent, said.session, said.message)


def named_hash(agent: str, session: str, message: str) -> str:
    """sha256 hex of a message's agent, session and id."""
    named = "\0".join((agent, session, message))
    return hashlib.sha256(named.encode("utf-8", "replace")).hexdigest()


def words_hash(said: Evidence) -> str:
    """The same for the words alone, for a message that only a hook has seen, so that it has no id yet."""
    return named_hash(said.agent, said.session, f"{HEARD}{said.quote}")


class PurgedMessages:
    """Hashes of the messages that a purged memory came from.

    A forgotten memory leaves a tombstone in git. A purged one must leave no words behind: a hash of the
    message's id is enough not to learn it from that message again (invariant 9).
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, evidence: Iterable[Evidence], now: datetime) -> None:
        """Remember the messages of a memory that is purged."""
        at = stamp(now)
        hashes = {words_hash(one) if one.message.startswith(HEARD) else message_hash(one) for one in evidence}
        self._db.write_all(
            "INSERT OR IGNORE INTO purged (message, at) VALUES (?,?)", [(one, at) for one in sorted(hashes)]
        )

    def all(self) -> frozenset[str]:
        """Every hash."""
        return frozenset(str(row[0]) for row in self._db.rows("SELECT message FROM purged"))


class KeptTexts:
    """Texts of sessions, summaries, reports and errors, which may quote what is purged."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def forget_if(self, quotes: Quotes, at: Callable[[str], bool]) -> int:
        """Drop sessions and summaries that quote it, or whose folder `at` picks; returns how many.

        In reports of runs and errors of failed windows the quoting texts are blanked: their counts stay.
        """
        with self._db.transaction():
            sessions = self._db.rows("SELECT agent, session, body FROM session")
            ended = self._db.rows("SELECT agent, session, cwd, text FROM summary")
            gone = [row[:2] for row in sessions if _is_gone(str(row[2]), quotes, at)]
            over = [row[:2] for row in ended if at(str(row[2])) or quotes(str(row[3]))]
            self._db.write_all("DELETE FROM session WHERE agent = ? AND session = ?", gone)
            self._db.write_all("DELETE FROM summary WHERE agent = ? AND session = ?", over)
            self._blank_reports(quotes)
            errors = self._db.rows("SELECT window, error FROM failure")
            self._db.write_all(
                "UPDATE failure SET error = ? WHERE window = ?",
                [(BLANK, window) for window, error in errors if quotes(str(error))],
            )
        return len(gone) + len(over)

    def scrub(self) -> str:
        """Write the file anew without what was deleted; a sentence if another process prevents it."""
        return scrubbed(lambda sql: self._db.rows(sql), str(self._db.path))

    def _blank_reports(self, quotes: Quotes) -> None:
        changed = []
        for id, report in self._db.rows("SELECT id, report FROM run"):
            before = _read(str(report))
            after = _blanked(before, quotes)
            if after != before:
                changed.append((json.dumps(after, ensure_ascii=True, sort_keys=True), id))
        self._db.write_all("UPDATE run SET report = ? WHERE id = ?", changed)


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


def _is_gone(body: str, quotes: Quotes, at: Callable[[str], bool]) -> bool:
    state = _read(body)
    folder = state.get("cwd") if isinstance(state, dict) else None
    return (isinstance(folder, str) and at(folder)) or any(map(quotes, _texts(state)))


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


def _blanked(value: Any, quotes: Quotes) -> Any:
    if isinstance(value, str):
        return BLANK if quotes(value) else value
    if isinstance(value, dict):
        return {key: _blanked(one, quotes) for key, one in value.items()}
    return [_blanked(one, quotes) for one in value] if isinstance(value, list) else value
