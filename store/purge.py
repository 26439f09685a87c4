"""Rewriting history as if given files had never been: the one act that cannot be undone (invariant 10).

The files go with an ordinary commit first, so that the rewrite leaves the tree of HEAD as it is: cut
short at any moment, the store is whole, with its old history or with its new one.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from siltstone.store import commits, history_index, layout
from siltstone.store.commits import Commit
from siltstone.store.entry import Change, Delete, Entry, Write
from siltstone.store.entry_reader import read_old
from siltstone.store.errors import GitError, Misuse, StoreError, cannot_write
from siltstone.store.git import LONG_TIMEOUT
from siltstone.store.intent import hash_of
from siltstone.store.names import in_inbox, names_of, place, slug
from siltstone.store.store import Store

MARK = "silt-purge"
"""In `.git/`: a purge began, of these paths. It goes last, when no database holds them either."""
SUBJECT = "memory: (purged)"
_LEFTOVERS = ("ORIG_HEAD", "FETCH_HEAD", "COMMIT_EDITMSG", "AUTO_MERGE", "logs/HEAD", history_index.FILE)


class Purged(NamedTuple):
    """What a purge did, and what it could not reach."""

    paths: tuple[str, ...]
    """Files that are gone from every commit."""
    commits: int
    """Commits that had touched them: their subject and body were dropped too, their trailers kept."""
    objects: int
    """Contents that are gone from the repository."""
    shared: tuple[str, ...]
    """Purged files whose very content stands in another file too, and so is still there."""
    remotes: tuple[str, ...]
    """Remotes that still hold everything: `git push --force` each, and clone other copies anew."""


def versions(store: Store, paths: Sequence[str]) -> list[Entry]:
    """Every entry that ever stood in files that `purge` would take, as far as it parses."""
    found = {
        (blob, t.path)
        for commit in commits.read(store.git, "--all")
        for t in commit.touched
        for blob in (t.old, t.new)
        if blob and _is_in(t.path, paths)
    }
    contents = store.git.blobs([blob for blob, _ in found])
    told = (read_old(path, contents.get(blob, b"")) for blob, path in found)
    return [entry for entry in told if entry is not None]


def purge(store: Store, paths: Sequence[str]) -> Purged:
    """Take files out of the work tree and of all history: every ref, reflog and loose object.

    A path that ends with "/" is a folder. Follows no renames: name every place the memory was in
    (`history` lists them). Sections of `_CONFLICTS.md` that name a purged file go too, in every version.
    Takes the store's lock. Raises Misuse when nothing matches, StoreError while there are stashes (a
    rewrite would lose all but the last), Deferred and Locked as `settle`. After any error, or when it is
    killed, `finish` does the rest. The caller then renews what is derived from the files, and calls `end`.
    """
    with store.locked():
        store.settle()
        return _purge(store, paths)


def finish(store: Store) -> bool:
    """Finish the rewrite of a purge that was killed; returns whether a purge has still to `end`."""
    if not (store.git.dir / MARK).exists():
        return False
    with store.locked():
        store.settle()
        if (begun := _begun(store)) is not None and not begun.rewritten:
            _purge(store, ())
    return True


def end(store: Store) -> None:
    """Close a purge: nothing holds the purged files any more."""
    store.disk.unlink(store.git.dir / MARK)


class _Begun(NamedTuple):
    """What MARK holds, as JSON."""

    paths: Sequence[str]
    rewritten: bool = False
    """No commit and no object holds them; databases beside the store may."""


def _begun(store: Store) -> _Begun | None:
    try:
        return _Begun(*json.loads((store.git.dir / MARK).read_bytes()))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError):
        return _Begun(())


def gone(store: Store, name: str) -> list[str]:
    """Paths of memories called `name` that are in the store's history, or in a purge that did not end, and
    stand no more; of the inbox only where no memory was called so."""
    out = store.git.run("log", "--all", "-z", "--format=", "--name-only", timeout=LONG_TIMEOUT)
    begun = _begun(store)
    were = {*out.decode("utf-8", "surrogateescape").split("\0"), *(begun.paths if begun else ())}
    called = {name, slug(name)} if name else set()
    lost = sorted(path for path in were if place(path) and not (store.root / path).exists())
    found = [path for path in lost if not called.isdisjoint(names_of(path))]
    return [path for path in found if not in_inbox(path)] or found


def _purge(store: Store, paths: Sequence[str]) -> Purged:
    git, begun = store.git, _begun(store)
    if git.run("for-each-ref", "refs/stash").strip():
        raise StoreError(f"{store.root} has stashed changes: apply or drop them (git stash), then purge")
    paths = [*paths, *(begun.paths if begun else ())]
    touched = list(commits.read(git, "--all"))
    doomed = {t.path for c in touched for t in c.touched if _is_in(t.path, paths)}
    if not doomed and begun is None:
        raise Misuse(f"no commit holds {', '.join(paths)[:200]}: `silt history NAME` shows where it was")
    blobs = {b for c in touched for t in c.touched if t.path in doomed for b in (t.old, t.new) if b}
    named = sorted({*doomed, *(begun.paths if begun else ())})
    hit = 0
    try:
        store.disk.write(git.dir / MARK, json.dumps(_Begun(named)).encode())
        if doomed:
            _remove(store, doomed)
            hit = _rewrite(store, doomed, touched)
        _drop_traces(store)
        store.disk.write(git.dir / MARK, json.dumps(_Begun(named, rewritten=True)).encode())
    except OSError as error:
        raise cannot_write(store.root, error) from error
    left = set(git.blobs(sorted(blobs)))
    shared = {t.path for c in touched for t in c.touched if t.path in doomed and {t.old, t.new} & left}
    remotes = tuple(git.run("remote").decode("utf-8", "replace").split())
    return Purged(tuple(named), hit, len(blobs - left), tuple(sorted(shared)), remotes)


def _is_in(path: str, paths: Sequence[str]) -> bool:
    return any(path == wanted or (wanted.endswith("/") and path.startswith(wanted)) for wanted in paths)


def _remove(store: Store, doomed: set[str]) -> None:
    changes: list[Change] = []
    for path in sorted(doomed):
        at = layout.inside(store.root, path)
        if at.is_file():
            changes.append(Delete(path, hash_of(at.read_bytes())))
    conflicts = store.conflicts_file()
    if conflicts is not None and (kept := _without(conflicts.text, doomed)) != conflicts.text:
        digest = conflicts.hash
        has_sections = "\n## " in f"\n{kept}"
        changes.append(
            Write(layout.CONFLICTS, kept, digest) if has_sections else Delete(layout.CONFLICTS, digest)
        )
    store.apply(changes, "memory: purge", [(commits.OP, "purge")])


def _without(text: str, doomed: set[str]) -> str:
    """`_CONFLICTS.md` without the sections that name a purged file."""
    names = {path.rpartition("/")[2] for path in doomed}
    sections = re.split(r"(?m)^(?=## )", text)
    return "".join(
        section
        for section in sections
        if not (section.startswith("## ") and any(name in section for name in names))
    )


def _rewrite(store: Store, doomed: set[str], touched: Sequence[Commit]) -> int:
    git = store.git
    remote_refs = git.run("for-each-ref", "--format=delete %(refname)", "refs/remotes")
    git.run("update-ref", "--stdin", stdin=remote_refs, writes=True)
    stream = git.run(
        *("fast-export", "--all", "--no-data", "--signed-tags=strip", "--tag-of-filtered-object=rewrite"),
        *("--reencode=no", "--show-original-ids", "--use-done-feature"),
        timeout=LONG_TIMEOUT,
    )
    hit = {commit.id for commit in touched if any(t.path in doomed for t in commit.touched)}
    cut = _cut_conflicts(store, doomed, touched)
    git.run(
        *("fast-import", "--force", "--quiet", "--done"),
        stdin=_filtered(stream, doomed, hit, cut),
        timeout=LONG_TIMEOUT,
        writes=True,
    )
    return len(hit)


def _cut_conflicts(store: Store, doomed: set[str], touched: Sequence[Commit]) -> dict[str, str]:
    """Object id of each version of `_CONFLICTS.md` → the id of the same without purged sections."""
    ids = {t.new for c in touched for t in c.touched if t.path == layout.CONFLICTS and t.new}
    cut = {}
    for old, data in store.git.blobs(sorted(ids)).items():
        text = data.decode("utf-8", "surrogateescape")
        kept = _without(text, doomed)
        if kept != text:
            made = store.git.run(
                *("hash-object", "-w", "--stdin"), stdin=kept.encode("utf-8", "surrogateescape"), writes=True
            )
            cut[old] = made.decode().strip()
    return cut


def _filtered(stream: bytes, doomed: set[str], hit: set[str], cut: Mapping[str, str]) -> bytes:
    """A fast-export stream without the purged files; the messages of commits that had them are dropped."""
    out = bytearray()
    at = 0
    original = ""
    while at < len(stream):
        end = stream.find(b"\n", at)
        end = len(stream) if end < 0 else end
        line = stream[at:end]
        at = end + 1
        if line.startswith(b"original-oid "):
            original = line.split()[1].decode()
        elif line.startswith(b"data "):
            size = int(line[5:])
            data = stream[at : at + size]
            at += size
            if original in hit:  # nothing stays but the trailers: the subject may quote the memory
                trailers = commits.trailers_of(data.decode("utf-8", "replace"))
                data = commits.message(SUBJECT, "", trailers).encode()
            out += b"data %d\n" % len(data) + data
        elif line.startswith(b"M "):
            _, mode, id, path = line.split(b" ", 3)
            if _unquoted(path) == layout.CONFLICTS:
                id = cut.get(id.decode(), id.decode()).encode()
            if _unquoted(path) not in doomed:
                out += b" ".join([b"M", mode, id, path]) + b"\n"
        elif not (line.startswith(b"D ") and _unquoted(line[2:]) in doomed):
            out += line + b"\n"
    return bytes(out)


def _unquoted(path: bytes) -> str:
    """A path as git writes it: as it is, or in double quotes with C escapes."""
    if not (path.startswith(b'"') and path.endswith(b'"')):
        return path.decode("utf-8", "surrogateescape")

    # Escapes are those of Python; what is not escaped stands there as UTF-8.
    return path[1:-1].decode("unicode_escape").encode("latin-1").decode("utf-8", "surrogateescape")


def _drop_traces(store: Store) -> None:
    """Reflogs, old heads and every object that nothing names any more."""
    git = store.git
    git.run("reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all", writes=True)
    for name in _LEFTOVERS:
        store.disk.unlink(git.dir / name)
    # By force: whoever left a gc.pid is dead, for we hold the lock.
    git.run("gc", "-q", "--force", "--prune=now", timeout=LONG_TIMEOUT, writes=True)
    if broken := git.run("fsck", "--no-dangling", "--no-progress", timeout=LONG_TIMEOUT).strip():
        raise GitError(
            f"git fsck complains after the purge of {store.root}: {broken[:200].decode('utf-8', 'replace')}"
        )
