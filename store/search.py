"""Full-text search over the store in SQLite's FTS5 (rebuildable: invariant 12).

A query asks for all of its words first, then fills up with entries that hold some of its rarest
ones. One file of its own, one connection an object; readers never wait for a writer (WAL). A file
that is damaged or of another version is thrown away: the next `sync` fills it again.
"""

import sqlite3
import threading
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from siltstone.store.disk import FILE_MODE
from siltstone.store.entry import Change, Read, Snapshot, Stored
from siltstone.store.errors import Locked, StateError
from siltstone.store.names import IN_FORCE, place
from siltstone.store.seek import VERSION, best, counts, quoted
from siltstone.store.state.purge import scrubbed
from siltstone.store.words import query_words, words

RAREST = 4
"""Words of a short query that the second round asks for; of a long text one in eight."""
MAX_RAREST = 24
MAX_WORDS = 200
"""Of a long text the longest words are looked up, for these are rare."""
WAIT_SECONDS = 10.0
"""For another process that writes."""

_SCHEMA = f"""
begin immediate;
create table if not exists doc(id integer primary key, path text not null unique,
                               scope text not null, hash text not null);
create table if not exists spread(word text primary key, entries integer not null) without rowid;
create table if not exists file(path text primary key, stat text not null, blob text not null,
                                hash text not null, body text not null, edited integer not null,
                                by_hand integer not null, user_written integer not null, name text not null,
                                problem text, secret text) without rowid;
create table if not exists content(path text primary key, hash text not null, text text not null,
                                   entry text not null);
create table if not exists fact(name text primary key, value text not null) without rowid;
create virtual table if not exists word using fts5(name, description, body, tokenize='ascii');
pragma user_version = {VERSION};
commit;
"""


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry found, the best first."""

    path: str
    score: float
    """BM25: to be compared within one round only."""


class Search:
    """The search database at `path` (its folder must exist). Use as a context manager, or `close`."""

    def __init__(self, path: Path, wait: float = WAIT_SECONDS) -> None:
        self._path = path
        self._wait = wait
        self._guard = threading.RLock()
        """One connection serves the threads of a process, one at a time."""
        self._db = opened(path, wait)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
        changed = [path for path, hash in wanted.items() if known.get(path) != hash]
        gone = [path for path in known if path not in wanted]
        return self._update(snapshot.read(changed), gone) if changed or gone else 0

    def follow(self, changes: Iterable[Change], read: Read) -> int:
        """The same for the entries that changes touched, after these were made."""
        places = {change.path: place(change.path) for change in changes}
        paths = [path for path, at in places.items() if at is not None and at.kind in IN_FORCE]
        stored = read(paths)
        return self._update(stored, set(paths) - {one.path for one in stored})

    def _update(self, stored: Iterable[Stored], gone: Iterable[str]) -> int:
        """Write and drop entries; how many."""
        changed = 0
        with self._writing():
            ids = dict(self._db.execute("select path, id from doc").fetchall())
            spread: Counter[str] = Counter()
            for one in stored:
                self._put(ids.get(one.path), one, spread)
                changed += 1
            for path in gone:
                if (id := ids.get(path)) is not None:
                    self._drop(id, spread)
                    self._db.execute("delete from doc where id = ?", (id,))
                    changed += 1
            self._spread(spread)
        return changed

    def scrub(self) -> str:
        """Keep nothing of what was deleted, in the index, free pages or the log; as `traces.scrubbed`."""
        with self._reading():
            self._db.execute("insert into word(word) values ('rebuild')")
            return scrubbed(lambda sql: self._db.execute(sql).fetchall(), str(self._path))

    def query(self, text: str, scopes: Collection[str] | None = None, limit: int = 10) -> list[Hit]:
        """The best entries for `text` in `scopes` (None: in all), those with all of its words first."""
        asked = _longest(query_words(text))
        with self._reading():
            few = max(RAREST, min(len(asked) // 8, MAX_RAREST))
            counted = {quoted(word): count for word, count in counts(self._db, asked).items()}
            rows = best(self._db, counted, scopes, limit, few)
        return [Hit(row.path, row.score) for row in rows]

    def descriptions(self) -> list[tuple[str, str]]:
        """Path and words of the description (`words`, with spaces between) of every entry."""
        with self._reading():
            ask = "select doc.path, word.description from doc join word on word.rowid = doc.id"
            return self._db.execute(ask).fetchall()

    def _put(self, id: int | None, one: Stored, spread: Counter[str]) -> None:
        if id is None:
            cursor = self._db.execute(
                "insert into doc(path, scope, hash) values (?, ?, ?)", (one.path, one.entry.scope, one.hash)
            )
            id = cursor.lastrowid
        else:
            self._drop(id, spread)
            self._db.execute(
                "update doc set scope = ?, hash = ? where id = ?", (one.entry.scope, one.hash, id)
            )
        texts = [" ".join(words(text)) for text in (one.entry.name, one.entry.description, one.entry.body)]
        spread.update(_each(texts))
        self._db.execute("insert into word(rowid, name, description, body) values (?, ?, ?, ?)", (id, *texts))

    def _drop(self, id: int, spread: Counter[str]) -> None:
        """Take an entry's words out of the index."""
        ask = "select name, description, body from word where rowid = ?"
        texts = self._db.execute(ask, (id,)).fetchone()
        if texts is None:
            raise sqlite3.DatabaseError("an entry without its words")
        spread.subtract(_each(texts))
        self._db.execute("delete from word where rowid = ?", (id,))

    def _spread(self, changed: Counter[str]) -> None:
        """Count on in how many entries words stand. Of one that stands in none any more nothing is kept."""
        add = (
            "insert into spread values (?, ?) on conflict do update set entries = entries + excluded.entries"
        )
        self._db.executemany(add, sorted((word, n) for word, n in changed.items() if n))
        fewer = [(word,) for word, n in changed.items() if n < 0]
        self._db.executemany("delete from spread where word = ? and entries = 0", fewer)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._reading():
            self._db.execute("begin immediate")
            try:
                yield
                self._db.execute("commit")
            finally:
                if self._db.in_transaction:
                    self._db.execute("rollback")

    @contextmanager
    def _reading(self) -> Iterator[None]:
        try:
            with self._guard:
                yield
        except sqlite3.OperationalError as error:
            raise _mapped(self._path, error) from error
        except sqlite3.DatabaseError as error:
            self._db.close()
            self._db = _fresh(self._path, self._wait)
            raise StateError(
                f"The search database {self._path} was damaged and starts anew; run `silt rebuild`."
            ) from error


def opened(path: Path, wait: float) -> sqlite3.Connection:
    """The database, thrown away first when it is no database or of another version."""
    try:
        return _connect(path, wait)
    except sqlite3.OperationalError as error:
        raise _mapped(path, error) from error
    except sqlite3.DatabaseError:
        return _fresh(path, wait)


def _mapped(path: Path, error: sqlite3.OperationalError) -> Locked | StateError:
    if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Locked(f"The search database {path} is held by another process; try again.")
    return StateError(f"The search database {path} cannot be used ({error}); see to its folder.")


def _connect(path: Path, wait: float) -> sqlite3.Connection:
    db = sqlite3.connect(path, timeout=wait, isolation_level=None, check_same_thread=False)
    try:
        (version,) = db.execute("pragma user_version").fetchone()
        if version not in (0, VERSION):
            raise sqlite3.DatabaseError("another version")
        if version == 0:
            path.chmod(FILE_MODE)  # before SQLite makes its files beside it: they take the mode over
            db.execute("pragma journal_mode = wal")
            db.executescript(_SCHEMA)
        db.execute("pragma synchronous = normal")
        db.execute("select doc.id from doc, word where word match 'a' limit 1").fetchone()
    except BaseException:
        db.close()
        raise
    return db


def _fresh(path: Path, wait: float) -> sqlite3.Connection:
    for end in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).unlink()
    return _connect(path, wait)


def _each(texts: Iterable[str]) -> set[str]:
    """The words of texts as the index holds them."""
    return set(" ".join(texts).split())


def _longest(asked: list[str]) -> list[str]:
    return (
        asked if len(asked) <= MAX_WORDS else sorted(asked, key=lambda word: (-len(word), word))[:MAX_WORDS]
    )
