"""What a command means by a folder, a scope, a type or a memory's name."""

import os
from collections.abc import Sequence
from pathlib import Path

from siltstone.cli.context import Context
from siltstone.pipeline.reading.backlog import Unread
from siltstone.store.by_name import exactly, find, find_like
from siltstone.store.entry import GLOBAL, TYPES, Stored, Type, Write
from siltstone.store.errors import Misuse
from siltstone.store.layout import INBOX
from siltstone.store.projects import Project, Projects
from siltstone.store.store import Store


class Scopes:
    """Which project each session belongs to, and what registers it in the store."""

    def __init__(self, context: Context) -> None:
        home = context.configured.environ.get("HOME")
        self._projects = Projects.load(context.store.root, Path(home) if home else None)
        self._found: dict[str, Project] = {}

    def of(self, cwd: str, remotes: Sequence[str] = ()) -> str:
        """The scope of a folder."""
        project = self._projects.resolve(cwd, remotes)
        self._found[project.scope] = project
        return project.scope

    def of_session(self, unread: Unread) -> str:
        return self.of(unread.session.cwd, unread.session.remotes)

    def unknown(self) -> dict[str, str]:
        """Projects that were met and of which the store knows nothing yet: scope → folder."""
        return {
            scope: next((mark.value for mark in project.identities if mark.kind == "path"), "")
            for scope, project in self._found.items()
            if (change := self._projects.change(project)) is not None and change.expected is None
        }

    def register(self, scope: str) -> list[Write]:
        """The change that writes a scope's `project.yaml`; empty when it says everything already."""
        project = self._found.get(scope)
        change = self._projects.change(project) if project else None
        return [change] if change else []


def movable(store: Store, name: str) -> list[Stored]:
    """What a person may mean that wants a memory hot or cold: what waits in the inbox or is archived only
    where no memory is called so, for of these it is told why they cannot be."""
    found = store.resembling(name)
    inforce = [one for one in found if not one.archived and not one.path.startswith(f"{INBOX}/")]
    return inforce if exactly(inforce, name.strip()) else found


def named(context: Context, entries: Sequence[Stored], name: str) -> Stored:
    """The one entry that is called `name`. Raises Misuse and EntryError, as `find`."""
    return find(entries, name, context.store.unreadable, here(context))


def named_like(context: Context, entries: Sequence[Stored], name: str) -> Stored:
    """The one entry that is called `name` or whose name has it in it. Raises Misuse and EntryError."""
    return find_like(entries, name, context.store.unreadable, here(context))


def here(context: Context) -> Sequence[str]:
    """The scopes in which a name is looked for first; none outside of a project."""
    try:
        scope = Scopes(context).of(os.getcwd())
    except FileNotFoundError:
        return ()
    return () if scope == GLOBAL else (scope, GLOBAL)


def chosen_scope(context: Context, scopes: Scopes, name: str | None) -> str:
    """The scope a person means; without a name the project of the current folder. Raises Misuse."""
    chosen = context.scope(name)
    if chosen is not None:
        return chosen
    try:
        return scopes.of(os.getcwd())
    except FileNotFoundError:
        raise Misuse("the current folder is gone, and with it its project; give one with --scope.") from None


def known_type(name: str) -> Type:
    """The type of that name. Raises Misuse."""
    for known in TYPES:
        if known == name:
            return known
    raise Misuse(f"there is no type {name!r}; it is one of {', '.join(TYPES)}.")
