"""What the git folder around a path says, read without running git (a batch asks for every session)."""

import os
import re
from collections.abc import Collection
from typing import NamedTuple

from siltstone.store import plain_file

MAX_READ = 1_000_000
"""Bytes of a git config, or of `packed-refs`, that are read."""
_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_SECTION = re.compile(r'\s*\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*+)")?\s*\]')
_PIECE = re.compile(r'"((?:[^"\\]|\\.)*+)"?|((?:[^"\\#;]|\\.)++)|[#;].*')
"""Of a value: quoted text, bare text, or a comment."""


class Repository(NamedTuple):
    """A work tree and the git folder it shares with its other work trees. Paths are absolute."""

    top: str
    common: str
    name: str
    """Base name of the main work tree, also when seen from another one."""
    remote: str | None
    """URL of `origin`, else of the first remote: a second one may be anybody's."""


def find_repository(folder: str, ceilings: Collection[str]) -> Repository | None:
    """The repository around an existing folder; None when there is none below `ceilings`.

    `ceilings` (the home folder, "/") are never the top of a project, even when they are under git.
    """
    at = folder
    while at not in ceilings:
        common = _common(os.path.join(at, ".git"))
        if common is not None:
            urls = remotes(_text(os.path.join(common, "config")))
            remote = urls.get("origin", next(iter(urls.values()), None))
            main, base = os.path.split(common)
            if base == ".git":
                name = os.path.basename(main)
            else:  # in another's git folder, as that of a submodule is, or bare
                inside = f"{os.sep}.git{os.sep}" in common
                name = os.path.basename(at) if inside else base.removesuffix(".git")
            return Repository(at, common, name, remote)
        above = os.path.dirname(at)
        if above == at:
            return None
        at = above
    return None


def remotes(config: str) -> dict[str, str]:
    """First URL of each remote in a git config, in its order, by git's own grammar."""
    found: dict[str, str] = {}
    remote = None
    for line in re.sub(r"\\\r?\n", "", config).splitlines():
        if head := _SECTION.match(line):
            is_remote = head[1].lower() == "remote" and head[2] is not None
            remote = re.sub(r"\\(.)", r"\1", head[2]) if is_remote else None
            line = line[head.end() :]
        key, _, written = line.partition("=")
        if remote is not None and key.strip().lower() == "url":
            # Without quotes, escapes and the comment behind it.
            bare = "".join(quoted or plain for quoted, plain in _PIECE.findall(written.strip()))
            if url := re.sub(r"\\(.)", r"\1", bare).rstrip():
                found.setdefault(remote, url)
    return found


def _common(dot_git: str) -> str | None:
    """The common git folder that a `.git` folder or file leads to."""
    real = _own(dot_git)
    if not real:
        return None
    if real != dot_git:
        shared = _text(os.path.join(real, "commondir")).strip()
        real = os.path.normpath(os.path.join(real, shared))
    return os.path.realpath(real) if os.path.isfile(os.path.join(real, "HEAD")) else None


def _own(dot_git: str) -> str:
    """The git folder of one work tree: `.git` itself, or where that file points; "" where it is no git's."""
    if os.path.isdir(dot_git):
        return dot_git
    pointer = _text(dot_git)
    if not pointer.startswith("gitdir:"):
        return ""
    target = pointer.removeprefix("gitdir:").strip()
    return os.path.normpath(os.path.join(os.path.dirname(dot_git), target))


def _text(path: str) -> str:
    """A plain file's text; "" for one that is missing or cannot be read."""
    return plain_file.head(path, MAX_READ).decode("utf-8", "replace")


class Checkout(NamedTuple):
    """What is checked out in a work tree. Paths are absolute."""

    top: str
    git: str
    """Its own git folder, with its HEAD and that one's log."""
    common: str
    commit: str
    """Whole id of HEAD's commit."""
    branch: str
    """ "" when none is checked out."""


def checkout(folder: str, ceilings: Collection[str]) -> Checkout | None:
    """What is checked out around an existing folder; None without a repository, or where its files do not
    say (before the first commit, or in a format of refs that only git reads)."""
    found = find_repository(folder, ceilings)
    if found is None:
        return None
    git = _own(os.path.join(found.top, ".git"))
    commit, ref = _head(git, found.common)
    if not commit:
        return None
    return Checkout(found.top, git, found.common, commit, ref.removeprefix("refs/heads/"))


def head(root: str) -> str:
    """The commit that a store's HEAD names; "" where its files do not say."""
    return commit_of(os.path.join(root, ".git"))


def commit_of(git: str) -> str:
    """The same of a git folder; "" where only git knows."""
    return _head(git, git)[0]


def _head(git: str, common: str) -> tuple[str, str]:
    """The commit that HEAD names, "" when that is no whole id, and the ref that leads to it, "" for none."""
    said = _text(os.path.join(git, "HEAD")).strip()
    ref = said.removeprefix("ref: ") if said.startswith("ref: ") else ""
    commit = _commit_of_ref(common, ref) if ref else said
    return (commit if _ID.fullmatch(commit) else ""), ref


def _commit_of_ref(git: str, ref: str) -> str:
    if loose := _text(os.path.join(git, ref)).strip():
        return loose
    packed = (line.partition(" ") for line in _text(os.path.join(git, "packed-refs")).split("\n"))
    return next((commit for commit, _, name in packed if name == ref), "")
