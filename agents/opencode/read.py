"""The reader of OpenCode's sessions, wherever they are kept."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from siltstone.agents.opencode.messages import items
from siltstone.agents.opencode.storage import Database, Files, Found, Row, Storage, Talk
from siltstone.agents.values import INTERNAL, home, named_folder
from siltstone.pipeline.messages import Filtered, Message, Reading, Session, Source, Step
from siltstone.store.errors import SourceError

AGENT = "opencode"
ABANDONED = timedelta(hours=1)
"""A turn that stands open and unchanged for so long was killed: OpenCode leaves no trace of that."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class OpenCode:
    """`Reader` of a data folder of OpenCode: `opencode.db`, and `storage/` of era 1.1."""

    root: Path
    now: Callable[[], datetime] = _now
    agent: str = field(default=AGENT, init=False)

    def discover(self) -> Iterator[Source]:
        """The database's sessions, then those files which it does not hold (1.2.27 imports them).

        A database that cannot be read is one source, so that reading it says why.
        """
        known: set[str] = set()
        if os.path.isfile(self._database):
            try:
                with closing(Database(self._database)) as database:
                    sessions = database.found()
            except SourceError:
                yield self._broken()
                sessions = []
            for found in sessions:
                known.add(found.session)
                yield self._source(found)
        for found in self._files.found():
            if found.session not in known:
                yield self._source(found)

    def read(self, source: Source, resume: str | None) -> Reading | None:
        """A resume token is `<count>:<message id>`: it holds while that message stands at that place.

        After a revert, a deletion or an import that moved it, the session is read from its start.
        """
        with self._storage(source) as storage:
            talk = storage.talk(source.detail)
            if talk is None:
                return None
            session = Session(AGENT, talk.id, talk.directory, machine=_machine(storage, talk))
        return Reading(session, self._steps(source, talk, resume))

    def idle(self, source: Source, reading: Reading) -> bool | None:
        """False while a turn is running; a finished one still needs its quiet period (None)."""
        with self._storage(source) as storage:
            order = storage.order(reading.session.id)
            last = storage.row(reading.session.id, order[-1]) if order else None
        if last is None or self._abandoned(source):
            return None
        done = last.role == "assistant" and last.ended and last.data.get("finish") != "tool-calls"
        return None if done else False

    @property
    def _database(self) -> Path:
        return self.root / "opencode.db"

    @property
    def _files(self) -> Files:
        return Files(self.root / "storage")

    @contextmanager
    def _storage(self, source: Source) -> Iterator[Storage]:
        if source.path == self._database:
            with closing(Database(source.path)) as database:
                yield database
        else:
            yield self._files

    def _steps(self, source: Source, talk: Talk, resume: str | None) -> Iterator[Step]:
        with self._storage(source) as storage:
            order = storage.order(talk.id)
            yield from _steps(storage, talk, order, _dealt_with(order, resume), self._abandoned(source))

    def _abandoned(self, source: Source) -> bool:
        return self.now() - source.changed > ABANDONED

    def _broken(self) -> Source:
        stat = self._database.stat()
        stamp = f"{stat.st_size}:{stat.st_mtime_ns}"
        return Source(AGENT, self._database.name, str(self._database), stamp, stat.st_mtime)

    def _source(self, found: Found) -> Source:
        # The stamp changes once more when an open turn counts as killed: what was held back until
        # then is read.
        aged = ":old" if self.now().timestamp() - found.seconds > ABANDONED.total_seconds() else ""
        name = found.session
        return Source(AGENT, name, str(found.path), found.stamp + aged, found.seconds, detail=name)


def reader(root: Path | None, env: Mapping[str, str]) -> OpenCode:
    """A reader of `root`, else of `$XDG_DATA_HOME/opencode`, else of `~/.local/share/opencode`."""
    data = named_folder(env, "XDG_DATA_HOME", home(env) / ".local" / "share")
    return OpenCode(root or data / "opencode")


def _machine(storage: Storage, talk: Talk) -> str | None:
    if talk.parent:
        return "subagent"
    for message in storage.order(talk.id)[:2]:
        row = storage.row(talk.id, message)
        if row and row.role == "user":
            ours = any(INTERNAL in str(part.data.get("text")) for part in row.parts)
            return "exec-by-siltstone" if ours else None
    return None


def _dealt_with(order: list[str], resume: str | None) -> int:
    """How many messages a token says were dealt with; 0 when it no longer fits."""
    count, _, last = (resume or "").partition(":")
    if not count.isdecimal() or len(count) > 9 or not 0 < int(count) <= len(order):
        return 0
    return int(count) if order[int(count) - 1] == last else 0


def _steps(storage: Storage, talk: Talk, order: list[str], start: int, abandoned: bool) -> Iterator[Step]:
    """Messages from the `start`-th on, up to one that is still being written.

    What is reverted can be taken back until the next prompt deletes it, so no token goes past it;
    nor past a message left open by a kill, which may yet be continued.
    """
    undone = order.index(talk.reverted) if talk.reverted in order else len(order)
    token = f"{start}:{order[start - 1]}" if start else ""
    passing = True
    for n, row in enumerate(storage.rows(talk.id, order[start:]), start):
        if row is not None and not row.ended:
            row = storage.row(talk.id, row.id)  # as it stands now: it was fetched ahead
        if row is None:
            continue
        is_open = not row.ended and not _answered_later(storage, talk, order[n + 1 :])
        if is_open and not abandoned:
            return
        passing = passing and not is_open and n < undone
        found = _reverted(row, talk) if n >= undone else items(row, talk.headless)
        for item in found[:-1]:
            yield Step(item, token)
        if passing:
            token = f"{n + 1}:{row.id}"
        for item in found[-1:]:
            yield Step(item, token)


def _answered_later(storage: Storage, talk: Talk, later: list[str]) -> bool:
    """A later answer proves that this one will not be written on."""
    rows = (storage.row(talk.id, message) for message in later)
    return any(row is not None and row.role == "assistant" for row in rows)


def _reverted(row: Row, talk: Talk) -> list[Message | Filtered]:
    cut = 0
    if row.id == talk.reverted and talk.reverted_part:
        places = [n for n, part in enumerate(row.parts) if part.id == talk.reverted_part]
        cut = places[0] if places else len(row.parts)
    kept = items(Row(row.id, row.created, row.data, row.parts[:cut]), talk.headless) if cut else []
    gone = items(Row(row.id, row.created, row.data, row.parts[cut:]), talk.headless)
    return kept + [Filtered("reverted") if isinstance(item, Message) else item for item in gone]
