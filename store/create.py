"""Making a store, and telling one from a folder that must not be touched."""

import os
import shutil
from datetime import datetime
from pathlib import Path

from siltstone.store import commits, layout, plain_file
from siltstone.store.disk import Disk, is_temp
from siltstone.store.entry import GLOBAL
from siltstone.store.errors import GitError, StoreError
from siltstone.store.git import Git
from siltstone.store.lock import WAIT, locked
from siltstone.store.repository import commit_of

INIT = "init"
"""Silt-Op of a store's first commit."""
READ_ONLY = "memories can be read, but nothing is written"
LOCK = "silt-lock"
MARK = "silt-store"
"""In `.git/`: this repository has been looked at and is a store."""
_ATTRIBUTES = b"""* -text -ident -filter !working-tree-encoding
projects/*/project.yaml merge=union
"""
"""For `.git/info/attributes`: no rule of anybody's may change a byte between file and object, and the
identities that two clones of a store add to one project, a line each, are both kept by a merge."""


def open_repository(root: Path, disk: Disk, when: datetime, wait: float = WAIT) -> tuple[Git, str | None]:
    """The repository of the store at `root`, created when the folder is empty or missing.

    With it, why git cannot be used, though memories stand there: they may be read, and nothing else (C26).

    Raises StoreError for a folder inside another repository without its own `.git`, a repository that
    is no store, and a folder that holds other files; GitError without a usable git. A creation that
    was cut short is taken up again.
    """
    try:
        git = Git(root, disk)
        # Whether this was a store before, whatever became of its git since.
        ours = (git.dir / MARK).is_file() or _is_ours(root / ".gitignore")
        holds = ours and any((root / name).is_dir() for name in (GLOBAL, layout.PROJECTS, layout.INBOX))
        if holds and (lacks := _lacks(git)):
            return git, lacks
        if not (root / ".git").exists():
            _refuse_foreign(root)
        if (git.dir / MARK).is_file():
            return git, None
        disk.mkdir(root)
        with locked(root, root, disk, wait):
            if not (git.dir / MARK).is_file():
                _create(git, when)
    except OSError as error:
        raise StoreError(
            f"the store {root} cannot be created ({error.strerror}): free some space or choose a writable "
            f"folder"
        ) from error
    return git, None


def _lacks(git: Git) -> str | None:
    if shutil.which("git", path=git.environ.get("PATH", os.defpath)) is None:
        return f"git was not found on PATH: {READ_ONLY}; install git, then run this again"
    if not ((git.dir / "HEAD").is_file() and (git.dir / "objects").is_dir()):
        return (
            f"{git.dir} is no longer a repository: {READ_ONLY}; restore it from a backup or a clone, or "
            f"start a new history with `git init` in {git.root}"
        )
    return None


def _refuse_foreign(root: Path) -> None:
    for above in root.parents:
        if (above / ".git").exists():
            raise StoreError(
                f"{root} is inside the repository {above}: choose another folder, or `git init` it first"
            )
    if root.exists() and (not root.is_dir() or _others(root)):
        what = "contains other files and is not a store" if root.is_dir() else "is not a folder"
        raise StoreError(f"{root} {what}: choose an empty folder")


def _create(git: Git, when: datetime) -> None:
    git.version()
    begun_anew = (git.dir / "HEAD").is_file() and _is_ours(git.root / ".gitignore")
    lock = git.dir / LOCK
    if lock.is_file() and lock.stat().st_size:  # of a making that was killed
        git.drop_locks()
    if not commit_of(str(git.dir)) and (begun_anew or not _others(git.root)):
        _begin(git)
    git.check_calm()
    ignore = git.root / ".gitignore"
    if git.head() is None:
        if _others(git.root) and not begun_anew:
            raise StoreError(
                f"{git.root} is a repository with other files, not a store: choose an empty folder"
            )
        if not _is_ours(ignore):
            git.disk.write(ignore, layout.IGNORE.encode())
        git.commit([".gitignore"], commits.message("memory: begin", "", [(commits.OP, INIT)]), when)
    elif not _is_ours(ignore) and all(
        commit.op != INIT for commit in commits.read(git, "--max-parents=0", "HEAD")
    ):  # nor is it a clone of a store whose .gitignore the user took away
        raise StoreError(f"{git.root} is a repository, but not a store: choose an empty folder")
    git.disk.write(git.dir / "info" / "attributes", _ATTRIBUTES)
    git.disk.write(git.dir / "info" / "exclude", layout.IGNORE.encode())
    git.disk.write(lock, b"")
    git.disk.write(git.dir / MARK, b"1\n")


def _begin(git: Git) -> None:
    """Make the repository, or what one lacks whose making was cut short. Nothing was committed to it yet."""
    git.drop_locks()
    git.disk.write(git.dir / LOCK, b"1")  # what a kill leaves from here on is ours
    head = git.dir / "HEAD"
    if head.is_file() and not head.read_bytes().startswith(b"ref:"):
        git.disk.unlink(head)
    try:
        git.init()
    except GitError:  # half a config
        git.disk.unlink(git.dir / "config")
        git.init()


def _others(root: Path) -> bool:
    names = {name for name in os.listdir(root) if not is_temp(name)} - {".git", ".gitignore"}
    return bool(names) or ((root / ".gitignore").exists() and not _is_ours(root / ".gitignore"))


def _is_ours(ignore: Path) -> bool:
    return layout.IGNORE_HEADER.encode() in plain_file.head(ignore)
