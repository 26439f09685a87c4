"""What makes a project the same project: its remotes, its git folder, its paths (docs/store-format.md).

A remote is kept without user, password and transport, so that the ssh and the https form of one
repository are one identity and no token is ever written down.
"""

import hashlib
import os
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import takewhile
from pathlib import PurePath
from typing import Literal, NamedTuple
from urllib.parse import unquote, urlsplit

from siltstone.store.repository import find_repository

Kind = Literal["remote", "git", "path"]

KINDS: tuple[Kind, ...] = ("remote", "git", "path")
"""Strongest first: a remote says more than a folder, which may hold another repository tomorrow."""

MAX_LENGTH = 1_000
_BEGINNING = 200
"""Characters that are kept of a folder's address beyond that, beside its digest."""
_DEFAULT_PORTS = {"http": 80, "https": 443, "git": 9418}
_ALIASES = {
    "ssh.github.com": "github.com",
    "altssh.gitlab.com": "gitlab.com",
    "altssh.bitbucket.org": "bitbucket.org",
}
"""Hosts that big forges offer for ssh through port 443."""
_SCP = re.compile(r"(?s)(?:[^/:]*@)?(\[[0-9A-Fa-f:.]+\]|[^/:@]{2,}):(?!/{2})(.+)")
"""Host and path of `user@host:path`."""
_HELPER = re.compile(r"[A-Za-z][A-Za-z0-9+-]*::")
MAX_FOLDER = 4_096
"""Characters of a session's folder: no system has longer paths, but a transcript may hold anything."""
_WORK_TREE = re.compile(r"(?s)(/.+?)/\.(?:worktrees|[\w-]+/worktrees)/.")
"""Of a work tree inside its repository (`.worktrees/42`, `.claude/worktrees/42`) the repository's folder."""
_UNPRINTABLE = "[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]"


class Identity(NamedTuple):
    """One mark of a project: `remote` "github.com/acme/larkspur", or an absolute folder (`git`: the
    common git folder, shared by all work trees; `path`: the top of a work tree, or a plain folder)."""

    kind: Kind
    value: str


def strongest_first(identities: Iterable[Identity]) -> tuple[Identity, ...]:
    """Each once, by kind."""
    return tuple(sorted(dict.fromkeys(identities), key=lambda one: KINDS.index(one.kind)))


def is_writable(value: str) -> bool:
    """Whether a value is short and printable enough to stand in project.yaml."""
    return 0 < len(value) <= MAX_LENGTH and not re.search(_UNPRINTABLE, value)


class Located(NamedTuple):
    """What a folder and the remotes of a session say about its project."""

    owner: str | None
    """Whom one of the marks belongs to."""
    marks: Sequence[Identity] = ()
    """Strongest first; none for what is global, and for a folder that is gone."""
    name: str = ""
    """What the folder or its repository is called."""


def locate(
    cwd: str,
    owner: Callable[[Identity], str | None],
    ceilings: Collection[str],
    remotes: Sequence[str] = (),
) -> Located:
    """Find the project of a session that ran in `cwd`; `owner` tells who has an identity.

    Looks at the folder's repository without running git. When the folder is gone, a work tree that was kept
    inside its repository goes by that; else the `remotes` that the transcript recorded decide, else the
    longest known path above it. No project lies in `ceilings` (the home folder, "/") themselves.
    """
    folder = _real(cwd)
    if folder in ceilings:
        return Located(None)
    told = [one for url in remotes if (one := of_remote(url)) is not None]
    there = folder is not None and os.path.isdir(folder)
    work_tree = None if there else _WORK_TREE.match(folder or "")
    if work_tree is not None and work_tree[1] not in ceilings:
        folder = work_tree[1]
        there = os.path.isdir(folder)
    if folder is not None and not there and not told:
        above = [folder, *map(str, PurePath(folder).parents)]
        known = takewhile(lambda at: at not in ceilings, above)
        if found := next(filter(None, (owner(of_folder("path", at)) for at in known)), None):
            return Located(found)
    marks, name = _marks(folder if there or not told else None, told, ceilings)
    return Located(next(filter(None, map(owner, marks)), None), marks, name)


def _marks(
    folder: str | None, told: list[Identity], ceilings: Collection[str]
) -> tuple[Sequence[Identity], str]:
    """Identities of a session, strongest first, and the name its folder gives the project."""
    name = os.path.basename(told[0].value) if told else ""
    live: list[Identity] = []
    if folder is not None:
        repository = find_repository(folder, ceilings) if os.path.isdir(folder) else None
        remote = None
        if repository is None:
            live = [of_folder("path", folder)]
        else:
            live = [of_folder("git", repository.common), of_folder("path", repository.top)]
            remote = of_remote(repository.remote or "", repository.top)
        if told and remote is not None and remote.kind == "remote" and remote not in told:
            live = []  # another repository stands there by now
        else:
            live = live if remote is None else [remote, *live]
            name = repository.name if repository is not None else os.path.basename(folder)
    return strongest_first([*told, *live]), name


def _real(cwd: str) -> str | None:
    """The folder without symbolic links; None for what is no absolute path."""
    if len(cwd) > MAX_FOLDER or "\0" in cwd:
        return None
    try:
        return os.path.realpath(cwd) if os.path.isabs(cwd) else None
    except (OSError, ValueError):
        return None


def of_folder(kind: Kind, path: str) -> Identity:
    """The mark (`git` or `path`) that an absolute folder is, whatever its name holds: what could not stand in
    project.yaml is written as a `file://` address, which no path begins like, and is still its own."""
    if is_writable(path):
        return Identity(kind, path)

    def escaped(found: "re.Match[str]") -> str:
        return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "surrogatepass"))

    value = "file://" + re.sub(f"%|{_UNPRINTABLE}", escaped, path)
    if len(value) > MAX_LENGTH:
        value = f"{value[:_BEGINNING]}…{hashlib.sha256(value.encode()).hexdigest()}"
    return Identity(kind, value)


def of_remote(url: str, base: str | None = None) -> Identity | None:
    """The identity of a remote URL as git writes them; None for one that says nothing.

    A remote that is a local folder is the `path` of the repository there; a relative one needs the
    work tree `base`.
    """
    url = url.strip()
    url = _HELPER.sub("", url, count=1)
    if not is_writable(url):
        return None
    if "://" in url:
        return _of_url(url)
    if scp := _SCP.fullmatch(url):
        return _hosted(scp[1], scp[2])
    return _of_folder(os.path.join(base, url) if base is not None else url)


def _of_url(url: str) -> Identity | None:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    scheme = parts.scheme.lower()
    if scheme == "file":
        return _of_folder(unquote(parts.path))
    if host is None:
        return None
    # An ssh port says where the daemon listens, not which repository it is.
    if port is not None and scheme in _DEFAULT_PORTS and port != _DEFAULT_PORTS[scheme]:
        host = f"{host}:{port}"
    return _hosted(host, unquote(parts.path))


def _hosted(host: str, path: str) -> Identity | None:
    """Case is dropped: the forges people use ignore it, and a clone may be typed either way."""
    host, path = host.strip("[]").lower(), path.strip("/").lower()
    path = path.removesuffix(".git").rstrip("/")
    value = f"{_ALIASES.get(host, host)}/{path}"
    return Identity("remote", value) if path and is_writable(value) else None


def _of_folder(path: str) -> Identity | None:
    if not os.path.isabs(path):
        return None
    path = os.path.normpath(path).removesuffix("/.git")
    return Identity("path", path) if path not in ("", "/", "//") and is_writable(path) else None
