"""Reading `recall.sqlite3`: what recall may show, prepared when the store changes (docs/seeds.md A22, D16).

The file is derived, stands beside the state database and is written by `prepared_writer.py`. A reader
waits a quarter of a second at most, and reads some dozens of rows from a store of any size
(`retention.rank`).
"""

import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence

from siltstone.recall.brief import Brief, Quote
from siltstone.recall.fragment import Fragment, Scope, View
from siltstone.store.derived_database import sqlite_errors
from siltstone.store.entry import GLOBAL
from siltstone.store.errors import StateError, StoreError
from siltstone.store.identity import of_folder, of_remote
from siltstone.store.names import scope_of_path
from siltstone.store.repository import find_repository, head

FILE = "recall.sqlite3"
VERSION = 7
"""Raise it when the tables change, and when a fragment is made in another way."""
WAIT = 0.25
"""Seconds to wait for a process that writes."""
MAX_FOLDER = 4_096
"""Longest path of a folder, in characters."""

Owner = Callable[[str, str], str | None]
"""(kind, value) of a project's identity → the scope that owns it."""

_MADE_ANEW = "the next run makes it anew, `silt rebuild` at once"
_CLASSES = "select type, repeats, n from class where scope = ?"
_HOT = "select * from fragment where scope = ? and hot = 1 order by path"
_OVERRIDDEN = (
    "select path from override join fragment using (path) where override.scope = ? and fragment.hot = 0"
)
_BEST = (
    "select * from fragment where scope = ? and hot = 0 and type = ? and repeats = ? "
    "order by rank desc, path limit ?"
)
_BRIEF = "select folder, made, file, quote, hash, stamp from brief where scope = ? order by n"


class Prepared:
    """An open `recall.sqlite3`, as of one moment. Use it as a context manager.

    Each call raises Locked or StateError.
    """

    def __init__(self, folder: str) -> None:
        """Open the file in a state folder. Raises StateError without a usable one, StoreError when the
        store it was made from is gone."""
        self._path = os.path.join(folder, FILE)
        if not os.path.isfile(self._path):
            raise StateError(
                f"nothing is prepared for showing in {folder}; run `silt run` to learn from your agents' "
                "sessions, or `silt rebuild` where there is a store"
            )
        with sqlite_errors(self._path):
            self._db = sqlite3.connect(self._path, timeout=WAIT, isolation_level=None)
            try:
                self._db.execute("begin")  # one transaction: everything is read as of one moment
                self._check()
            except BaseException:
                self._db.close()
                raise

    def __enter__(self) -> "Prepared":
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def behind(self) -> bool:
        """Whether the store has another commit than when it was prepared: somebody used git there."""
        return bool(self._head) and head(self._root) not in ("", self._head)

    def scope_of(self, kind: str, value: str) -> str | None:
        """The scope that owns an identity of a project."""
        with sqlite_errors(self._path):
            row = self._db.execute(
                "select scope from identity where kind = ? and value = ?", (kind, _encodable(value))
            ).fetchone()
        return None if row is None else str(row[0])

    def view(self, scopes: Sequence[str], caps: Mapping[str, int]) -> View:
        """What may be shown for `scopes`: of each type the best up to its cap; none without a cap."""
        with sqlite_errors(self._path):
            classes = {scope: self._db.execute(_CLASSES, (scope,)).fetchall() for scope in scopes}
            sides = self._db.execute("select id, path from conflict").fetchall()
            in_conflict = {path for _, path in sides}
            overridden = sorted(set(self._column(_OVERRIDDEN, scopes)))
            hot, best = [], []
            for scope in scopes:
                hot += [_fragment(row, in_conflict) for row in self._db.execute(_HOT, (scope,))]
                for type, repeats, _ in classes[scope]:
                    if type not in caps:
                        continue
                    most = caps[type] + len(overridden)  # an overridden one takes no other's place
                    rows = self._db.execute(_BEST, (scope, type, repeats, most))
                    best += [_fragment(row, in_conflict) for row in rows if row[0] not in overridden]
            return View(
                scopes=tuple(self._scope(scope, classes[scope]) for scope in scopes),
                hot=tuple(hot),
                candidates=tuple(best),
                overridden=tuple(overridden),
                unreadable=tuple(self._column("select sentence from unreadable where scope = ?", scopes)),
                conflicts=len({id for id, path in sides if scope_of_path(path) in scopes}),
            )

    def fragments(self, paths: Iterable[str]) -> dict[str, Fragment]:
        """The fragments of those paths that have one."""
        with sqlite_errors(self._path):
            in_conflict = {path for (path,) in self._db.execute("select path from conflict")}
            query = "select * from fragment where path = ?"
            rows = (self._db.execute(query, (_encodable(path),)).fetchone() for path in paths)
            return {row[0]: _fragment(row, in_conflict) for row in rows if row is not None}

    def paths(self, scopes: Sequence[str]) -> list[str]:
        """Paths of all memories in force in `scopes`."""
        with sqlite_errors(self._path):
            return self._column("select path from fragment where scope = ? order by path", scopes)

    def brief(self, scope: str) -> Brief | None:
        """The brief of a project; None when nothing is quoted."""
        with sqlite_errors(self._path):
            return read_brief(self._db, scope)

    def _scope(self, name: str, classes: Sequence[tuple[str, int, int]]) -> Scope:
        row = self._db.execute("select activity, archived from scope where name = ?", (name,)).fetchone()
        totals: dict[str, int] = {}
        for type, _, n in classes:
            totals[type] = totals.get(type, 0) + n
        activity, archived = row if row is not None else (None, 0)
        return Scope(name, activity, totals, archived)

    def _column(self, query: str, scopes: Sequence[str]) -> list[str]:
        return [str(row[0]) for scope in scopes for row in self._db.execute(query, (scope,))]

    def _check(self) -> None:
        (version,) = self._db.execute("pragma user_version").fetchone()
        if version != VERSION:
            raise StateError(f"{self._path} was made by another siltstone; {_MADE_ANEW}")
        origin = self._db.execute("select root, head from origin").fetchone()
        self._root, self._head = map(str, origin or ("", ""))
        if self._root and not os.path.isdir(self._root):
            raise StoreError(
                f"nothing is shown, for the store {self._root} is not there any more; put it back, or run "
                "`silt rebuild` to begin a new one"
            )


def read_brief(db: sqlite3.Connection, scope: str) -> Brief | None:
    """The brief of a scope as it was prepared last."""
    rows = db.execute(_BRIEF, (scope,)).fetchall()
    return Brief(rows[0][0], rows[0][1], tuple(Quote(*row[2:]) for row in rows)) if rows else None


def scope_of_folder(cwd: str, owner: Owner, home: str) -> str:
    """The scope of the folder an agent works in: "global" or "projects/<slug>".

    The answer is that of `Projects.resolve`, but it is found in `.git` and `owner` alone: no git is run and
    nothing is registered, so an unknown folder is global.
    """
    if len(cwd) > MAX_FOLDER or "\0" in cwd or not os.path.isabs(cwd):
        return GLOBAL
    ceilings = {os.path.realpath(home), "/"}
    folder = os.path.realpath(cwd)
    if folder in ceilings:
        return GLOBAL
    if not os.path.isdir(folder):
        return _longest_known(folder, owner, ceilings) or GLOBAL
    found = find_repository(folder, ceilings)
    if found is None:
        return owner(*of_folder("path", folder)) or GLOBAL
    marks = [of_folder("git", found.common), of_folder("path", found.top)]
    remote = of_remote(found.remote, found.top) if found.remote is not None else None
    if remote is not None:
        # A remote that is a folder is a path, which is weaker than the git folder.
        marks.insert(0 if remote.kind == "remote" else 1, remote)
    return next((scope for kind, value in marks if (scope := owner(kind, value))), GLOBAL)


def _longest_known(folder: str, owner: Owner, ceilings: set[str]) -> str | None:
    """The scope of the longest known path above a folder that is gone."""
    while folder not in ceilings:
        found = owner(*of_folder("path", folder))
        above = os.path.dirname(folder)
        if found is not None or above == folder:
            return found
        folder = above
    return None


def _fragment(row: tuple[object, ...], in_conflict: set[str]) -> Fragment:
    return Fragment._make((*row[:-2], int(row[0] in in_conflict)))


def _encodable(text: str) -> str:
    """The text as SQLite can take it: a path may hold lone surrogates."""
    return text.encode("utf-8", "replace").decode()
