"""Files that are installed for a project hold paths of one machine, so they are kept out of its git.

Files that we made are listed in a marked block of git's own `info/exclude`, which no commit holds. Work trees
of a repository share that file, and each has a block of its own. Files that were there before are reported
instead.
"""

import os
import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from siltstone.agents import install
from siltstone.agents.door import Block
from siltstone.agents.install import Change, Records
from siltstone.store.disk import Disk
from siltstone.store.errors import SettingsError

GIT = "git"
"""The record of that file has this name in place of an agent's."""
_OF_ANOTHER = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_NAMESPACE")
"""Variables that point git to another repository: we may be called from one of its hooks."""
_SPECIAL = re.compile(r"([\\*?\[])")
_TIMEOUT = 20.0


def repository(project: Path, environ: Mapping[str, str], disk: Disk) -> tuple[Path, Path] | None:
    """The top of the work tree that a folder is in, and the file, which may not exist, where git reads what
    is ignored on this machine alone; None without a repository, or without git."""
    top = _git(project, environ, disk, "rev-parse", "--show-toplevel")
    exclude = _git(project, environ, disk, "rev-parse", "--git-path", "info/exclude")
    return (Path(os.fsdecode(top)), project / os.fsdecode(exclude)) if top and exclude else None


def exclude(
    project: Path, changes: Sequence[Change], records: Records, environ: Mapping[str, str], disk: Disk
) -> tuple[list[Change], list[Path]]:
    """What to change in `info/exclude` once these changes are made, and which files git will show: they were
    there before, or are committed. Raises SettingsError, OSError."""
    found = repository(project, environ, disk)
    if found is None:
        known = [Path(one.path) for one in records.all() if (one.agent, one.project) == (GIT, str(project))]
        return install.uninstall(GIT, project, [Block(path, project) for path in known], records), []
    top, file = found
    ours = {path: made for path, made in _ours(project, changes, records) if path.is_relative_to(project)}
    names = [str(path.relative_to(top)) for path in ours if path.is_relative_to(top)]
    words = ("--literal-pathspecs", "ls-files", "-z", "--", *names)
    listed = _git(top, environ, disk, *words) if names else b""  # without a name it lists all
    tracked = {top / os.fsdecode(one) for one in listed.split(b"\0") if one}
    alone = {path for path, made in ours.items() if made} - tracked
    inside = (str(path.relative_to(top)) for path in sorted(alone) if path.is_relative_to(top))
    # No line can mean a name with a line break or one that is not in UTF-8.
    patterns = ["/" + _SPECIAL.sub(r"\\\1", name) for name in inside if name.isprintable()]
    decide = install.install if patterns else install.uninstall
    made = decide(GIT, project, [Block(file, project, patterns)], records)
    return made, sorted(ours.keys() - alone)


def _ours(project: Path, changes: Sequence[Change], records: Records) -> Iterable[tuple[Path, bool]]:
    """The files in which something is ours once the changes are made, and whether we made them."""
    of_project = [one for one in records.all() if one.project == str(project) and one.agent != GIT]
    made = {Path(one.path): not one.there for one in of_project}
    for change in (change for change in changes if not change.edited):
        made.pop(change.path, None)
        if change.then is not None and change.then != change.without:
            made[change.path] = change.without is None
    return made.items()


def _git(folder: Path, environ: Mapping[str, str], disk: Disk, *words: str) -> bytes:
    """Its output; nothing where it refuses or is missing. Raises SettingsError where it hangs."""
    env = {name: value for name, value in environ.items() if name not in _OF_ANOTHER}
    try:
        ran = disk.run(
            ["git", "-C", str(folder), "-c", "core.fsmonitor=false", *words], env, timeout=_TIMEOUT
        )
    except FileNotFoundError:
        return b""
    except subprocess.TimeoutExpired:
        what = "see what holds it up, and run the same command again"
        raise SettingsError(f"git does not respond in {folder}; {what}.") from None
    return b"" if ran.code else ran.out.removesuffix(b"\n")
