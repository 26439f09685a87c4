"""Where a store stands, read from its files without git: hot commands look at every prompt."""

import os

_MOST = 2**20
"""Characters of `packed-refs` that are looked through."""


_ID_LENGTHS = (40, 64)
_HEX = frozenset("0123456789abcdef")


def head(root: str) -> str:
    """The commit that a store's HEAD names; "" where its files do not tell so plainly."""
    return _named(os.path.join(root, ".git"))


def commit_of(git: str) -> str | None:
    """The same of a git folder, when it is a whole id; None where only git can tell."""
    said = _named(git)
    return said if len(said) in _ID_LENGTHS and not set(said) - _HEX else None


def _named(git: str) -> str:
    said = _read(os.path.join(git, "HEAD")).strip()
    if not said.startswith("ref: "):
        return said
    ref = said.removeprefix("ref: ")
    return _read(os.path.join(git, ref)).strip() or _packed(os.path.join(git, "packed-refs"), ref)


def _packed(path: str, ref: str) -> str:
    lines = (line.partition(" ") for line in _read(path).split("\n"))
    return next((commit for commit, _, name in lines if name == ref), "")


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_MOST)
    except (OSError, ValueError):
        return ""
