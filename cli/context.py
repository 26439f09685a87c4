"""What a command works with, opened on first use; and what a folder, a scope or a name refers to."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from siltstone.agents.child import Stop
from siltstone.cli.note import note
from siltstone.cli.settings import Configured, configure
from siltstone.pipeline.binding import bound
from siltstone.pipeline.reading.backlog import excluded
from siltstone.store.code.project_git import ProjectGit
from siltstone.store.code.status import DOUBTED, CodeStatus, worst
from siltstone.store.entry import GLOBAL, Stored, Write
from siltstone.store.errors import Locked, Misuse, StateError, StoreError
from siltstone.store.lock import WAIT
from siltstone.store.names import WHERE_ALL_ARE, find, in_inbox, slug
from siltstone.store.projects import Project, Projects
from siltstone.store.search import FILE as SEARCH
from siltstone.store.search import WAIT_SECONDS, Search
from siltstone.store.session_archive import FILE as ARCHIVE
from siltstone.store.session_archive import SessionArchive
from siltstone.store.state import FILE as STATE
from siltstone.store.state import WAIT as STATE_WAIT
from siltstone.store.state import State
from siltstone.store.store import Store

CODE_SECONDS = 2.0
"""For all git calls about one project's code."""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def now() -> datetime:
    """The wall clock, in UTC: the one place where the command line gets it."""
    return datetime.now(UTC)


class Scopes(Projects):
    """The known projects, and which of them this command met: these are registered in the store."""

    def __init__(self, root: Path, home: str | None) -> None:
        super().__init__(root, Path(home) if home else None)
        self._found: dict[str, Project] = {}

    def of(self, cwd: str, remotes: Sequence[str] = ()) -> str:
        project = self.resolve(cwd, remotes)
        self._found[project.scope] = project
        return project.scope

    def unknown(self) -> dict[str, str]:
        """Projects that were met and that the store does not know yet: scope → folder."""
        return {
            scope: next((mark.value for mark in project.identities if mark.kind == "path"), "")
            for scope, project in self._found.items()
            if (change := self.change(project)) is not None and change.expected is None
        }

    def register(self, scope: str) -> list[Write]:
        """The change that writes a scope's `project.yaml`; empty when it is up to date."""
        project = self._found.get(scope)
        change = self.change(project) if project else None
        return [change] if change else []


class Context:
    """Settings, store, state and search of one command; closed when the command ends.

    Only one that `makes` a store makes one; for others a missing store is a StoreError. A `dry` one makes
    nothing: where there is no store or state yet, it works on empty ones of its own that go with it. What
    another process holds is waited for as long as each of them does by itself, or `patience` seconds.
    `cwd`: the folder that is worked in, "" when it is gone; by default the one of this process.
    """

    def __init__(
        self,
        configured: Configured | None = None,
        *,
        makes: bool = False,
        dry: bool = False,
        patience: float | None = None,
        cwd: str | None = None,
    ) -> None:
        self.configured = configured or configure()
        self.cwd = current_folder() if cwd is None else cwd
        self._makes = makes
        self._dry = dry
        self._patience = patience
        self._open = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._open.close()
        opened: Store | None = self.__dict__.get("store")
        if opened is not None:
            opened.close()
        if kind is None and opened is not None and opened.lacks is not None:
            note(opened.lacks)
        state: State | None = self.__dict__.get("state")
        for complaint in state.complaints if state is not None else ():
            note(complaint)

    @cached_property
    def stop(self) -> Stop:
        """What stops an agent that a call is waiting for. From now on a signal stops the agent and then ends
        the command as Ctrl-C does: SIGTERM alone would leave the agent running, and a thread that waits for
        it sees no Ctrl-C. A second signal does what it did before."""
        stop = Stop()

        def end(*_: object) -> None:
            stop.asked = True
            restore()
            raise KeyboardInterrupt

        restore = self._open.enter_context(signals_to(end))
        return stop

    def no_store(self) -> StoreError:
        """What a command that needs a store says when there is none."""
        return StoreError(
            f"there is no store in {self.configured.places.store}: `silt run` or `silt remember` creates "
            f"one there; if yours is elsewhere, set SILT_HOME to its folder"
        )

    @cached_property
    def store(self) -> Store:
        """The store. Raises StoreError if there is none and this command does not create one."""
        wait = WAIT if self._patience is None else self._patience
        place = self.configured.places.store
        if not (self._makes or self._dry or self.configured.places.has_store):
            raise self.no_store()
        root = self._or_passing(place, self.configured.places.has_store)
        state = self.configured.places.state
        index = state / SEARCH if state.exists() else None
        store = Store.open(root, clock=now, wait=wait, index=index)
        store.bind = lambda changes: bound(changes, self.project_git)
        return store

    @cached_property
    def state(self) -> State:
        """The state database. What was wrong with the file is reported at the end, unless a report has said
        it."""
        place = self.configured.places.state
        wait = STATE_WAIT if self._patience is None else self._patience
        return self._open.enter_context(State.open(self._or_passing(place, (place / STATE).exists()), wait))

    @property
    def archive(self) -> SessionArchive | None:
        """The archive of past sessions; None if it is switched off, or as `archive_file`."""
        return self.archive_file if self.configured.settings.archive_enabled else None

    @cached_property
    def archive_file(self) -> SessionArchive | None:
        """The archive, switched on or off; None if there is none and this command does not create one."""
        path = self.configured.places.state / ARCHIVE
        if not path.exists() and (self._dry or not self._makes):
            return None
        wait = STATE_WAIT if self._patience is None else self._patience
        return self._open.enter_context(SessionArchive(path, wait))

    @cached_property
    def search(self) -> Search:
        """The search database, brought up to date with the store."""
        self.search_file.sync(self.store.snapshot())
        return self.search_file

    @cached_property
    def search_file(self) -> Search:
        """The search database as it is: whatever writes also updates it."""
        place = self._or_passing(self.configured.places.state, self.configured.places.state.exists())
        wait = WAIT_SECONDS if self._patience is None else self._patience
        return self._open.enter_context(Search(place / SEARCH, wait))

    def _or_passing(self, place: Path, there: bool) -> Path:
        """The place; of a dry command an empty one of its own where there is nothing yet."""
        if there or not self._dry:
            return place
        return Path(self._open.enter_context(TemporaryDirectory(prefix="silt-")))

    def scope(self, name: str | None) -> str | None:
        """The store's folder for the scope that a person names; Misuse when there is none."""
        if name is None or name == GLOBAL:
            return name
        folder = name if name.startswith("projects/") else f"projects/{name}"
        known = self.store.scopes()
        if folder not in known:
            told = ", ".join(scope.removeprefix("projects/") for scope in known)
            raise Misuse(f"there is no scope {name!r} in the store; it has {told}.")
        return folder

    @cached_property
    def scopes(self) -> Scopes:
        return Scopes(self.store.root, self.configured.environ.get("HOME"))

    def project_git(self, scope: str, seconds: float = CODE_SECONDS) -> ProjectGit | None:
        """The git of a project, read within `seconds`; None where its folder is gone or may not be read."""
        exclude = self.configured.settings.exclude
        found = self.scopes.checkout(scope, self.cwd, lambda folder: excluded(folder, exclude))
        state, environ = self.configured.places.state, self.configured.environ
        return None if found is None else ProjectGit(found, state, environ, seconds)

    def found(self, text: str, scopes: Sequence[str] | None, limit: int) -> list[Stored]:
        """The memories that fit a text, best first; those whose code is not as it was stand behind others."""
        percents = {hit.path: hit.percent for hit in self.search.query(text, scopes, limit)}
        found = self.checked([self.store.read(path) for path in percents])

        def worth(one: Stored) -> float:
            return percents[one.path] * (1.0 if one.code in ("", "fresh") else DOUBTED)

        return sorted(found, key=worth, reverse=True)

    def checked(self, entries: Sequence[Stored]) -> list[Stored]:
        """The entries, each with what became of the code that it is bound to."""
        if not any(one.entry.anchors for one in entries):
            return list(entries)
        try:
            with CodeStatus(self.configured.places.state) as status:
                status.sync(self.store.snapshot())
                found = status.of([one.path for one in entries], self.project_git)
        except (Locked, StateError) as error:
            note(f"could not check whether code has changed: {error}")
            found = {one.path: [] for one in entries}
        return [
            one._replace(code=worst(found[one.path])) if one.entry.anchors and one.path in found else one
            for one in entries
        ]

    def scope_or_here(self, name: str | None) -> str:
        """The scope a person means; without a name the project of the folder. Raises Misuse."""
        if name is not None:
            return self.scope(name) or GLOBAL
        if not self.cwd:
            raise Misuse(
                "the current folder no longer exists, so its project is unknown; name one with --scope."
            )
        return self.scopes.of(self.cwd)

    @cached_property
    def here(self) -> Sequence[str]:
        """The scopes in which a name is looked for first; none outside of a project."""
        scope = self.scopes.of(self.cwd) if self.cwd else GLOBAL
        return () if scope == GLOBAL else (scope, GLOBAL)

    def memory(self, name: str, among: Sequence[Stored] | None = None, any_part: bool = False) -> Stored:
        """The one entry that is called `name`, or with `any_part` whose name has it in it: of all, or `among`
        these. Raises EntryError, and Misuse, which names similar ones."""
        entries = self.store.resembling(name) if among is None else among
        try:
            return find(entries, name, self.store.unreadable, self.here, any_part=any_part)
        except Misuse:
            if entries and among is None:
                raise
            near = nearly(name, [one.entry.name for one in among or self.store.entries()])
            if not near:
                raise
            raise Misuse(f"there is no {name!r}; did you mean {' or '.join(near)}?") from None

    def memory_like(self, name: str) -> Stored:
        """The one entry that is called `name` or whose name has it in it. Raises Misuse and EntryError."""
        return self.memory(name, any_part=True)

    def waiting(self, name: str) -> Stored:
        """The one item of the inbox that is called `name` or whose name has it in it. Raises Misuse."""
        items = self.store.inbox()
        if not items:
            raise Misuse("the inbox is empty: nothing is waiting for your review.")
        try:
            return self.memory(name, items, any_part=True)
        except Misuse as error:
            raise Misuse(str(error).replace(WHERE_ALL_ARE, "see `silt inbox`")) from None

    def editable(self, name: str) -> Stored:
        """The one entry that is called `name`, or has it in its name, and still holds. Raises Misuse and
        EntryError."""
        here = [one for one in self.store.resembling(name) if not one.archived]
        return self.memory(name, here or None, any_part=True)

    def movable(self, name: str) -> Stored:
        """The memory that is to be hot or cold. What waits in the inbox or is archived counts only where no
        memory is called so, for of these it is told why they cannot be. Raises Misuse and EntryError."""
        found = self.store.resembling(name)
        inforce = [one for one in found if not one.archived and not in_inbox(one.path)]
        return self.memory(name, inforce or found or None, any_part=True)


def nearly(name: str, names: Sequence[str]) -> list[str]:
    """The names that contain each word of `name`, allowing for a typing error; three at most."""
    wanted = slug(name).split("-")
    return [one for one in names if all(get_close_matches(word, one.split("-"), 1, 0.7) for word in wanted)][
        :3
    ]


def current_folder() -> str:
    """This process's current folder; "" when it no longer exists."""
    try:
        return os.getcwd()
    except FileNotFoundError:
        return ""


@contextmanager
def signals_to(handler: Callable[..., None]) -> Iterator[Callable[[], None]]:
    """Within the block the signals that end a process call `handler`; ignored signals (`nohup`) stay ignored.
    Yields a function that restores the old handlers."""
    before = {kind: old for kind in ENDING if (old := signal.getsignal(kind)) not in (signal.SIG_IGN, None)}

    def restore() -> None:
        for kind, old in before.items():
            signal.signal(kind, old)

    for kind in before:
        signal.signal(kind, handler)
    try:
        yield restore
    finally:
        restore()
