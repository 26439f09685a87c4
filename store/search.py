"""Full-text search over the store in SQLite's FTS5 (rebuildable: invariant 12).

`ranking.py` says which entries fit a text best.
`Search` keeps the file up to date; `SearchReader` is what a hook asks. Readers never wait for a writer
(WAL). A damaged file, or one of another version, is thrown away: the next `sync` fills it again.
"""

import os
import sqlite3
import threading
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from siltstone.store.derived_database import (
    DerivedDatabase,
    DerivedReader,
    DerivedWriter,
    sqlite_errors,
    transaction,
)
from siltstone.store.entry import Change, Read, Snapshot, Stored
from siltstone.store.names import in_force
from siltstone.store.ranking import Hit, ranked, significant_words
from siltstone.store.words import query_words, stemmed, words

FILE = "search.sqlite3"
_TABLES = Path(__file__).with_suffix(".sql").read_text("utf-8")
_ADD = "insert into spread values (?, ?) on conflict do update set entries = entries + excluded.entries"
WAIT_SECONDS = 10.0
"""Seconds that a command waits for another process."""


def _check(db: sqlite3.Connection) -> None:
    db.execute("select doc.id from doc, word where word match 'a' limit 1").fetchone()


SEARCH_DATABASE = DerivedDatabase(6, _TABLES, _check)


class Search(DerivedWriter):
    """The search database at `path`."""

    def __init__(self, path: Path, wait: float = WAIT_SECONDS) -> None:
        super().__init__(SEARCH_DATABASE, path, wait)
        self._guard = threading.RLock()
        """One connection serves the threads of a process, one at a time."""

    def sync(self, snapshot: Snapshot) -> int:
        """Make the database hold exactly what a snapshot holds, reading only what changed.

        Returns how many entries had to be written or dropped. Raises Locked when another process keeps
        writing.
        """
        wanted = snapshot.hashes
        with self._reading():
            known = dict(self._db.execute("select path, hash from doc").fetchall())
        changed = sorted(path for path, _ in wanted.items() - known.items())
        gone = known.keys() - wanted.keys()
        return self._update(snapshot.read(changed), gone) if changed or gone else 0

    def follow(self, changes: Iterable[Change], read: Read) -> int:
        """The same for the entries that changes touched, after these were made."""
        paths = [change.path for change in changes if in_force(change.path)]
        stored = read(paths)
        return self._update(stored, set(paths) - {one.path for one in stored})

    def _update(self, stored: Sequence[Stored], gone: Iterable[str]) -> int:
        """Write and drop entries; how many."""
        spread: Counter[str] = Counter()
        with self._reading(), transaction(self._db):
            dropped = [id for path in gone for id in self._ids(path)]
            for id in (*dropped, *(id for one in stored for id in self._ids(one.path))):
                spread.subtract(self._dropped(id))
            for one in stored:
                spread.update(self._put(one))
            # Of a word that stands in no entry any more nothing is kept.
            self._db.executemany(_ADD, sorted((word, n) for word, n in spread.items() if n))
            fewer = [(word,) for word, n in spread.items() if n < 0]
            self._db.executemany("delete from spread where word = ? and entries = 0", fewer)
        return len(stored) + len(dropped)

    def _ids(self, path: str) -> list[int]:
        return [id for (id,) in self._db.execute("select id from doc where path = ?", (path,))]

    def _dropped(self, id: int) -> set[str]:
        """Take an entry out of the index; its words."""
        ask = "select name, description, body from word where rowid = ?"
        texts = self._db.execute(ask, (id,)).fetchone()
        if texts is None:
            raise sqlite3.DatabaseError("an entry without its words")
        self._db.execute("delete from word where rowid = ?", (id,))
        self._db.execute("delete from doc where id = ?", (id,))
        return set(" ".join(texts).split())

    def _put(self, one: Stored) -> set[str]:
        """Put an entry into the index; its words."""
        row = (one.path, one.entry.scope, one.hash, one.entry.updated.timestamp())
        id = self._db.execute("insert into doc(path, scope, hash, clock) values (?, ?, ?, ?)", row).lastrowid
        told = (one.entry.name, one.entry.description, one.entry.body)
        texts = [" ".join(map(stemmed, words(text))) for text in told]
        self._db.execute("insert into word(rowid, name, description, body) values (?, ?, ?, ?)", (id, *texts))
        return set(" ".join(texts).split())

    def scrub(self) -> str:
        """Keep nothing of what was deleted, in the index, free pages or the log (`state/purge.py`)."""
        with self._reading():
            self._db.execute("insert into word(word) values ('rebuild')")
            return super().scrub()

    def query(self, text: str, scopes: Collection[str] | None = None, limit: int = 10) -> list[Hit]:
        """The best entries for `text` in `scopes` (None: in all), the best first.

        A text of stop words alone is looked for as it is.
        """
        asked = significant_words(text) or {stemmed(word): word for word in query_words(text)}
        with self._reading():
            return ranked(self._db, asked, scopes, limit)

    def descriptions(self) -> list[tuple[str, str]]:
        """Path and stems of the description (with spaces between) of every entry."""
        with self._reading():
            ask = "select doc.path, word.description from doc join word on word.rowid = doc.id"
            return self._db.execute(ask).fetchall()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._guard, self._using():
            yield


class SearchReader(DerivedReader):
    """The search database of a state folder, for reading.

    Each call raises Locked or StateError.
    """

    def __init__(self, folder: str) -> None:
        nothing = f"there is nothing to search in {folder}; run `silt rebuild`"
        super().__init__(os.path.join(folder, FILE), SEARCH_DATABASE.version, nothing)

    def query(
        self, text: str, scopes: Collection[str], limit: int, beside: Collection[str] = ()
    ) -> list[Hit]:
        """As `Search.query`, but for the entries whose paths are `beside`; nothing for stop words alone."""
        with sqlite_errors(self._path):
            return ranked(self._db, significant_words(text), scopes, limit, beside)
