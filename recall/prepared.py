"""`recall.sqlite3`: what recall may show, read by hot commands (docs/seeds.md A22, D16).

A derived file beside the state database, written by `preparing.py` when the store changes. Showing
opens it for reading, waits at most a quarter of a second, and reads some dozens of rows from a store
of any size: see `retention.rank`.
"""

import os

from siltstone.recall.view import Fragment, Scope, View
from siltstone.store.closing import let_go
from siltstone.store.errors import Locked, StateError, StoreError
from siltstone.store.head import head
from siltstone.store.sqlite import sqlite3

TYPE_CHECKING = False
if TYPE_CHECKING:  # as `typing.TYPE_CHECKING`: a hot command has no time for what types alone need
    from collections.abc import Iterable, Mapping, Sequence

    from siltstone.recall.brief import Brief

FILE = "recall.sqlite3"
VERSION = 5
"""Raise it with the tables, and with whatever changes how a fragment is made."""
WAIT = 0.25
"""Seconds for another process that writes."""

_ANEW = "the next run makes it anew, `silt rebuild` at once"
_CLASSES = "select type, repeats, n from class where scope = ?"
_HOT = "select * from fragment where scope = ? and hot = 1 order by path"
_HIDDEN = "select path from override join fragment using (path) where override.scope = ? and fragment.hot = 0"
_BEST = (
    "select * from fragment where scope = ? and hot = 0 and type = ? and repeats = ? "
    "order by rank desc, path limit ?"
)
BRIEF = "select folder, made, file, said, hash, stamp from brief where scope = ? order by n"


class Prepared:
    """An open `recall.sqlite3`; use as a context manager. Each call raises Locked or StateError."""

    def __init__(self, folder: str) -> None:
        """Open what is prepared in a state folder. Raises StateError when nothing usable is, StoreError when
        its store is gone."""
        self._path = os.path.join(folder, FILE)
        if not os.path.isfile(self._path):
            raise StateError(
                f"nothing is prepared for showing in {folder}; run `silt run` to learn from your agents' "
                "sessions, or `silt rebuild` where there is a store"
            )
        with errors(self._path):
            self._db = sqlite3.connect(self._path, timeout=WAIT, isolation_level=None)
            try:
                # All that is read is of one moment, and the file is locked once, not for each statement.
                self._db.execute("begin")
                self._check()
            except BaseException:
                self._db.close()
                raise

    def __enter__(self) -> "Prepared":
        return self

    def __exit__(self, *_: object) -> None:
        let_go(self._db)

    def behind(self) -> bool:
        """Whether the store stands at another commit than when it was prepared: somebody used git there."""
        return bool(self._head) and head(self._root) not in ("", self._head)

    def scope_of(self, kind: str, value: str) -> str | None:
        """The scope that owns an identity of a project."""
        with errors(self._path):
            row = self._db.execute(
                "select scope from identity where kind = ? and value = ?", (kind, _safe(value))
            ).fetchone()
        return None if row is None else str(row[0])

    def view(self, scopes: "Sequence[str]", caps: "Mapping[str, int]") -> View:
        """What may be shown for `scopes`: of each class as many as its type's cap lets through, and of types
        without a cap none."""
        with errors(self._path):
            classes = {scope: self._db.execute(_CLASSES, (scope,)).fetchall() for scope in scopes}
            sides = self._db.execute("select id, path from conflict").fetchall()
            told = {path for _, path in sides}
            hidden = sorted(set(self._all(_HIDDEN, scopes)))
            hot, best = [], []
            for scope in scopes:
                hot += [_fragment(row, told) for row in self._db.execute(_HOT, (scope,))]
                for type, repeats, _ in classes[scope]:
                    if type not in caps:
                        continue
                    # A hidden one takes no other's place.
                    most = caps[type] + len(hidden)
                    rows = self._db.execute(_BEST, (scope, type, repeats, most))
                    best += [_fragment(row, told) for row in rows if row[0] not in hidden]
            return View(
                scopes=tuple(self._scope(scope, classes[scope]) for scope in scopes),
                hot=tuple(hot),
                candidates=tuple(best),
                overridden=tuple(hidden),
                unreadable=tuple(self._all("select sentence from unreadable where scope = ?", scopes)),
                conflicts=len({id for id, path in sides if _stands_in(path, scopes)}),
            )

    def fragments(self, paths: "Iterable[str]") -> dict[str, Fragment]:
        """The fragments of these paths, as far as they are there."""
        with errors(self._path):
            told = {path for (path,) in self._db.execute("select path from conflict")}
            ask = "select * from fragment where path = ?"
            rows = (self._db.execute(ask, (_safe(path),)).fetchone() for path in paths)
            return {row[0]: _fragment(row, told) for row in rows if row is not None}

    def brief(self, scope: str) -> "Brief | None":
        """What a project's own files say of it; None where nothing is quoted."""
        with errors(self._path):
            rows = self._db.execute(BRIEF, (scope,)).fetchall()
        if not rows:
            return None
        from siltstone.recall.brief import briefed

        return briefed(rows)

    def _scope(self, name: str, classes: "Sequence[tuple[str, int, int]]") -> Scope:
        row = self._db.execute("select activity, archived from scope where name = ?", (name,)).fetchone()
        totals: dict[str, int] = {}
        for type, _, n in classes:
            totals[type] = totals.get(type, 0) + n
        activity, archived = row if row is not None else (None, 0)
        return Scope(name, activity, totals, archived)

    def _all(self, ask: str, scopes: "Sequence[str]") -> list[str]:
        return [str(row[0]) for scope in scopes for row in self._db.execute(ask, (scope,))]

    def _check(self) -> None:
        (version,) = self._db.execute("pragma user_version").fetchone()
        if version != VERSION:
            raise StateError(f"{self._path} was made by another siltstone; {_ANEW}")
        origin = self._db.execute("select root, head from origin").fetchone()
        self._root, self._head = map(str, origin or ("", ""))
        if self._root and not os.path.isdir(self._root):
            raise StoreError(
                f"nothing is shown, for the store {self._root} is not there any more; put it back, or run "
                "`silt rebuild` to begin a new one"
            )


class errors:  # noqa: N801 - reads as what it does; a class, for contextlib takes a millisecond to load
    """Within it, what SQLite and the disk say of the file at `path` becomes an error of ours."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if error is not None and (ours := self._of(error)) is not None:
            raise ours from error

    def _of(self, error: BaseException) -> Locked | StateError | None:
        path = self._path
        if isinstance(error, sqlite3.OperationalError):
            if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                return Locked(f"{path} is held by another process; try again")
            return StateError(f"{path} cannot be used ({error}); run `silt rebuild`")
        if isinstance(error, sqlite3.DatabaseError):
            return StateError(f"{path} is damaged ({error}); {_ANEW}")
        if isinstance(error, OSError):
            return StateError(f"{path} cannot be used ({error.strerror}); see to its folder")
        return None


def _fragment(row: tuple[object, ...], in_conflict: set[str]) -> Fragment:
    return Fragment._make((*row[:-2], int(row[0] in in_conflict)))


def scope_of_path(path: str) -> str:
    """The scope of a file of the store; its first folder for one of the inbox."""
    parts = path.split("/")
    return "/".join(parts[:2]) if parts[0] == "projects" else parts[0]


def _stands_in(path: str, scopes: "Sequence[str]") -> bool:
    return scope_of_path(path) in scopes


def _safe(text: str) -> str:
    """What SQLite can take: a path of a stranger's disk may hold halves of surrogate pairs."""
    return text.encode("utf-8", "replace").decode()
