"""Which project a session belongs to (docs/store-format.md: project identity; D2, D3).

`projects/<slug>/project.yaml` lists a project's identities, one a line, so that git can merge the
lists of two clones of the store. A session belongs to the project that owns any of the identities
of its folder; identities seen for the first time are added. Two work trees, or two clones of one
remote, are one project; the home folder and "/" are global.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from siltstone.store import layout
from siltstone.store.entry import GLOBAL, Write
from siltstone.store.entry_form import string
from siltstone.store.errors import Stale
from siltstone.store.identity import KINDS, Identity, is_writable, locate, strongest_first
from siltstone.store.names import slug
from siltstone.store.plain_file import content
from siltstone.store.repository import Checkout, checkout

HEADER = """# What makes a folder this project: any one of these. Siltstone adds what it sees; add and
# remove lines by hand as you like, one identity a line.
identities:
"""

_LINE = re.compile(r"([ \t]*)-[ \t]+(remote|git|path):[ \t]+(.*)")
_SUFFIX = 4


class Project(NamedTuple):
    """Where a session's memories go."""

    scope: str
    """ "global" or "projects/<slug>"."""
    slug: str = ""
    """Folder name below `projects/`; "" for global."""
    identities: tuple[Identity, ...] = ()
    new: bool = False
    """Nothing of it was known before."""
    change: Write | None = None
    """What adds its new identities to `project.yaml`, as the disk stood when it was resolved; under
    the store's lock ask `Projects.change` again."""


class Projects:
    """All known projects of a store. Remembers what it resolved, also before that is committed."""

    def __init__(self, root: Path, home: Path | None = None) -> None:
        """Read every `project.yaml` of the store at `root`. `home` is the folder that is global."""
        self._root = root
        self._ceilings = frozenset({os.path.realpath(home or Path.home()), "/"})
        self._identities: dict[str, list[Identity]] = {}
        self._owners: dict[Identity, str] = {}
        for scope in layout.scopes(root):
            if scope != GLOBAL:
                name = scope.removeprefix(f"{layout.PROJECTS}/")
                self._own(name, self._on_disk(name))

    def adopt(self, met: Mapping[str, Sequence[Identity]]) -> None:
        """Remember projects that were met before, by scope, also those that the store does not know."""
        for scope, identities in met.items():
            name = scope.removeprefix(f"{layout.PROJECTS}/")
            mine = self._identities.get(name)
            if not mine or not set(mine).isdisjoint(identities):
                self._own(name, identities)

    def known(self) -> dict[str, tuple[Identity, ...]]:
        """Identities by scope, in the order of scopes; also folders that have none yet."""
        return {
            f"{layout.PROJECTS}/{name}": strongest_first(found)
            for name, found in sorted(self._identities.items())
        }

    def resolve(self, cwd: str, remotes: Sequence[str] = ()) -> Project:
        """The project of a session that ran in `cwd`; `remotes` are those the transcript recorded.

        Without any mark (`identity.locate`) it is global.
        """
        found = locate(cwd, self._owners.get, self._ceilings, remotes)
        if found.owner is None and not found.marks:
            return Project(GLOBAL)
        name = found.owner or ""
        if not name:
            base = slug(found.name)
            # A name no other project has, on disk neither: another process may have met one since. A folder
            # without identities (made by the user, imported) is taken over.
            digest = hashlib.sha256(" ".join(found.marks[0]).encode()).hexdigest()
            for name in (base, *(f"{base}-{digest[:n]}" for n in range(_SUFFIX, len(digest)))):
                if not self._identities.get(name):
                    self._own(name, self._on_disk(name))
                known = self._identities[name]
                if not known or not set(known).isdisjoint(found.marks):
                    break
        self._own(name, [one for one in found.marks if one not in self._owners])
        marks = strongest_first(self._identities[name])
        project = Project(f"{layout.PROJECTS}/{name}", name, marks, new=found.owner is None)
        return project._replace(change=self.change(project))

    def checkout(self, scope: str, cwd: str, is_excluded: Callable[[str], bool]) -> Checkout | None:
        """What is checked out of a project: in `cwd` where that belongs to it, else in the first of its
        folders that is there. Registers nothing."""
        name = scope.rpartition("/")[2]
        marks = strongest_first(self._identities.get(name, ()))
        folders = [one.value.removesuffix("/.git") for one in marks if one.kind != "remote"]
        here = (
            os.path.realpath(cwd)
            if cwd and locate(cwd, self._owners.get, self._ceilings).owner == name
            else ""
        )
        there = (one for one in ([here] if here else folders) if os.path.isdir(one) and not is_excluded(one))
        found = filter(None, (checkout(one, self._ceilings) for one in there))
        # The git folder of a submodule stands in another project's work tree.
        return next((one for one in found if here or one.top in folders), None)

    def change(self, project: Project) -> Write | None:
        """What makes `project.yaml` on disk hold the project's identities; None when it does.

        Reads the file anew: call it under the store's lock. Raises Stale when another process has by
        now given the folder to a project of the same name: nothing may be written into it.
        """
        if not project.slug:
            return None
        data = self._data(project.slug)
        text = None if data is None else data.decode(errors="replace")
        known = read_identities(text or "")
        if known and not set(known) & set(project.identities):
            raise Stale(
                f"{project.scope} now belongs to another project that was registered at the same time: "
                f"nothing was written, run this again",
                (_file(project.slug),),
            )
        missing = [one for one in project.identities if one not in known]
        if not missing:
            return None
        expected = None if data is None else hashlib.sha256(data).hexdigest()
        return Write(_file(project.slug), with_identities(text, missing), expected)

    def _own(self, name: str, identities: Iterable[Identity]) -> None:
        mine = self._identities.setdefault(name, [])
        for one in identities:
            if self._owners.setdefault(one, name) == name and one not in mine:
                mine.append(one)

    def _on_disk(self, name: str) -> list[Identity]:
        return read_identities((self._data(name) or b"").decode(errors="replace"))

    def _data(self, name: str) -> bytes | None:
        try:
            return content(layout.inside(self._root, _file(name)))
        except (FileNotFoundError, NotADirectoryError):
            return None


def read_identities(text: str) -> list[Identity]:
    """Identities in a `project.yaml`, line by line: so that a half-merged file can be read too."""
    found: list[Identity] = []
    for line in text.splitlines():
        said = _LINE.fullmatch(line)
        value = _scalar(said[3].strip()) if said is not None else ""
        if said is not None and is_writable(value):
            found.append(Identity(next(kind for kind in KINDS if kind == said[2]), value))
    return list(dict.fromkeys(found))


def with_identities(text: str | None, added: Sequence[Identity]) -> str:
    """A `project.yaml` with `added` behind the last identity, everything else as it was."""
    lines = (HEADER if text is None else text).splitlines(keepends=True)
    places = [n for n, line in enumerate(lines) if _LINE.fullmatch(line.rstrip("\r\n"))]
    heads = [n for n, line in enumerate(lines) if line.rstrip() == "identities:"]
    last = max(places or heads, default=len(lines) - 1)
    if lines and not lines[last].endswith("\n"):
        lines[last] += "\n"
    beside = _LINE.match(lines[last]) if places else None
    indent = "  " if beside is None else beside[1]
    new = [] if places or heads else ["identities:\n"]
    new += [f"{indent}- {one.kind}: {string(one.value)}\n" for one in added]
    return "".join([*lines[: last + 1], *new, *lines[last + 1 :]])


def _file(name: str) -> str:
    return f"{layout.PROJECTS}/{name}/{layout.PROJECT_FILE}"


def _scalar(written: str) -> str:
    if written.startswith('"'):
        try:
            value, _ = json.JSONDecoder().raw_decode(written)
        except ValueError:
            return ""
        return value if isinstance(value, str) else ""
    if written.startswith("'"):
        return written[1:].partition("'")[0]
    return re.split(r"[ \t]#", written, maxsplit=1)[0].rstrip()
