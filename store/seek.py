"""Looking words up in the search database: what `Search` and, lightly, `silt inject` do alike.

Only the light half of the standard library is imported, for hot commands come through here.
"""

import os
import sqlite3
from collections.abc import Collection, Mapping
from typing import NamedTuple

from siltstone.store.errors import Locked, StateError

FILE = "search.sqlite3"
VERSION = 4
MAX_ROWS = 2_000
"""Entries that hold one of several words are counted no further than this."""
MAX_AT_ONCE = 16
"""More words are not looked for all at once at a prompt: to find none that holds them takes a millisecond."""
MAX_RANKED = 1_000
"""The second round ranks about so many entries at most: a word that half of them hold costs time
and tells little. Ranking a thousand takes 2 ms."""
WAIT = 0.25
"""Seconds that a hot command waits for another process."""

_MATCH = """
select doc.id, doc.path, -bm25(word, 3.0, 2.0, 1.0) as score
from word join doc on doc.id = word.rowid
where word match ?{scopes} order by score desc, doc.path limit ?
"""
_COUNTS = "select word, entries from spread where word in ({words})"


class Row(NamedTuple):
    """An entry found."""

    id: int
    path: str
    score: float
    """BM25, to be compared within one round only."""


class Texts(NamedTuple):
    """What the database holds of an entry: its words, with spaces between."""

    path: str
    name: str
    description: str
    body: str


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


def match(db: sqlite3.Connection, terms: str, scopes: Collection[str] | None, limit: int) -> list[Row]:
    """The best entries for an FTS5 expression in `scopes` (None: in all)."""
    if not terms or limit < 1:
        return []
    names = sorted(scopes) if scopes is not None else []
    where = "" if scopes is None else f" and doc.scope in ({', '.join('?' * len(names))})"
    rows = db.execute(_MATCH.format(scopes=where), (terms, *names, limit))
    return [Row(*row) for row in rows.fetchall()]


def best(
    db: sqlite3.Connection,
    counted: Mapping[str, int],
    scopes: Collection[str] | None,
    limit: int,
    few: int,
    at_once: bool = True,
) -> list[Row]:
    """The best entries for all of the FTS5 terms (`at_once`), then for `few` of the rarest of them."""
    found: dict[int, Row] = {}
    if at_once and counted and all(counted.values()):
        found = {row.id: row for row in match(db, " AND ".join(counted), scopes, limit)}
    if len(found) < limit and len(counted) > 1:
        for row in match(db, " OR ".join(rarest(counted, few)), scopes, limit + len(found)):
            found.setdefault(row.id, row)
    return list(found.values())[:limit]


def rarest(counted: Mapping[str, int], most: int) -> list[str]:
    """The rarest terms that stand anywhere, as many as keep the ranking small; at least one."""
    chosen: list[str] = []
    rows = 0
    for term, count in sorted(counted.items(), key=lambda item: (item[1], item[0])):
        if count and len(chosen) < most and (not chosen or rows + count <= MAX_RANKED):
            chosen.append(term)
            rows += count
    return chosen


class Seeker:
    """The search database of a state folder, for reading; use as a context manager.

    Each call raises Locked or StateError.
    """

    def __init__(self, folder: str) -> None:
        self._path = os.path.join(folder, FILE)
        if not os.path.isfile(self._path):
            raise StateError(f"there is nothing to search in {folder}; run `silt rebuild`")
        with _Errors(self._path):
            self._db = sqlite3.connect(self._path, timeout=WAIT, isolation_level=None)
            try:
                (version,) = self._db.execute("pragma user_version").fetchone()
                if version != VERSION:
                    raise StateError(f"{self._path} was made by another siltstone; run `silt rebuild`")
                # Few pages are read twice, and memory for each costs more than to read it once more.
                self._db.execute("pragma cache_size = 40")
                # All that is read is of one moment, and the file is locked once, not for each statement.
                self._db.execute("begin")
            except BaseException:
                self._db.close()
                raise

    def __enter__(self) -> "Seeker":
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def total(self) -> int:
        """How many entries there are."""
        with _Errors(self._path):
            # A row for each, as in `doc`, and so short that a tenth of the pages is read.
            return int(self._db.execute("select count(*) from word_docsize").fetchone()[0])

    def counts(self, words: Collection[str]) -> dict[str, int]:
        """In how many entries each word stands, as `counts`."""
        with _Errors(self._path):
            return counts(self._db, words)

    def count(self, terms: str) -> int:
        """How many entries there are for an FTS5 expression, as `count`."""
        with _Errors(self._path):
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
        with _Errors(self._path):
            found = best(
                self._db, counted, scopes, limit + len(beside), few, at_once=len(counted) <= MAX_AT_ONCE
            )
            rows = [row for row in found if row.path not in beside][:limit]
            return [Texts(row.path, *self._db.execute(ask, (row.id,)).fetchone()) for row in rows]


class _Errors:
    """Within it, what SQLite says of the file at `path` becomes an error of ours."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, sqlite3.DatabaseError):
            raise self._mapped(error) from error

    def _mapped(self, error: sqlite3.DatabaseError) -> Locked | StateError:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return Locked(f"{self._path} is held by another process; try again")
        return StateError(f"{self._path} cannot be used ({error}); run `silt rebuild`")
