"""`search.sqlite3`: its tables, how it is opened, and what its errors mean (rebuildable: invariant 12).

`search.py` keeps the words of entries in it, `entry_index.py` what each file held. A damaged file, or one
of another version, is thrown away.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from siltstone.store.disk import FILE_MODE
from siltstone.store.errors import Locked, StateError

FILE = "search.sqlite3"
VERSION = 4

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


def opened(path: Path, wait: float) -> sqlite3.Connection:
    """The database, thrown away first when it is no database or of another version."""
    try:
        return _connect(path, wait)
    except sqlite3.OperationalError as error:
        raise mapped(path, error) from error
    except sqlite3.DatabaseError:
        return fresh(path, wait)


@contextmanager
def errors(path: str) -> Iterator[None]:
    """What SQLite says of the file becomes an error of ours."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise mapped(path, error) from error


def mapped(path: Path | str, error: sqlite3.DatabaseError) -> Locked | StateError:
    if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return Locked(f"The search database {path} is held by another process; try again")
    return StateError(f"The search database {path} cannot be used ({error}); run `silt rebuild`")


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


def fresh(path: Path, wait: float) -> sqlite3.Connection:
    for end in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + end).unlink()
    return _connect(path, wait)
