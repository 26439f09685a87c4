"""The SQLite database of OpenCode (1.2 and later), read beside a running agent.

It is opened with `mode=ro`: newer rows may stand in the write-ahead log alone, which `immutable=1`
or a copy of the file would miss (docs/transcripts.md). Every query is short, so that no open
transaction keeps the agent from folding its log into the file.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from siltstone.agents.jsonl import MAX_LINE, loads
from siltstone.agents.opencode.messages import Part, Row, Talk, created, talk
from siltstone.agents.values import Record, integer
from siltstone.store.errors import SourceError

_BUSY_SECONDS = 5.0
_AT_ONCE = 64
"""Messages fetched by one query: asking for each by itself takes five times as long."""
_NO_MESSAGE = (b'{"type":"patch"', b'{"type":"reasoning"')
_STEP, _STEP_TYPE = (b'{"snapshot":"', b'{"reason":"'), b'"type":"step-'
"""How the data of parts begins that are no message for us, and what stands in it."""

_TOUCHED = """
SELECT s.id, s.time_updated, s.revert IS NOT NULL, e.seq,
       (SELECT max(m.time_created) FROM message m WHERE m.session_id = s.id)
FROM session s LEFT JOIN event_sequence e ON e.aggregate_id = s.id
"""
_TOUCHED_WITHOUT_EVENTS = _TOUCHED.replace("e.seq", "NULL").replace(
    "LEFT JOIN event_sequence e ON e.aggregate_id = s.id", ""
)
_ROWS_OF = {
    table: f"SELECT count(*), max(time_updated) FROM {table} WHERE session_id = ?"  # noqa: S608
    for table in ("message", "part")
}
_ORDER = "SELECT id FROM message WHERE session_id = ? ORDER BY time_created, id"
# What there is much of is taken as bytes, as it stands in the file: text costs a call for each value,
# and JSON would be decoded only to be encoded again.
_DATA = "CASE WHEN length(CAST(data AS BLOB)) <= ? THEN CAST(data AS BLOB) END"
# The plus keeps SQLite from looking through the whole session for a few ids.
_MESSAGES = (
    "SELECT CAST(id AS BLOB), time_created, " + _DATA + " FROM message WHERE +session_id = ? AND id IN ({})"  # noqa: S608
)
_PARTS = (
    "SELECT CAST(message_id AS BLOB), CAST(id AS BLOB), "  # noqa: S608
    + _DATA
    + " FROM part WHERE message_id IN ({}) ORDER BY message_id, id"
)
_TALK = "SELECT directory, parent_id, CAST(revert AS BLOB), {} FROM session WHERE id = ?"
_PERMISSION = "CAST(permission AS BLOB)"
_HAS_PERMISSION = "SELECT 1 FROM pragma_table_info('session') WHERE name = 'permission'"


@dataclass(frozen=True, slots=True)
class Touched:
    """How a session stands, told by its row and indexes alone."""

    session: str
    stamp: str
    """Changes whenever the session may have changed."""
    changed: int
    """Milliseconds since 1970."""


class Database:
    """One open database; a context manager. Every foreign exception is a SourceError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._mapped():
            self._connection = _connect(path)

    def __enter__(self) -> "Database":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def touched(self) -> list[Touched]:
        """Every session. The event number is the change signal; sessions that were imported have no
        events until they are touched, so their rows are counted instead."""
        with self._mapped():
            return [self._touched(*row) for row in self._rows(self._query())]

    def talk(self, session: str) -> Talk | None:
        """The session's own row."""
        with self._mapped():
            permission = _PERMISSION if self._rows(_HAS_PERMISSION) else "NULL"
            rows = self._rows(_TALK.format(permission), session)
        if not rows:
            return None
        directory, parent, revert, rules = rows[0]
        listed = loads(b'{"rules":' + rules + b"}") if isinstance(rules, bytes) else None
        return talk(session, directory, parent, _object(revert), (listed or {}).get("rules"))

    def order(self, session: str) -> list[str]:
        """By time of creation, then id."""
        with self._mapped():
            return [str(row[0]) for row in self._rows(_ORDER, session)]

    def row(self, session: str, message: str) -> Row | None:
        """One message with its parts."""
        return next(self.rows(session, [message]))

    def rows(self, session: str, messages: Sequence[str]) -> Iterator[Row | None]:
        """Many, fetched in batches and decoded one by one."""
        for at in range(0, len(messages), _AT_ONCE):
            batch = messages[at : at + _AT_ONCE]
            places = ",".join("?" * len(batch))
            with self._mapped():
                heads = self._rows(_MESSAGES.format(places), MAX_LINE, session, *batch)
                found = self._rows(_PARTS.format(places), MAX_LINE, *batch)
            parts: dict[object, list[tuple[object, ...]]] = {head[0]: [] for head in heads}
            for part in found:
                if part[0] in parts:
                    parts[part[0]].append(part)
            known = {_text(head[0]): head for head in heads}
            for message in batch:
                head = known.get(message)
                yield _row(message, head, parts[head[0]]) if head else None

    def _query(self) -> str:
        found = self._rows("SELECT 1 FROM sqlite_master WHERE name = 'event_sequence'")
        return _TOUCHED if found else _TOUCHED_WITHOUT_EVENTS

    def _touched(
        self, session: object, updated: object, reverted: object, seq: object, last: object
    ) -> Touched:
        stamp = f"{updated}:{reverted}:{seq}"
        if seq is None:
            for query in _ROWS_OF.values():
                stamp += ":{}:{}".format(*self._rows(query, session)[0])
        return Touched(str(session), stamp, max(integer(updated) or 0, integer(last) or 0))

    def _rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        with closing(self._connection.execute(query, values)) as cursor:
            return cursor.fetchall()

    @contextmanager
    def _mapped(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise SourceError(
                f"{self.path} cannot be read as OpenCode's database ({error}); "
                "start opencode once so that it repairs it, or exclude it"
            ) from error


def _connect(path: Path) -> sqlite3.Connection:
    uri = path.absolute().as_uri() + "?mode=ro"
    connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, isolation_level=None)
    connection.text_factory = _text
    return connection


def _text(raw: object) -> str:
    return raw.decode("utf-8", "replace") if isinstance(raw, bytes) else str(raw)


def _row(id_: str, head: tuple[object, ...], parts: list[tuple[object, ...]]) -> Row:
    data = _object(head[2])
    pieces = [Part(_text(part), _part(raw)) for _, part, raw in parts]
    return Row(id_, created(data, integer(head[1]) or 0), data, tuple(pieces))


def _part(raw: object) -> Record:
    """{} for bookkeeping, without decoding it."""
    if not isinstance(raw, bytes) or raw.startswith(_NO_MESSAGE):
        return {}
    return {} if raw.startswith(_STEP) and _STEP_TYPE in raw else _object(raw)


def _object(raw: object) -> Record:
    return (loads(raw) or {}) if isinstance(raw, bytes) else {}
