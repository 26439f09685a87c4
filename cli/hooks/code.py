"""What hooks tell of the code that memories are bound to."""

import os
from collections.abc import Mapping
from pathlib import Path

from siltstone.cli.note import note
from siltstone.store.code.project_git import ProjectGit
from siltstone.store.code.status import FILE, CodeStatus
from siltstone.store.entry import GLOBAL
from siltstone.store.errors import Locked, StateError
from siltstone.store.places import home_folder
from siltstone.store.repository import checkout

SECONDS = 0.25
"""For git, when a project's HEAD moved: what is not compared until then is shown as not checked."""


def code_of(folder: str, scope: str, cwd: str, environ: Mapping[str, str]) -> Mapping[str, str]:
    """What became of the code of a project's memories, as it is checked out around `cwd`; only of those that
    are not fresh. Git is asked only after HEAD moved."""
    if scope == GLOBAL or not os.path.isfile(os.path.join(folder, FILE)):
        return {}
    home = home_folder(environ)
    found = checkout(os.path.realpath(cwd), {os.path.realpath(home), "/"})
    git = ProjectGit(found, Path(folder), environ, SECONDS) if found else None
    try:
        with CodeStatus(Path(folder)) as status:
            return status.not_fresh(scope, git)
    except (Locked, StateError) as error:
        note(f"could not check whether code has changed: {error}")
        return {}
