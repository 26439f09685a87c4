"""What is installed for a project holds paths of one machine: it is kept out of the project's git.

Files that we made are named in one marked part of git's own `info/exclude`, which no commit holds; a part for
each work tree, as the work trees of a repository share that file. Files that somebody had before are told of
instead.
"""

import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from siltstone.agents import installing
from siltstone.agents.installed import Records
from siltstone.agents.installing import Change
from siltstone.agents.pieces import Shared
from siltstone.agents.settings_edit.tree import Unreadable, line_at
from siltstone.store.disk import Disk
from siltstone.store.errors import SettingsError

GIT = "git"
"""Whose the record of that file is, as others are an agent's."""
_OF_ANOTHER = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_NAMESPACE")
"""Variables that would have git speak of another repository: we may be called from one of its hooks."""
_SPECIAL = re.compile(r"([\\*?\[])")
_TIMEOUT = 20.0


@dataclass(frozen=True, slots=True)
class Repository:
    """A work tree, as git tells of it."""

    top: Path
    exclude: Path
    """Where what is ignored on this machine alone is written; it may not be there."""


def repository(project: Path, environ: Mapping[str, str], disk: Disk) -> Repository | None:
    """The repository that a folder is in; None for none, or no git."""
    top = _asked(project, environ, disk, "rev-parse", "--show-toplevel")
    exclude = _asked(project, environ, disk, "rev-parse", "--git-path", "info/exclude")
    if not top or not exclude:
        return None
    return Repository(Path(_name(top)), project / _name(exclude))


def keep_out(
    project: Path, changes: Sequence[Change], records: Records, environ: Mapping[str, str], disk: Disk
) -> tuple[list[Change], list[Path]]:
    """What to change in `info/exclude` once these changes are made, and which files git will show: they were
    there before, or are committed. Raises SettingsError, OSError."""
    found = repository(project, environ, disk)
    whole, edited = _of_us(project, changes, records)
    if found is None:
        known = [Path(one.path) for one in records.all() if (one.agent, one.project) == (GIT, str(project))]
        pieces = [part(path, project, []) for path in known]
        return installing.uninstall(GIT, project, pieces, records), []
    tracked = _tracked(found, {*whole, *edited}, environ, disk)
    inside = (path for path in sorted(whole - tracked) if path.is_relative_to(found.top))
    patterns = list(filter(None, (_pattern(path.relative_to(found.top)) for path in inside)))
    piece = part(found.exclude, project, patterns)
    decide = installing.install if patterns else installing.uninstall
    return decide(GIT, project, [piece], records), sorted(edited | (whole & tracked))


def part(exclude: Path, project: Path, patterns: Sequence[str]) -> Shared:
    """Our part of that file."""
    name = f"# siltstone {sha256(str(project).encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"
    first, last = f"{name}: made by `silt install --project`, for this machine alone", f"{name} ends"
    lines = "".join(f"{line}\n" for line in (first, *patterns, last)) if patterns else ""
    whole = re.compile(rf"^{re.escape(name)}: .*\n(?:.*\n)*?{re.escape(last)}(?:\n|\Z)", re.M)

    def with_lines(text: str, lines: str) -> str:
        there = whole.search(text)
        if there is not None:
            return text[: there.start()] + lines + text[there.end() :]
        begins = text.find(f"{name}: ")
        if begins >= 0:
            what = f"the line {last!r} is missing after this one: take our part out by hand"
            raise Unreadable(what, line_at(text, begins))
        return text + ("\n" if lines and text and not text.endswith("\n") else "") + lines

    return Shared(exclude, lambda text, _: with_lines(text, lines), lambda text, _: with_lines(text, ""), "")


def _of_us(project: Path, changes: Sequence[Change], records: Records) -> tuple[set[Path], set[Path]]:
    """The project's files in which something is ours once the changes are made: those that we made, and
    those that were there before."""
    of_project = [one for one in records.all() if one.project == str(project) and one.agent != GIT]
    told = {Path(one.path): one.before is None for one in of_project}
    for change in (change for change in changes if not change.edited):
        told.pop(change.path, None)
        if change.then is not None and change.then != change.without:
            told[change.path] = change.without is None
    inside = {path: made for path, made in told.items() if path.is_relative_to(project)}
    return {path for path, made in inside.items() if made}, {path for path in inside if not inside[path]}


def _tracked(found: Repository, paths: Iterable[Path], environ: Mapping[str, str], disk: Disk) -> set[Path]:
    names = [str(path.relative_to(found.top)) for path in paths if path.is_relative_to(found.top)]
    if not names:
        return set()
    told = _asked(found.top, environ, disk, "--literal-pathspecs", "ls-files", "-z", "--", *names)
    return {found.top / _name(name) for name in told.split(b"\0") if name}


def _asked(folder: Path, environ: Mapping[str, str], disk: Disk, *words: str) -> bytes:
    """What git says there; nothing where it refuses or is missing. Raises SettingsError where it hangs."""
    env = {name: value for name, value in environ.items() if name not in _OF_ANOTHER}
    try:
        ran = disk.run(
            ["git", "-C", str(folder), "-c", "core.fsmonitor=false", *words], env, timeout=_TIMEOUT
        )
    except FileNotFoundError:
        return b""
    except subprocess.TimeoutExpired:
        what = "see what holds it up, and run the same command again"
        raise SettingsError(f"git does not answer in {folder}; {what}.") from None
    return b"" if ran.code else ran.out


def _name(told: bytes) -> str:
    return told.removesuffix(b"\n").decode("utf-8", "surrogateescape")


def _pattern(path: Path) -> str:
    """A line that means this one file; "" where none can, for a name with a line break or no UTF-8."""
    name = str(path)
    if "\n" in name or not name.isprintable():
        return ""
    return "/" + _SPECIAL.sub(r"\\\1", name)
