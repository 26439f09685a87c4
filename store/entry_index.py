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
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from siltstone import __version__
from siltstone.store.derived_database import transaction
from siltstone.store.entry import Anchor, Entry, Evidence
from siltstone.store.errors import SiltError
from siltstone.store.search import SEARCH_DATABASE

WAIT = 1.0
"""Seconds to wait for another process that writes to the database."""
FRESH_NS = 2_000_000_000
"""A file changed so short a time ago may change again and keep its times: it is read again next time."""
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
    by_hand: bool = True
    """Nobody has redacted it: HEAD does not have it so, or a commit of the user's does."""
    user_written: bool = True
    """The user wrote its body."""
    name: str = ""
    """The entry's name, if it can be read."""
    problem: str | None = None
    """Why it cannot be read as an entry, in a sentence."""
    secret: str | None = None
    """None: not looked for. "": none found. Else a sentence that names file and line."""

    @property
    def unsearched(self) -> bool:
        """Whether secrets are still to be looked for in it."""
        return self.by_hand and self.secret is None and self.problem is None

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
        self._changed: set[str] = set()
        """Paths of rows not yet saved, or dropped."""
        self._contents: dict[str, tuple[str, str, str]] = {}
        """Path → hash, text and entry to be stored."""
        self._saved_head: str | None = None
        if path is not None:
            with suppress(SiltError, sqlite3.Error, OSError):
                self._db = SEARCH_DATABASE.open(str(path), WAIT, self._load)

    def put(self, path: str, row: FileRow) -> None:
        """Note what a file holds, or that git says something else about it."""
        self.rows[path] = row
        self._changed.add(path)

    def put_content(self, path: str, text: str, entry: Entry) -> None:
        """Store what the file of a row holds. Only for one that may be shown."""
        self._contents[path] = self.rows[path].hash, text, encoded(entry)

    def drop(self, paths: Iterable[str]) -> None:
        """Forget files."""
        for path in paths:
            if self.rows.pop(path, None) is not None:
                self._changed.add(path)

    def contents(self, paths: Sequence[str]) -> Iterator[tuple[str, str, Entry]]:
        """Path, text and entry, as far as they are stored for the rows as they stand."""
        if self._db is None:
            return
        with suppress(sqlite3.Error, ValueError, KeyError, TypeError):
            for path in paths:
                found = self._db.execute("select hash, text, entry from content where path = ?", (path,))
                for hash, text, entry in found:
                    if self.rows[path].hash == hash:
                        yield path, text, decoded(entry)

    def save(self) -> None:
        """Write what changed to the database, or leave that to the next time."""
        if self._db is None or not (self._changed or self.head != self._saved_head):
            return
        try:
            with transaction(self._db):
                self._write(self._db)
        except sqlite3.Error:
            return
        self._changed, self._contents, self._saved_head = set(), {}, self.head

    def close(self) -> None:
        """Close the database."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def _write(self, db: sqlite3.Connection) -> None:
        rows = {path: self.rows.get(path) for path in self._changed}
        hidden = [(path,) for path, row in rows.items() if row is None or row.complaint is not None]
        db.executemany("delete from content where path = ?", hidden)
        db.executemany("delete from file where path = ?", [(path,) for path in rows])
        db.executemany(
            "insert into file values (?,?,?,?,?,?,?,?,?,?)",
            [(path, *row) for path, row in rows.items() if row is not None],
        )
        db.executemany(
            "insert or replace into content values (?,?,?,?)",
            [
                (path, *kept)
                for path, kept in self._contents.items()
                if (row := rows.get(path)) is not None and row.complaint is None and row.hash == kept[0]
            ],
        )
        db.executemany(
            "insert or replace into fact values (?,?)", [("head", self.head or ""), ("rules", __version__)]
        )

    def _load(self, db: sqlite3.Connection) -> None:
        facts = dict(db.execute("select name, value from fact"))
        if facts.get("rules") != __version__:  # what parses, and what is a secret, may be another matter now
            db.execute("delete from file")
            db.execute("delete from content")
            return
        self.rows = {row[0]: FileRow._make(row[1:]) for row in db.execute("select * from file")}
        self.head = self._saved_head = facts.get("head")


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
    return json.dumps(entry._asdict(), default=datetime.isoformat)


def decoded(text: str) -> Entry:
    """The entry that `encoded` wrote. Raises ValueError, KeyError or TypeError for anything else."""
    values: dict[str, Any] = json.loads(text)
    for name in _DATES:
        values[name] = datetime.fromisoformat(values[name]) if values[name] is not None else None
    values["evidence"] = tuple(
        Evidence(datetime.fromisoformat(at), *others) for at, *others in values["evidence"]
    )
    values["anchors"] = tuple(Anchor(*one) for one in values.get("anchors", ()))
    values["agrees_with"] = tuple(values["agrees_with"])
    return Entry(**values)
