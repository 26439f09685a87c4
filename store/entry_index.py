"""What each entry file held when it was last read, so that a command reads only files that changed.

Rows live in the search database (derived and rebuildable, invariant 12). A file whose `stat` is as
noted is not opened again. Whose words a file holds depends on git too: those flags are computed anew
whenever HEAD is another commit. The text of a file that may not be shown is never stored here.

The index only saves time. If its database is damaged, held or cannot be written, files are read instead.
"""

import json
import os
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from siltstone import __version__
from siltstone.store.derived_database import transaction
from siltstone.store.entry import Entry, Evidence
from siltstone.store.errors import SiltError
from siltstone.store.search_database import SEARCH_DATABASE

WAIT = 1.0
"""Seconds to wait for another process that writes to the database."""
FRESH_NS = 2_000_000_000
"""A file changed so short a time ago may change again and keep its times: it is read again next time."""
_PER_QUERY = 500
_FIELDS = tuple(one.name for one in fields(Entry))
_DATES = ("created", "updated", "superseded_at")


class FileRow(NamedTuple):
    """One file as it was last read."""

    stat: str
    """Inode, size and times; "" if the file must be read again."""
    blob: str
    """Its object id in git."""
    hash: str
    """sha256 hex of its bytes."""
    body: str
    """`history_index.body_hash` of its bytes."""
    edited: bool = True
    """HEAD does not have it so."""
    by_hand: bool = True
    """Nobody has redacted it: it is edited, or a commit of the user's has it so."""
    user_written: bool = True
    """The user wrote its body."""
    name: str = ""
    """The entry's name, if it can be read."""
    problem: str | None = None
    """Why it cannot be read as an entry, in a sentence."""
    secret: str | None = None
    """None: not looked for. "": none found. Else a sentence that names file and line."""

    @property
    def complaint(self) -> str | None:
        """Why the file is left out, if it is."""
        return self.problem or (self.secret if self.by_hand else None) or None


class EntryIndex:
    """The rows of one store. Used under the store's own lock for readers."""

    def __init__(self, path: Path | None) -> None:
        """`path`: the search database; None keeps the rows in memory alone."""
        self.rows: dict[str, FileRow] = {}
        self.head: str | None = None
        """The commit that the rows' flags were computed for."""
        self._db: sqlite3.Connection | None = None
        self._changed: dict[str, tuple[str, str] | None] = {}
        """Path → text and entry of rows not yet saved; None where these are not to be stored."""
        self._gone: set[str] = set()
        self._flags: set[str] = set()
        """Paths of rows of which the flags alone changed."""
        self._saved_head: str | None = None
        if path is not None:
            with suppress(SiltError, sqlite3.Error, OSError):
                self._db = SEARCH_DATABASE.open(str(path), WAIT)
                self._load()

    def put(self, path: str, row: FileRow, entry: Entry | None, text: str) -> None:
        """Note a file that was read. Text and entry are stored only if it may be shown."""
        self.rows[path] = row
        self._gone.discard(path)
        shown = entry is not None and row.complaint is None
        self._changed[path] = (text, encoded(entry)) if shown and entry is not None else None

    def set_flags(self, path: str, row: FileRow) -> None:
        """Note that git says something else about a file."""
        self.rows[path] = row
        self._flags.add(path)

    def drop(self, paths: Iterable[str]) -> None:
        """Forget files."""
        for path in paths:
            if self.rows.pop(path, None) is not None:
                self._changed.pop(path, None)
                self._flags.discard(path)
                self._gone.add(path)

    def contents(self, paths: Sequence[str]) -> dict[str, tuple[str, Entry]]:
        """Text and entry by path, as far as they are stored for the rows as they stand."""
        found: dict[str, tuple[str, Entry]] = {}
        for path in paths:
            if kept := self._changed.get(path):
                found[path] = kept[0], decoded(kept[1])
        if self._db is None:
            return found
        left = [path for path in paths if path not in found]
        with suppress(sqlite3.Error, ValueError, KeyError, TypeError):
            for at in range(0, len(left), _PER_QUERY):
                some = left[at : at + _PER_QUERY]
                ask = (
                    f"select path, hash, text, entry from content where path in ({','.join('?' * len(some))})"  # noqa: S608
                )
                for path, hash, text, entry in self._db.execute(ask, some):
                    if self.rows[path].hash == hash:
                        found[path] = text, decoded(entry)
        return found

    def save(self) -> None:
        """Write what changed to the database, or leave that to the next time."""
        if self._db is None or not (
            self._changed or self._gone or self._flags or self.head != self._saved_head
        ):
            return
        try:
            with transaction(self._db):
                self._write(self._db)
        except sqlite3.Error:
            return
        self._changed, self._gone, self._flags = {}, set(), set()
        self._saved_head = self.head

    def close(self) -> None:
        """Close the database."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def _write(self, db: sqlite3.Connection) -> None:
        gone = [(path,) for path in (*self._gone, *self._changed)]
        db.executemany("delete from file where path = ?", gone)
        db.executemany("delete from content where path = ?", gone)
        rows = [(path, *self.rows[path]) for path in (*self._changed, *(self._flags - set(self._changed)))]
        db.executemany("insert or replace into file values (?,?,?,?,?,?,?,?,?,?,?)", rows)
        db.executemany(
            "insert into content values (?,?,?,?)",
            [(path, self.rows[path].hash, *kept) for path, kept in self._changed.items() if kept],
        )
        db.executemany(
            "insert or replace into fact values (?,?)", [("head", self.head or ""), ("rules", __version__)]
        )

    def _load(self) -> None:
        if self._db is None:
            return
        facts = dict(self._db.execute("select name, value from fact"))
        if facts.get("rules") != __version__:  # what parses, and what is a secret, may be another matter now
            self._db.execute("delete from file")
            self._db.execute("delete from content")
            return
        self.head = self._saved_head = facts.get("head")
        ask = (
            "select path, stat, blob, hash, body, edited, by_hand, user_written, name, problem, secret "
            "from file"
        )
        self.rows = {path: FileRow(*cells) for path, *cells in self._db.execute(ask)}


def stat_of(path: str) -> str:
    """What a file's `stat` says of its content; "" if it changed just now, or cannot be looked at."""
    try:
        found = os.lstat(path)
    except (OSError, ValueError):
        return ""
    if time.time_ns() - max(found.st_ctime_ns, found.st_mtime_ns) < FRESH_NS:
        return ""
    return f"{found.st_ino}-{found.st_size}-{found.st_mtime_ns}-{found.st_ctime_ns}-{found.st_mode}"


def encoded(entry: Entry) -> str:
    """An entry as JSON, with its dates as text."""
    values = {name: getattr(entry, name) for name in _FIELDS}
    for name in _DATES:
        values[name] = values[name].isoformat() if values[name] is not None else None
    values["evidence"] = [
        [one.at.isoformat(), one.agent, one.session, one.message, one.quote] for one in entry.evidence
    ]
    return json.dumps(values)


def decoded(text: str) -> Entry:
    """The entry that `encoded` wrote. Raises ValueError, KeyError or TypeError for anything else."""
    values: dict[str, Any] = json.loads(text)
    for name in _DATES:
        values[name] = datetime.fromisoformat(values[name]) if values[name] is not None else None
    values["evidence"] = tuple(
        Evidence(datetime.fromisoformat(at), *others) for at, *others in values["evidence"]
    )
    values["agrees_with"] = tuple(values["agrees_with"])
    return Entry(**values)


def with_flags(
    path: str, row: FileRow, committed: Mapping[str, str], blobs: set[str], bodies: set[str]
) -> FileRow:
    """The row with its flags as git has them now; the same row when they are right."""
    edited = committed.get(path) != row.blob
    by_hand, user_written = edited or row.blob in blobs, edited or row.body in bodies
    if (edited, by_hand, user_written) == (row.edited, row.by_hand, row.user_written):
        return row
    return row._replace(edited=edited, by_hand=by_hand, user_written=user_written)
