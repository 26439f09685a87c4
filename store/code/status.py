"""Whether the code that memories are bound to is still as it was: `code.sqlite3` (derived, invariant 12).

Each anchor has a row: the commit it was last compared with, where its file stood, and the outcome. While
HEAD is that commit, the row answers. When HEAD moved, git names the files that differ, and only anchors in
these are compared again.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from siltstone.store.code.lines import definitions, holds, sketch, with_words
from siltstone.store.code.project_git import ProjectGit, text_of
from siltstone.store.derived_database import DerivedDatabase, DerivedWriter, transaction
from siltstone.store.entry import Anchor, Snapshot
from siltstone.store.errors import GitError, Locked
from siltstone.store.history_index import blob_id
from siltstone.store.names import in_force, scope_of_path
from siltstone.store.state import HOOK_WAIT

FILE = "code.sqlite3"
Status = Literal["fresh", "unknown", "elsewhere", "changed", "gone"]
STATUSES: tuple[Status, ...] = get_args(Status)
"""The best first. A memory has the worst of its anchors."""
DOUBTED = 0.8
"""The worth of a memory that is not fresh, as a share of what it would be: it stands behind others."""
MARKS: Mapping[str, str] = {
    "": "",
    "fresh": "",
    "unknown": " [its code was not checked]",
    "elsewhere": " [said on another branch: verify]",
    "changed": " [the code has changed: verify]",
    "gone": " [the code is gone: verify]",
}
"""What stands behind a memory wherever it is shown."""

_TABLES = """
create table memory(path text primary key, hash text not null) without rowid;
create table anchor(
    memory text not null, n integer not null, anchor text not null,
    head text not null, file text not null, blob text not null, status text not null, path text not null,
    primary key(memory, n)
) without rowid;
"""
_OF_SCOPE = "memory between ? || '/' and ? || '/\uffff'"
_ASKED = """
and (path in (select value from json_each(?)) or file in (select value from json_each(?))
     or status in ('elsewhere', 'unknown'))
"""
"""Another branch may be merged by now: so long as their files do not differ, the other three stay."""
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


class CodeStatus(DerivedWriter):
    """The file in a state folder. Calls raise StateError or Locked."""

    def __init__(self, folder: Path, wait: float = HOOK_WAIT) -> None:
        super().__init__(_DATABASE, folder / FILE, wait)

    def sync(self, snapshot: Snapshot, anew: bool = False) -> None:
        """Hold a row for each anchor of the memories in force; those whose files changed are read. `anew`
        forgets what came of any comparison."""
        with self._using(), transaction(self._db):
            if anew:
                self._db.execute("delete from memory")
                self._db.execute("delete from anchor")
            known = dict(self._db.execute("select path, hash from memory").fetchall())
            wanted = {
                p: hash for p, hash in snapshot.hashes.items() if in_force(p) and p.startswith("projects/")
            }
            changed = dict(wanted.items() - known.items())
            for path in known.keys() - wanted.keys():
                self._drop(path)
            for stored in snapshot.read(sorted(changed)):
                kept = {row.anchor: row for row in self._rows("memory = ?", stored.path)}
                self._drop(stored.path)
                self._db.execute("insert into memory values (?, ?)", (stored.path, changed[stored.path]))
                for n, anchor in enumerate(stored.entry.anchors):
                    row = kept.get(anchor, Row(stored.path, n, anchor))
                    self._put(row._replace(n=n))

    def refresh(self, opened: _Opened) -> None:
        """Compare everything, as far as the HEAD of its project moved."""
        with self._using():
            bound = self._db.execute("select distinct memory from anchor").fetchall()
        for scope in sorted({scope_of_path(path) for (path,) in bound}):
            if (git := opened(scope)) is not None:
                self._compare(scope, git)

    def of(self, paths: Iterable[str], opened: _Opened) -> dict[str, list[Row]]:
        """The anchors of those memories that have some, compared with what is checked out now.

        What cannot be compared is "unknown", and has in `head` the commit it was compared with last.
        """
        by_scope: dict[str, list[str]] = defaultdict(list)
        for path in paths:
            by_scope[scope_of_path(path)].append(path)
        found: dict[str, list[Row]] = {}
        for scope, some in by_scope.items():
            git = opened(scope) if scope.startswith("projects/") else None
            done = git is not None and self._compare(scope, git)
            for path in some:
                with self._using():
                    rows = self._rows("memory = ?", path)
                if rows:
                    valid = done or (git is not None and all(row.head == git.tip for row in rows))
                    found[path] = rows if valid else [row._replace(status="unknown") for row in rows]
        return found

    def not_fresh(self, scope: str, git: ProjectGit | None) -> dict[str, Status]:
        """The status of each memory of a project whose code is not as it was."""
        done = git is not None and self._compare(scope, git)
        found: dict[str, Status] = {}
        asked = f"select memory, status, head from anchor where {_OF_SCOPE} and (not ? or status != 'fresh')"  # noqa: S608
        with self._using():
            for path, status, head in self._db.execute(asked, (scope, scope, done)):
                now: Status = status if done or (git is not None and head == git.tip) else "unknown"
                found[path] = max(found.get(path, "fresh"), now, key=STATUSES.index)
        return {path: status for path, status in found.items() if status != "fresh"}

    def _compare(self, scope: str, git: ProjectGit) -> bool:
        """Compare the anchors of a project with HEAD, as far as that moved; whether all of them were."""
        with self._using():
            of_scope = (scope, scope)
            heads = self._db.execute(
                f"select distinct head from anchor where {_OF_SCOPE} and head != ?",  # noqa: S608
                (*of_scope, git.tip),
            ).fetchall()
        try:
            for (head,) in heads:
                differs = _differing(head, git)
                asked = f"{_OF_SCOPE} and head = ?{'' if differs is None else _ASKED}"
                with self._using():
                    rows = self._rows(asked, *of_scope, head, *([] if differs is None else [differs] * 2))
                new = compare(rows, git)
                # Who cannot write the outcome down compares again.
                with self._using(), transaction(self._db):
                    move = f"update anchor set head = ? where {_OF_SCOPE} and head = ?"  # noqa: S608
                    self._db.execute(move, (git.tip, *of_scope, head))
                    for row in new:
                        self._put(row)
        except (GitError, Locked):
            return False
        return True

    def _rows(self, where: str, *values: str) -> list[Row]:
        rows = self._db.execute(f"select * from anchor where {where}", values)  # noqa: S608
        return [Row(path, n, Anchor(*json.loads(anchor)), *rest) for path, n, anchor, *rest, _ in rows]

    def _put(self, row: Row) -> None:
        values = (row.memory, row.n, json.dumps(row.anchor), *row[3:], row.anchor.path)
        self._db.execute("insert or replace into anchor values (?, ?, ?, ?, ?, ?, ?, ?)", values)

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
    if not rows:
        return []
    files = git.files(git.tip, {path for row in rows for path in (row.file, row.anchor.path) if path})
    placed = [_placed(row, files, git) for row in rows]
    texts = git.texts(row.blob for row in placed if row.anchor.lines and not _is_same(row))
    judged = [row._replace(status=_judged(row, texts.get(row.blob))) for row in placed]
    apart = git.not_merged({row.anchor.commit for row in judged if row.status != "fresh"} - {""})
    return [
        row if row.status == "fresh" else _looked_into(row, git, row.anchor.commit in apart) for row in judged
    ]


def _differing(head: str, git: ProjectGit) -> str | None:
    """Paths that differ between a commit and HEAD, as JSON; None when nothing tells."""
    try:
        return json.dumps(sorted(git.changed(head, git.tip))) if head else None
    except GitError:  # the commit is gone, after a rebase
        return None


def _looked_into(row: Row, git: ProjectGit, apart: bool) -> Row:
    """A row that is not fresh by the files it knows: the work tree may be, another branch, or the file's new
    place."""
    if _at_hand(row, git) == "fresh":
        return row._replace(status="fresh", head="")
    if apart:
        return row._replace(status="elsewhere")
    if row.file or not row.anchor.blob:
        return row
    try:
        file, blob = git.moved(row.anchor.path, row.anchor.commit, row.anchor.blob)
        row = row._replace(file=file, blob=blob)
        return row._replace(status=_judged(row, git.texts([blob]).get(blob) if blob else None))
    except GitError:  # history ends before that commit, or there was no time
        return row._replace(status="unknown", head="")


def _placed(row: Row, files: Mapping[str, str], git: ProjectGit) -> Row:
    """The row with the file as it stands at HEAD."""
    anchor = row.anchor
    file = next((path for path in (row.file, anchor.path) if path in files), "")
    if not anchor.blob:
        file = anchor.path if any(path.startswith(f"{anchor.path}/") for path in files) else ""
    return row._replace(head=git.tip, file=file, blob=files.get(file, ""))


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
