"""Where OpenCode keeps its sessions: one SQLite database since 1.2, one JSON file an object before.

The database is opened with `mode=ro` beside a running agent: newer rows may stand in the write-ahead log
alone, which `immutable=1` or a copy of the file would miss (docs/transcripts.md). Every query is short, so
that no open transaction keeps the agent from folding its log into the file.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol

from siltstone.agents.jsonl import MAX_LINE, loads
from siltstone.agents.values import Record, instant, integer, listed, obj, stated, string
from siltstone.pipeline.messages import Source, frozen
from siltstone.store.errors import SourceError, why
from siltstone.store.plain_file import opened

AGENT = "opencode"


@frozen
class Part:
    """One piece of a message: text, a tool call, a compaction, …"""

    id: str
    data: Record


@frozen
class Row:
    """One message with its parts, in their order."""

    id: str
    created: int
    """Milliseconds since 1970. A fork copies it, so it is part of a message's identity."""
    data: Record
    parts: tuple[Part, ...]

    @property
    def role(self) -> str:
        """ "user", "assistant", or whatever stands there."""
        return string(self.data.get("role"))

    @property
    def ended(self) -> bool:
        """The agent is done with it: nothing in it will change in place any more."""
        if self.role != "assistant":
            return bool(self.parts)
        completed = obj(self.data.get("time")).get("completed")
        return integer(completed) is not None or bool(self.data.get("error"))


class Storage(Protocol):
    """Where sessions are kept. Raises SourceError when it cannot be read."""

    def found(self) -> Iterator[Source]:
        """Every session, found without reading it: its id is key and `detail`."""
        ...

    def talk(self, session: str) -> Record | None:
        """The session's object (`directory`, `parentID`, `revert`, `permission`), whatever that holds; None
        when there is none (any more)."""
        ...

    def order(self, session: str) -> list[str]:
        """Ids of its messages in reading order: by time of creation, then id (ids alone wrap)."""
        ...

    def rows(self, session: str, messages: Sequence[str]) -> Iterator[Row | None]:
        """These messages with their parts; None for one that has gone. Some are fetched ahead."""
        ...

    def row(self, session: str, message: str) -> Row | None:
        """One message as it stands now."""
        return next(self.rows(session, [message]))


def _created(data: Record, fallback: int = 0) -> int:
    """Milliseconds since 1970 at which a message was made: the same in both storages."""
    at = integer(obj(data.get("time")).get("created"))
    return fallback if at is None else at


# The database. Text is taken as bytes, as it stands in the file: nobody promised that it is UTF-8.

_BUSY_SECONDS = 5.0
_AT_ONCE = 64
"""Messages fetched by one query: asking for each by itself takes five times as long."""
_SESSIONS = """
SELECT id, time_updated, revert IS NOT NULL, {},
       (SELECT max(time_created) FROM message WHERE session_id = session.id)
FROM session
"""
_EVENT = "(SELECT seq FROM event_sequence WHERE aggregate_id = session.id)"
_COUNTS = [
    f"SELECT count(*), max(time_updated) FROM {table} WHERE session_id = ?"  # noqa: S608
    for table in ("message", "part")
]
_ORDER = "SELECT id FROM message WHERE session_id = ? ORDER BY time_created, id"
_DATA = "CASE WHEN length(CAST(data AS BLOB)) <= ? THEN data END"
# The plus keeps SQLite from looking through the whole session for a few ids.
_MESSAGES = "SELECT id, time_created, " + _DATA + " FROM message WHERE +session_id = ? AND id IN ({})"  # noqa: S608
_PARTS = (
    "SELECT message_id, id, " + _DATA + " FROM part WHERE message_id IN ({}) ORDER BY message_id, id"  # noqa: S608
)
_TALK = "SELECT directory, parent_id, revert, {} FROM session WHERE id = ?"
_HAS = "SELECT 1 FROM pragma_table_info(?) WHERE name = ?"


class Database(Storage):
    """The open database, to be closed. Every foreign exception is a SourceError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._mapped():
            uri = path.absolute().as_uri() + "?mode=ro"
            self._connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)
            self._connection.text_factory = bytes

    def close(self) -> None:
        self._connection.close()

    def found(self) -> Iterator[Source]:
        """The event number is the change signal; sessions that were imported have no events until they are
        touched, so their rows are counted instead."""
        number = _EVENT if self._rows(_HAS, "event_sequence", "seq") else "NULL"
        for id_, updated, reverted, seq, last in self._rows(_SESSIONS.format(number)):
            session, stamp = _text(id_), f"{updated}:{reverted}:{seq}"
            if seq is None:
                for query in _COUNTS:
                    stamp += ":{}:{}".format(*self._rows(query, session)[0])
            changed = instant(max(integer(updated) or 0, integer(last) or 0))
            seconds = changed.timestamp() if changed else 0.0
            yield Source(AGENT, session, str(self.path), stamp, seconds, session)

    def talk(self, session: str) -> Record | None:
        rules = "permission" if self._rows(_HAS, "session", "permission") else "NULL"
        for directory, parent, revert, permission in self._rows(_TALK.format(rules), session):
            listed = loads(b'{"permission":' + permission + b"}") if isinstance(permission, bytes) else None
            data = {"directory": _text(directory), "parentID": _text(parent), "revert": _object(revert)}
            return data | (listed or {})
        return None

    def order(self, session: str) -> list[str]:
        return [_text(row[0]) for row in self._rows(_ORDER, session)]

    def rows(self, session: str, messages: Sequence[str]) -> Iterator[Row | None]:
        for at in range(0, len(messages), _AT_ONCE):
            batch = messages[at : at + _AT_ONCE]
            places = ",".join("?" * len(batch))
            heads = self._rows(_MESSAGES.format(places), MAX_LINE, session, *batch)
            known = {_text(id_): (integer(created) or 0, data) for id_, created, data in heads}
            parts: dict[str, list[tuple[object, object]]] = {}
            for message, id_, data in self._rows(_PARTS.format(places), MAX_LINE, *batch):
                parts.setdefault(_text(message), []).append((id_, data))
            for name in batch:
                if name not in known:
                    yield None
                    continue
                created, raw = known[name]
                head = _object(raw)
                pieces = tuple(Part(_text(id_), _object(data)) for id_, data in parts.get(name, ()))
                yield Row(name, _created(head, created), head, pieces)

    def _rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        with self._mapped(), closing(self._connection.execute(query, values)) as cursor:
            return cursor.fetchall()

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise SourceError(
                f"{self.path} cannot be read as OpenCode's database ({error}); "
                "start opencode once to repair it, or exclude it"
            ) from error


def _text(raw: object) -> str:
    if isinstance(raw, bytes):
        return raw.decode("utf-8", "replace")
    return "" if raw is None else str(raw)


def _object(raw: object) -> Record:
    return (loads(raw) or {}) if isinstance(raw, bytes) else {}


class Files(Storage):
    """The folder `storage/` of era 1.1. What is no file of OpenCode's is passed over.

    session/<project>/<session>.json
    message/<session>/<message>.json
    part/<message>/<part>.json
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def found(self) -> Iterator[Source]:
        """A tool call changes its part's file in place, so all of them are stat-ed."""
        for project in listed(self.root / "session"):
            for session in _named(Path(project.path)):
                path = Path(project.path, f"{session}.json")
                folders = [self.root / "message" / session]
                folders += [self.root / "part" / message for message in _named(folders[0])]
                files = [stated(path), *(stated(one) for folder in folders for one in listed(folder))]
                if stats := list(filter(None, files)):
                    size, latest = sum(one.st_size for one in stats), max(one.st_mtime_ns for one in stats)
                    stamp = f"{len(stats)}:{size}:{latest}"
                    yield Source(AGENT, session, str(path), stamp, latest / 1e9, session)

    def talk(self, session: str) -> Record | None:
        """The session's own file, in whatever project's folder it stands."""
        for project in listed(self.root / "session"):
            path = Path(project.path) / f"{session}.json"
            if path.is_file():
                return _read(path)
        return None

    def order(self, session: str) -> list[str]:
        """Needs the files, for their names do not tell the time."""
        folder = self.root / "message" / session
        return [
            name for _, name in sorted((_created(_read(folder / f"{n}.json")), n) for n in _named(folder))
        ]

    def rows(self, session: str, messages: Sequence[str]) -> Iterator[Row | None]:
        for message in messages:
            path = self.root / "message" / session / f"{message}.json"
            if not path.is_file():
                yield None
                continue
            data, folder = _read(path), self.root / "part" / message
            parts = tuple(Part(name, _read(folder / f"{name}.json")) for name in _named(folder))
            yield Row(message, _created(data), data, parts)


def _named(folder: Path) -> list[str]:
    """The ids of the objects in a folder, sorted."""
    return [one.name.removesuffix(".json") for one in listed(folder) if one.name.endswith(".json")]


def _read(path: Path) -> Record:
    """The object in a file; an empty one when it is torn, has gone, or is beyond all measure."""
    try:
        with opened(path) as file:
            raw = file.read(MAX_LINE + 1)
        return (loads(raw) or {}) if len(raw) <= MAX_LINE else {}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise SourceError(f"{path} cannot be read ({why(error)}); check its permissions") from error
