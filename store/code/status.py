"""Whether the code that memories are bound to is still as it was: `code.sqlite3` (derived, invariant 12).

Each anchor has a row: the commit it was last compared with, where its file stood, and the outcome. While
HEAD is that commit, the row answers. When HEAD moved, git names the files that differ, and only anchors in
these are compared again.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Literal, NamedTuple, Self, get_args

from siltstone.store.code.lines import definitions, holds, sketch, with_words
from siltstone.store.code.project_git import ProjectGit, text_of
from siltstone.store.derived_database import DerivedDatabase, sqlite_errors, transaction
from siltstone.store.disk import FOLDER_MODE
from siltstone.store.entry import Anchor, Snapshot
from siltstone.store.errors import GitError, Locked, StateError
from siltstone.store.history_index import blob_id
from siltstone.store.names import in_force, scope_of_path

FILE = "code.sqlite3"
WAIT = 0.25
"""Seconds to wait for another process that writes."""
Status = Literal["fresh", "unknown", "elsewhere", "changed", "gone"]
STATUSES: tuple[Status, ...] = get_args(Status)
"""The best first. A memory has the worst of its anchors."""
MARKS: Mapping[str, str] = {
    "fresh": "",
    "unknown": " [its code was not checked]",
    "elsewhere": " [said on another branch: verify]",
    "changed": " [the code changed since: verify]",
    "gone": " [the code is gone: verify]",
}
"""What stands behind a memory wherever it is shown."""

_TABLES = """
create table memory(path text primary key, hash text not null) without rowid;
create table anchor(
    memory text not null, n integer not null, anchor text not null,
    head text not null, file text not null, blob text not null, status text not null,
    primary key(memory, n)
) without rowid;
"""
_DATABASE = DerivedDatabase(1, _TABLES, lambda db: db.execute("select n from anchor limit 1").fetchone())
_Opened = Callable[[str], ProjectGit | None]
"""Scope → the git of its project; None where the project is not on this machine."""


class Row(NamedTuple):
    """One anchor as it was compared last."""

    memory: str
    n: int
    anchor: Anchor
    head: str = ""
    """Whole id of the commit; "" when it was never compared."""
    file: str = ""
    """Where the file stood there; "" when it did not."""
    blob: str = ""
    """Its object id there; "" for none."""
    status: Status = "unknown"


class CodeStatus:
    """The file in a state folder. Use it as a context manager. Calls raise StateError or Locked."""

    def __init__(self, folder: Path, wait: float = WAIT) -> None:
        self._path = str(folder / FILE)
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        with sqlite_errors(self._path):
            self._db = _DATABASE.open(self._path, wait)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def sync(self, snapshot: Snapshot) -> None:
        """Hold a row for each anchor of the memories in force; those whose files changed are read."""
        with sqlite_errors(self._path), transaction(self._db):
            known = dict(self._db.execute("select path, hash from memory").fetchall())
            wanted = {
                p: hash for p, hash in snapshot.hashes.items() if in_force(p) and p.startswith("projects/")
            }
            changed = dict(wanted.items() - known.items())
            for path in known.keys() - wanted.keys():
                self._drop(path)
            for stored in snapshot.read(sorted(changed)):
                kept = {row.anchor: row for row in self._rows([stored.path])}
                self._drop(stored.path)
                self._db.execute("insert into memory values (?, ?)", (stored.path, changed[stored.path]))
                for n, anchor in enumerate(stored.entry.anchors):
                    row = kept.get(anchor, Row(stored.path, n, anchor))
                    self._put(row._replace(n=n))

    def of(self, paths: Iterable[str], opened: _Opened) -> dict[str, list[Row]]:
        """The anchors of those memories that have some, compared with what is checked out now.

        What cannot be compared is "unknown", and has in `head` the commit it was compared with last.
        """
        by_scope: dict[str, list[Row]] = defaultdict(list)
        with sqlite_errors(self._path):
            for row in self._rows(paths):
                by_scope[scope_of_path(row.memory)].append(row)
        found: dict[str, list[Row]] = defaultdict(list)
        for scope, rows in by_scope.items():
            for row in self._compared(rows, opened(scope)):
                found[row.memory].append(row)
        return dict(found)

    def all(self, opened: _Opened) -> dict[str, list[Row]]:
        """The same of all memories."""
        with sqlite_errors(self._path):
            paths = [
                path for (path,) in self._db.execute("select distinct memory from anchor order by memory")
            ]
        return self.of(paths, opened)

    def _compared(self, rows: Sequence[Row], git: ProjectGit | None) -> list[Row]:
        """Rows as of HEAD; those that had to be compared are kept."""
        if git is None:
            return [row._replace(status="unknown") for row in rows]
        now = [row for row in rows if row.head == git.tip]
        old = [row for row in rows if row.head != git.tip]
        if old:
            try:
                new = compare(old, git)
            except GitError:
                return [*now, *(row._replace(status="unknown") for row in old)]
            # Who cannot write the outcome down compares again.
            with suppress(Locked, StateError), sqlite_errors(self._path), transaction(self._db):
                for row in new:
                    self._put(row)
            now += new
        return sorted(now, key=lambda row: (row.memory, row.n))

    def _rows(self, paths: Iterable[str]) -> list[Row]:
        found = []
        for path in paths:
            for memory, n, anchor, *rest in self._db.execute(
                "select * from anchor where memory = ?", (path,)
            ):
                found.append(Row(memory, n, Anchor(*json.loads(anchor)), *rest))
        return found

    def _put(self, row: Row) -> None:
        values = row._replace(anchor=json.dumps(row.anchor))  # type: ignore[arg-type]
        self._db.execute("insert or replace into anchor values (?, ?, ?, ?, ?, ?, ?)", values)

    def _drop(self, path: str) -> None:
        self._db.execute("delete from memory where path = ?", (path,))
        self._db.execute("delete from anchor where memory = ?", (path,))


def worst(rows: Iterable[Row]) -> Status:
    """The status of a memory with these anchors; "unknown" for none."""
    return max((row.status for row in rows), key=STATUSES.index, default="unknown")


def compare(rows: Sequence[Row], git: ProjectGit) -> list[Row]:
    """Compare anchors with HEAD's files. Raises GitError.

    What was bound to a file that was not committed yet may hold in the work tree alone. Then the row has no
    `head`, so that it is compared again the next time.
    """
    touched = {head: _touched(head, git) for head in {row.head for row in rows}}
    done, asked = [], []
    for row in rows:
        differs = touched[row.head]
        settled = row.status in ("fresh", "changed", "gone") and differs is not None
        if settled and differs is not None and differs.isdisjoint((row.file, row.anchor.path)):
            done.append(row._replace(head=git.tip))
        else:
            asked.append(row)
    files = git.files(git.tip, {path for row in asked for path in (row.file, row.anchor.path) if path})
    apart = git.not_merged({row.anchor.commit for row in asked if row.anchor.commit})
    placed = [_placed(row, files, git, row.anchor.commit in apart) for row in asked]
    texts = git.texts(row.blob for row in placed if row.anchor.lines and not _is_same(row))
    for row in placed:
        row = row._replace(status=_judged(row, texts.get(row.blob)))
        if row.status != "fresh" and (at_hand := _at_hand(row, git)) == "fresh":
            row = row._replace(status=at_hand, head="")
        elif row.status != "fresh" and row.anchor.commit in apart:
            row = row._replace(status="elsewhere")
        done.append(row)
    return done


def _touched(head: str, git: ProjectGit) -> set[str] | None:
    """Paths that differ between a commit and HEAD; None when nothing tells."""
    try:
        return git.changed(head, git.tip) if head else None
    except GitError:  # the commit is gone, after a rebase
        return None


def _placed(row: Row, files: Mapping[str, str], git: ProjectGit, apart: bool) -> Row:
    """The row with the file where it stands at HEAD, followed through renames."""
    anchor = row.anchor
    file = next((path for path in (row.file, anchor.path) if path in files), "")
    blob = files.get(file, "")
    if not anchor.blob:
        file = anchor.path if any(path.startswith(f"{anchor.path}/") for path in files) else ""
    elif not file and not apart:
        file, blob = git.moved(anchor.path, anchor.commit, anchor.blob)
    return row._replace(head=git.tip, file=file, blob=blob)


def _is_same(row: Row) -> bool:
    return bool(row.anchor.blob) and row.blob.startswith(row.anchor.blob)


def _judged(row: Row, text: str | None) -> Status:
    """`text`: what the file holds, where that was looked at."""
    anchor = row.anchor
    if not row.file:
        return "gone"
    if not anchor.blob or _is_same(row):
        return "fresh"
    if text is None or not anchor.lines:
        return "changed"
    if anchor.words:
        found = with_words(text, anchor.words)
        return "fresh" if sketch(found) == anchor.lines else "changed" if found else "gone"
    defined = definitions(text, row.file, anchor.symbol)
    if defined is None:  # no grammar here, or a file that does not parse
        defined = [with_words(text, anchor.symbol.rpartition(".")[2])]
        known = holds(text, anchor.lines)
    else:
        known = any(sketch(lines) == anchor.lines for lines in defined)
    return "fresh" if known else "changed" if any(defined) else "gone"


def _at_hand(row: Row, git: ProjectGit) -> Status:
    """What the work tree's own file says."""
    path = row.file or row.anchor.path
    data = git.at_hand(path)
    if data is None:
        return "gone"
    return _judged(row._replace(file=path, blob=blob_id(data, git.tip)), text_of(data))
