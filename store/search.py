"""Full-text search over the store in SQLite's FTS5 (rebuildable: invariant 12).

A query asks for all of its words first, then fills up with entries that hold some of its rarest ones.
`Search` keeps the file up to date; `SearchReader` is what a hook asks. Readers never wait for a writer
(WAL). A damaged file, or one of another version, is thrown away: the next `sync` fills it again.
"""

import os
import sqlite3
import threading
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, Self

from siltstone.store.derived_database import DerivedDatabase, DerivedReader, sqlite_errors, transaction
from siltstone.store.entry import Change, Read, Snapshot, Stored
from siltstone.store.errors import StateError
from siltstone.store.names import in_force
from siltstone.store.state.purge import scrubbed
from siltstone.store.words import query_words, words

FILE = "search.sqlite3"
_TABLES = Path(__file__).with_suffix(".sql").read_text("utf-8")
MAX_ROWS = 2_000
"""Entries that hold one of several words are counted no further than this."""
MAX_AT_ONCE = 16
"""A prompt's words are not looked for all at once when they are more: it takes a millisecond to find none."""
MAX_RANKED = 1_000
"""The second round ranks about so many entries at most: a word that half of them hold costs time
and says little. Ranking a thousand takes 2 ms."""
HOOK_WAIT = 0.25
"""Seconds that a hook waits for another process."""

_MATCH = """
select doc.id, doc.path, -bm25(word, 3.0, 2.0, 1.0) as score
from word join doc on doc.id = word.rowid
where word match ?{scopes} order by score desc, doc.path limit ?
"""
_COUNTS = "select word, entries from spread where word in ({words})"
_ADD = "insert into spread values (?, ?) on conflict do update set entries = entries + excluded.entries"
RAREST = 4
"""Words of a short query that the second round asks for; of a long text one in eight."""
MAX_RAREST = 24
MAX_WORDS = 200
"""Of a long text the longest words are looked up, for these are rare."""
WAIT_SECONDS = 10.0
"""Seconds that a command waits for another process."""


def _check(db: sqlite3.Connection) -> None:
    db.execute("select doc.id from doc, word where word match 'a' limit 1").fetchone()


SEARCH_DATABASE = DerivedDatabase(5, _TABLES, _check)


class Hit(NamedTuple):
    """An entry found."""

    path: str
    score: float
    """BM25, to be compared within one round only."""


class Texts(NamedTuple):
    """What the database holds of an entry: its words, with spaces between."""

    path: str
    name: str
    description: str
    body: str


class Search:
    """The search database at `path` (its folder must exist). Use as a context manager, or `close`."""

    def __init__(self, path: Path, wait: float = WAIT_SECONDS) -> None:
        self._path = path
        self._wait = wait
        self._guard = threading.RLock()
        """One connection serves the threads of a process, one at a time."""
        with sqlite_errors(str(path)):
            self._db = SEARCH_DATABASE.open(str(path), wait)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

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
        row = (one.path, one.entry.scope, one.hash)
        id = self._db.execute("insert into doc(path, scope, hash) values (?, ?, ?)", row).lastrowid
        texts = [" ".join(words(text)) for text in (one.entry.name, one.entry.description, one.entry.body)]
        self._db.execute("insert into word(rowid, name, description, body) values (?, ?, ?, ?)", (id, *texts))
        return set(" ".join(texts).split())

    def scrub(self) -> str:
        """Keep nothing of what was deleted, in the index, free pages or the log (`state/purge.py`)."""
        with self._reading():
            self._db.execute("insert into word(word) values ('rebuild')")
            return scrubbed(lambda sql: self._db.execute(sql).fetchall(), str(self._path))

    def query(self, text: str, scopes: Collection[str] | None = None, limit: int = 10) -> list[Hit]:
        """The best entries for `text` in `scopes` (None: in all), those with all of its words first."""
        asked = query_words(text)
        if len(asked) > MAX_WORDS:
            asked = sorted(asked, key=lambda word: (-len(word), word))[:MAX_WORDS]
        with self._reading():
            few = max(RAREST, min(len(asked) // 8, MAX_RAREST))
            counted = {quoted(word): count for word, count in counts(self._db, asked).items()}
            return list(best(self._db, counted, scopes, limit, few).values())

    def descriptions(self) -> list[tuple[str, str]]:
        """Path and words of the description (`words`, with spaces between) of every entry."""
        with self._reading():
            ask = "select doc.path, word.description from doc join word on word.rowid = doc.id"
            return self._db.execute(ask).fetchall()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with sqlite_errors(str(self._path)), self._guard:
            try:
                yield
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError as error:
                self._db.close()
                self._db = SEARCH_DATABASE.fresh(str(self._path), self._wait)
                raise StateError(
                    f"the search database {self._path} was damaged and starts anew; run `silt rebuild`"
                ) from error


class SearchReader(DerivedReader):
    """The search database of a state folder, for reading.

    Each call raises Locked or StateError.
    """

    def __init__(self, folder: str) -> None:
        nothing = f"there is nothing to search in {folder}; run `silt rebuild`"
        super().__init__(os.path.join(folder, FILE), SEARCH_DATABASE.version, HOOK_WAIT, nothing)

    def total(self) -> int:
        """How many entries there are."""
        with sqlite_errors(self._path):
            # A row for each, as in `doc`, and so short that a tenth of the pages is read.
            return int(self._db.execute("select count(*) from word_docsize").fetchone()[0])

    def counts(self, words: Collection[str]) -> dict[str, int]:
        """In how many entries each word stands, as `counts`."""
        with sqlite_errors(self._path):
            return counts(self._db, words)

    def count(self, terms: str) -> int:
        """How many entries there are for an FTS5 expression, as `count`."""
        with sqlite_errors(self._path):
            return count(self._db, terms)

    def texts(
        self,
        counted: Mapping[str, int],
        scopes: Collection[str],
        limit: int,
        few: int,
        beside: Collection[str] = (),
    ) -> list[Texts]:
        """The words of the best entries, the best first, but for those whose paths are `beside`."""
        ask = "select name, description, body from word where rowid = ?"
        with sqlite_errors(self._path):
            found = best(
                self._db, counted, scopes, limit + len(beside), few, at_once=len(counted) <= MAX_AT_ONCE
            )
            chosen = [(id, hit.path) for id, hit in found.items() if hit.path not in beside][:limit]
            return [Texts(path, *self._db.execute(ask, (id,)).fetchone()) for id, path in chosen]


def quoted(word: str) -> str:
    """A word (`words.query_words`) as FTS5 wants it."""
    return f'"{word[:-1]}"*' if word.endswith("*") else f'"{word}"'


def counts(db: sqlite3.Connection, words: Collection[str]) -> dict[str, int]:
    """In how many entries each word stands, or with `*` one that it begins.

    From a table of our own: FTS5 goes through all entries of a word to count them, and a look-up takes it
    0.04 ms.
    """
    whole = [word for word in words if not word.endswith("*")]
    found = dict(db.execute(_COUNTS.format(words=", ".join("?" * len(whole))), whole).fetchall())
    found |= {word: count(db, quoted(word)) for word in words if word.endswith("*")}
    return {word: found.get(word, 0) for word in words}


def count(db: sqlite3.Connection, terms: str) -> int:
    """How many entries there are for an FTS5 expression; `MAX_ROWS + 1` for any number above that."""
    look = "select count(*) from (select 1 from word where word match ? limit ?)"
    return int(db.execute(look, (terms, MAX_ROWS + 1)).fetchone()[0])


def match(db: sqlite3.Connection, terms: str, scopes: Collection[str] | None, limit: int) -> dict[int, Hit]:
    """The best entries for an FTS5 expression in `scopes` (None: in all), the best first, by their rows."""
    if not terms or limit < 1:
        return {}
    names = sorted(scopes) if scopes is not None else []
    where = "" if scopes is None else f" and doc.scope in ({', '.join('?' * len(names))})"
    rows = db.execute(_MATCH.format(scopes=where), (terms, *names, limit))
    return {id: Hit(path, score) for id, path, score in rows.fetchall()}


def best(
    db: sqlite3.Connection,
    counted: Mapping[str, int],
    scopes: Collection[str] | None,
    limit: int,
    few: int,
    at_once: bool = True,
) -> dict[int, Hit]:
    """The best entries for all of the FTS5 terms (`at_once`), then for `few` of the rarest of them."""
    found: dict[int, Hit] = {}
    if at_once and counted and all(counted.values()):
        found = match(db, " AND ".join(counted), scopes, limit)
    if len(found) < limit and len(counted) > 1:
        for id, hit in match(db, " OR ".join(rarest(counted, few)), scopes, limit + len(found)).items():
            found.setdefault(id, hit)
    return dict(list(found.items())[:limit])


def rarest(counted: Mapping[str, int], most: int) -> list[str]:
    """The rarest terms that stand anywhere, as many as keep the ranking small; at least one."""
    chosen: list[str] = []
    rows = 0
    for term, count in sorted(counted.items(), key=lambda item: (item[1], item[0])):
        if count and len(chosen) < most and (not chosen or rows + count <= MAX_RANKED):
            chosen.append(term)
            rows += count
    return chosen
