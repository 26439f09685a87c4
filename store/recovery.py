"""Making the work tree certain before a pass: our unfinished writes go, the user's edits are committed.

Invariants 3 and 9. Called under the store's lock only.
"""

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from siltstone.store import commits, intent, layout
from siltstone.store.disk import is_temp
from siltstone.store.entry_form import one_line
from siltstone.store.entry_reader import a_link, read_file, secret_in
from siltstone.store.errors import Deferred, EntryError
from siltstone.store.git import Git
from siltstone.store.names import place
from siltstone.store.plain_file import content

INTENT = "silt-intent"
NAMED = 3
"""Files that the subject of a commit of the user's edits names."""

_UNMERGED = {"DD", "AU", "UD", "UA", "DU", "AA", "UU"}


class Settled(NamedTuple):
    """What was found in the work tree, and what became of it."""

    edited: tuple[str, ...] = ()
    """Paths the user had changed: committed as theirs."""
    commit: str | None = None
    """The commit of `edited`."""
    refused: tuple[str, ...] = ()
    """One sentence for each changed file that was left uncommitted."""


def settle(git: Git, complaints: dict[str, str], when: datetime) -> Settled:
    """Recover by the intent file, sweep temporary files, commit the user's edits as the user's.

    What stays uncommitted is put into `complaints`, a sentence by its path. Raises Deferred while a merge or
    the like is open: nothing has been touched then.
    """
    git.check_calm()
    if not (git.dir / "index").exists() and git.head():  # without one every file would look edited
        git.run("read-tree", "HEAD", writes=True)
    dirty = git.dirty()
    if unmerged := sorted(path for path, letters in dirty.items() if letters in _UNMERGED):
        raise Deferred(
            f"the store {git.root} has unsettled conflicts in {unmerged[0]}: resolve and commit them"
        )
    _sweep(git, dirty)
    recovered = _recover(git, dirty)
    theirs = sorted(
        path
        for path, letters in dirty.items()
        if not (path in recovered or layout.is_derived(path))
        # What an editor keeps beside the file it has open is no memory; once it is in git it is the user's.
        and not (letters == "??" and layout.is_scratch(path))
    )
    refused = {path: why for path in theirs if (why := _why_not(git, path))}
    complaints.update(refused)
    kept = [path for path in theirs if path not in refused]
    # A file with a folder in its place goes when what is in the folder comes; not while that is refused.
    folders = {above.as_posix() for path in kept for above in PurePosixPath(path).parents}
    edited = [p for p in kept if (at := git.root / p).is_symlink() or not at.is_dir() or p in folders]
    commit = None
    if edited:
        names = ", ".join(one_line(path, 60) for path in edited[:NAMED])
        more = f" and {len(edited) - NAMED} more" if len(edited) > NAMED else ""
        message = commits.message(f"memory: update {names}{more}", "", [])
        commit = git.commit(edited, message, when, author=git.identity())
    return Settled(tuple(edited), commit, tuple(refused.values()))


def _sweep(git: Git, dirty: dict[str, str]) -> None:
    for path in [path for path in dirty if is_temp(path.rpartition("/")[2])]:
        git.disk.unlink(git.root / path)
        del dirty[path]
    for folder in (git.dir, git.dir / "info"):
        for file in folder.iterdir() if folder.is_dir() else ():
            if is_temp(file.name):
                git.disk.unlink(file)


def _recover(git: Git, dirty: Iterable[str]) -> list[str]:
    path = git.dir / INTENT
    if not path.exists():
        return []
    left = intent.read(path)
    ours = sorted(p for p in dirty if left and left.is_ours(p, found(git.root / p)))
    known = git.in_head(ours)
    made = [p for p in ours if p not in known]
    git.forget(made)
    for name in made:
        git.disk.unlink(git.root / name)
        prune(git, name)
    git.back_to_head([p for p in ours if p in known])
    git.disk.unlink(path)
    return ours


def found(path: Path) -> str:
    """Hash of a plain file, `GONE` when nothing is there, "other" for anything else."""
    try:
        if path.is_symlink() or path.is_dir():
            return "other"
        return intent.hash_of(content(path))
    except (FileNotFoundError, NotADirectoryError):
        return intent.GONE
    except OSError:
        return "other"


def prune(git: Git, path: str) -> None:
    """Remove the folders that the file `path` leaves empty, as git itself would."""
    folder = (git.root / path).parent
    while folder != git.root and git.disk.rmdir(folder):
        folder = folder.parent


def _why_not(git: Git, path: str) -> str | None:
    at = git.root / path
    if path.endswith("/"):
        return f"{path} is a repository of its own: move it out of the store"
    if any(above.is_symlink() for above in at.parents if above.is_relative_to(git.root / "")):
        return f"{path} is behind a symbolic link: put a real folder there"
    if at.is_symlink() and place(path) is not None:
        return a_link(path)
    if at.is_symlink() or at.is_dir() or not at.exists():
        # Of other links git keeps the target's name only; of a deletion, or a folder in its place, nothing.
        return None
    if not at.is_file():
        return f"{path} is not a plain file: move it out of the store"
    try:
        return secret_in(path, read_file(git.root, path))
    except EntryError as error:
        return str(error)
