"""What recall may show, read from `recall.sqlite3`: prepared when the store changes (docs/seeds.md A22, D16).

The file is derived, stands beside the state database and is written by `prepared_writer.py`. A reader
waits a quarter of a second at most, and reads some dozens of memories from a store of any size
(`retention.rank`).
"""

import json
import os
import sqlite3
import stat
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from siltstone.store.derived_database import DerivedReader, sqlite_errors
from siltstone.store.entry import GLOBAL
from siltstone.store.errors import StoreError
from siltstone.store.identity import locate
from siltstone.store.intent import hash_of
from siltstone.store.names import scope_of_path
from siltstone.store.repository import head

FILE = "recall.sqlite3"
VERSION = 19
"""Raise it when the tables change, and when a fragment is made in another way."""
MAX_TITLES = 100

Owner = Callable[[str, str], str | None]
"""(kind, value) of a project's identity → the scope that owns it."""


class Fragment(NamedTuple):
    """One memory as it will be shown. The fields are columns of `recall.sqlite3`."""

    path: str
    scope: str
    type: str
    topic: str
    """ "" for none."""
    name: str
    line: str
    """The description as one safe line (`escape.py`)."""
    more: int
    """1 when the body says more than the line."""
    chars: int
    """Length of the body."""
    limit: int
    hot: int
    """1 for a memory in `system/`, which is shown whole."""
    source: int
    """3 explicit, 2 manual, 1 extraction: breaks ties."""
    clock: float | None
    """Epoch seconds of its newest evidence; None when undated."""
    initial: float
    repeats: int
    """How often it was confirmed, 0 to 6."""
    ages: int
    """1 for a statement that can grow old (`prepared_writer.ages`)."""
    body: str
    """The body as safe lines; of one that is not hot what it says behind its line, and only its beginning."""
    in_conflict: int = 0
    code: str = ""
    """What became of the code it is bound to (`code.status`); "" for nothing that speaks against it."""


class Hit(NamedTuple):
    """A memory that fits the current question."""

    fragment: Fragment
    percent: int
    """0 to 100: how much of what the question asks for it holds (`store/ranking.py`)."""


class Steering(NamedTuple):
    """A memory that names something a call may touch, and when it is given (`steering.Steers`)."""

    term: str
    rest: str
    unless: str
    sentence: str
    forbidden: int
    """1 for what the memory says not to do."""
    fragment: Fragment
    file: str
    """Where the memory itself is; "" where that is not known."""


class Scope(NamedTuple):
    """What is known about one scope as a whole."""

    name: str
    activity: float | None
    """Epoch seconds of its newest evidence."""
    totals: Mapping[str, int]
    """Memories in force by type, without hot ones."""
    archived: int
    """Memories that were superseded or merged away."""


class Quote(NamedTuple):
    """A line of a project's own files (`brief.py`)."""

    file: str
    text: str
    """A safe line; "" when the file is only named."""
    hash: str = ""
    """Of the bytes it was taken from; "" for anything but a plain file."""


class Brief(NamedTuple):
    """What the files of a project say of it."""

    folder: str
    """Where its files are."""
    made: float
    """Epoch seconds."""
    quotes: tuple[Quote, ...]


class Title(NamedTuple):
    """A memory by its name alone."""

    path: str
    type: str
    name: str


class View(NamedTuple):
    """What may be shown for some scopes: all hot memories, and the strongest of the others."""

    scopes: tuple[Scope, ...]
    hot: tuple[Fragment, ...]
    candidates: tuple[Fragment, ...]
    overridden: tuple[str, ...] = ()
    """Paths of global memories that a memory of the project replaces (invariant 11)."""
    unreadable: tuple[str, ...] = ()
    """One sentence for each file that is damaged or holds a secret."""
    conflicts: int = 0
    """Open conflicts that concern these scopes."""
    titles: tuple[Title, ...] = ()
    """Of each type the strongest `MAX_TITLES` of each scope, strongest first; no hot ones."""


_CLASSES = "select type, repeats, count(*) from fragment where scope = ? and hot = 0 group by type, repeats"
_HOT = "select * from fragment where scope = ? and hot = 1 order by path"
_OVERRIDDEN = (
    "select path from override join fragment using (path) where override.scope = ? and fragment.hot = 0"
)
_NAMES = (
    "select path, type, name, rank from fragment where scope = ? and hot = 0 and type = ? "
    "order by rank desc, path limit ?"
)
_BEST = (
    "select * from fragment where scope = ? and hot = 0 and type = ? and repeats = ? "
    "order by rank desc, path limit ?"
)
_STEERING = (
    "select term, rest, unless, sentence, forbidden, fragment.* from steers join fragment using (path) "
    "where term in (select value from json_each(?1)) and scope in (select value from json_each(?2)) "
    "and path not in (select path from override where scope in (select value from json_each(?2)))"
)


class Prepared(DerivedReader):
    """An open `recall.sqlite3`, as of one moment. Use it as a context manager.

    Each call raises Locked or StateError.
    """

    def __init__(self, folder: str) -> None:
        """Open the file in a state folder. Raises StateError without a usable one, StoreError when the
        store it was made from is gone."""
        nothing = (
            f"nothing is prepared for showing in {folder}; run `silt run` to read your agents' sessions, "
            f"or `silt rebuild` if there is a store"
        )
        self.folder = folder
        self.code: Mapping[str, str] = {}
        """What became of the code of memories, by path, where that is known (`CodeStatus.not_fresh`)."""
        self._edited = False
        super().__init__(os.path.join(folder, FILE), VERSION, nothing)

    def _read(self) -> None:
        self._facts = read_facts(self._db)
        root = self._facts.get("root", "")
        if root and not os.path.isdir(root):
            raise StoreError(
                f"nothing is shown, because the store {root} no longer exists; put it back, or run "
                f"`silt run` to begin a new one"
            )
        self._in_conflict = {path for _, path in self._facts.get("conflicts", ())}

    def behind(self) -> bool:
        """Whether the store has another commit than when it was prepared, for somebody used git there; or a
        memory that was looked at since has been edited."""
        known = self._facts.get("head", "")
        return self._edited or (bool(known) and head(self._facts["root"]) not in ("", known))

    def scope_of(self, kind: str, value: str) -> str | None:
        """The scope that owns an identity of a project."""
        found: str | None = self._facts.get("identities", {}).get(kind, {}).get(value)
        return found

    def view(self, scopes: Sequence[str], caps: Mapping[str, int]) -> View:
        """What may be shown for `scopes`: of each type the best up to its cap; none without a cap.

        A memory whose file is gone is left out, before a run noticed it. Of one that was edited since only
        its name is shown.
        """
        activity, archived = self._facts.get("activity", {}), self._facts.get("archived", {})
        known, hot, best = [], [], []
        named: list[tuple[float, Title]] = []
        missing: set[str] = set()
        with sqlite_errors(self._path):
            overridden = sorted(set(self._column(_OVERRIDDEN, scopes)))
            for scope in scopes:
                hot += [self._fragment(row) for row in self._db.execute(_HOT, (scope,)) if self._holds(row)]
                totals: dict[str, int] = {}
                for type, repeats, count in self._db.execute(_CLASSES, (scope,)).fetchall():
                    totals[type] = totals.get(type, 0) + count
                    if type in caps:
                        most = caps[type] + len(overridden)  # an overridden one takes no other's place
                        rows = self._db.execute(_BEST, (scope, type, repeats, most))
                        best += [
                            self._fragment(row)
                            for row in rows
                            if row[0] not in overridden and self._holds(row)
                        ]
                for type in totals.keys() & caps.keys():
                    rows = self._db.execute(_NAMES, (scope, type, MAX_TITLES))
                    named += [(-rank, Title(*row)) for *row, rank in rows if row[0] not in overridden]
                gone = {
                    one for _, one in named if scope_of_path(one.path) == scope and not self._stands(one.path)
                }
                for one in gone:
                    totals[one.type] -= 1
                missing |= {one.path for one in gone}
                known.append(Scope(scope, activity.get(scope), totals, archived.get(scope, 0)))
        sides = self._facts.get("conflicts", ())
        return View(
            tuple(known),
            tuple(hot),
            tuple(best),
            tuple(overridden),
            tuple(sentence for scope, sentence in self._facts.get("unreadable", ()) if scope in scopes),
            len({id for id, path in sides if scope_of_path(path) in scopes}),
            tuple(title for _, title in sorted(named) if title.path not in missing),
        )

    def fragments(self, paths: Iterable[str]) -> dict[str, Fragment]:
        """The fragments of those paths that have one."""
        query = "select * from fragment where path = ?"
        with sqlite_errors(self._path):
            # SQLite takes no lone surrogates, which a path may hold.
            safe = (path.encode("utf-8", "replace").decode() for path in paths)
            rows = (self._db.execute(query, (path,)).fetchone() for path in safe)
            return {row[0]: self._fragment(row) for row in rows if row is not None and self._holds(row)}

    def paths(self, scopes: Sequence[str]) -> list[str]:
        """Paths of all memories in force in `scopes`."""
        with sqlite_errors(self._path):
            return self._column("select path from fragment where scope = ? order by path", scopes)

    def is_empty(self) -> bool:
        """Whether nothing at all is remembered."""
        with sqlite_errors(self._path):
            return self._db.execute("select 1 from fragment limit 1").fetchone() is None

    def steering(self, terms: Iterable[str], scopes: Sequence[str]) -> list[Steering]:
        """The memories of `scopes` that name one of these things, in any order."""
        asked = json.dumps([one.encode("utf-8", "replace").decode() for one in terms]), json.dumps(scopes)
        with sqlite_errors(self._path):
            rows = self._db.execute(_STEERING, asked).fetchall()
        root = self._facts.get("root", "")
        return [
            Steering._make((*row[:5], self._fragment(row[5:]), os.path.join(root, row[5]) if root else ""))
            for row in rows
            if self._stands(row[5])
        ]

    def brief(self, scope: str) -> Brief | None:
        """The brief of a project; None when nothing is quoted."""
        return brief_in(self._facts, scope)

    def _column(self, query: str, scopes: Sequence[str]) -> list[str]:
        return [str(row[0]) for scope in scopes for row in self._db.execute(query, (scope,))]

    def _stands(self, path: str) -> bool:
        """Whether a memory's file is still there."""
        root = self._facts.get("root", "")
        return not root or os.path.lexists(os.path.join(root, path))

    def _holds(self, row: Sequence[Any]) -> bool:
        """Whether the file of a fragment's row is there as it was prepared."""
        root = self._facts.get("root", "")
        if not root:
            return True
        file = Path(root, row[0])
        try:
            found = file.lstat()
            changed = max(found.st_mtime, found.st_ctime)  # `cp -p` keeps an old st_mtime
            if not stat.S_ISREG(found.st_mode) or changed <= self._facts["read"]:
                return True
            is_same = str(row[-2]).startswith(hash_of(file.read_bytes()))
        except OSError:
            return False
        self._edited |= not is_same
        return is_same

    def _fragment(self, row: tuple[Any, ...]) -> Fragment:
        return Fragment._make((*row[:-2], int(row[0] in self._in_conflict), self.code.get(row[0], "")))


def read_facts(db: sqlite3.Connection) -> dict[str, Any]:
    """What is prepared besides the memories, as `prepared_writer.Facts` were kept; {} for a new file."""
    row = db.execute("select body from facts").fetchone()
    facts: dict[str, Any] = json.loads(row[0]) if row is not None else {}
    return facts


def brief_in(facts: Mapping[str, Any], scope: str) -> Brief | None:
    """The brief of a scope as it was prepared last."""
    kept = facts.get("briefs", {}).get(scope)
    return Brief(kept[0], kept[1], tuple(Quote(*one) for one in kept[2])) if kept else None


def scope_of_folder(cwd: str, owner: Owner, home: str) -> str:
    """The scope of the folder an agent works in: "global" or "projects/<slug>".

    The answer is that of `Projects.resolve`, but it is found in `.git` and `owner` alone: no git is run and
    nothing is registered, so an unknown folder is global.
    """
    ceilings = {os.path.realpath(home), "/"}
    return locate(cwd, lambda one: owner(*one), ceilings).owner or GLOBAL
