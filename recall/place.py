"""Which project a folder is, in a hot command: from `.git` and what is prepared, asking no git.

The same answer as `Projects.resolve` gives when the session is read later (a test compares them), but
nothing is registered: a folder nobody knows shows what holds everywhere.
"""

import os

from siltstone.recall.view import GLOBAL
from siltstone.store.identity import of_folder, of_remote
from siltstone.store.repository import find_repository

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Owner = Callable[[str, str], str | None]
    """(kind, value) of an identity → the scope that has it."""

MAX_FOLDER = 4_096


def scope_of(cwd: str, owner: "Owner", home: str) -> str:
    """The scope of the folder an agent works in: "global" or "projects/<slug>"."""
    if len(cwd) > MAX_FOLDER or "\0" in cwd or not os.path.isabs(cwd):
        return GLOBAL
    ceilings = {os.path.realpath(home), "/"}
    folder = os.path.realpath(cwd)
    if folder in ceilings:
        return GLOBAL
    if not os.path.isdir(folder):
        return _above(folder, owner, ceilings) or GLOBAL
    found = find_repository(folder, ceilings)
    if found is None:
        return owner(*of_folder("path", folder)) or GLOBAL
    marks = [of_folder("git", found.common), of_folder("path", found.top)]
    remote = of_remote(found.remote, found.top) if found.remote is not None else None
    if remote is not None:
        # A remote that is a folder is a path, and weaker than the git folder.
        marks.insert(0 if remote.kind == "remote" else 1, remote)
    return next((scope for kind, value in marks if (scope := owner(kind, value))), GLOBAL)


def _above(folder: str, owner: "Owner", ceilings: set[str]) -> str | None:
    """The longest known path above a folder that is gone."""
    while folder not in ceilings:
        found = owner(*of_folder("path", folder))
        above = os.path.dirname(folder)
        if found is not None or above == folder:
            return found
        folder = above
    return None
