"""The reader of OpenCode's sessions, wherever they are kept, and the messages in their rows."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from siltstone.agents.opencode.hooks import SHELLS, from_a_command, typed_text
from siltstone.agents.opencode.storage import Database, Files, Found, Part, Row, Storage, Talk
from siltstone.agents.values import (
    ABANDONED,
    Record,
    compact,
    dumped,
    home,
    instant,
    integer,
    named_folder,
    obj,
    string,
    utc_now,
)
from siltstone.pipeline.extraction.candidate_block import cut
from siltstone.pipeline.messages import Filtered, Message, Reading, Role, Session, Source, Step, ToolCall
from siltstone.prompts import INTERNAL
from siltstone.store.errors import SourceError

AGENT = "opencode"
_EPOCH = datetime.fromtimestamp(0, UTC)
_OTHER_PARTS = {"file": "attachment", "subtask": "command"}


@dataclass(slots=True)
class OpenCode:
    """`Reader` of a data folder of OpenCode: `opencode.db`, and `storage/` of era 1.1."""

    root: Path
    now: Callable[[], datetime] = utc_now
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


# Rows → messages.


def items(row: Row, headless: bool = False) -> list[Message | Filtered]:
    """Everything in one message, in the order of its parts; bookkeeping (steps, snapshots, patches)
    and thoughts are no messages and are not counted. `headless`: the session is one of `opencode run`."""
    if row.data.get("summary") is True or row.data.get("mode") == "compaction":
        block = cut(_texts(row))
        return [Filtered("compaction"), *([_message(row, row.id, "assistant", block)] if block else [])]
    role = row.role
    if role == "assistant":
        return _assistant(row)
    return _user(row, headless) if role == "user" else [Filtered("unreadable")]


def _user(row: Row, headless: bool) -> list[Message | Filtered]:
    texts: list[str] = []
    found: list[Message | Filtered] = []
    for part in row.parts:
        kind = string(part.data.get("type"))
        if kind == "compaction":
            found.append(Filtered("compaction"))
        elif kind == "text" and (part.data.get("synthetic") or part.data.get("ignored")):
            found.append(Filtered("synthetic"))
        elif kind == "text" and from_a_command(part.data):
            found.append(Filtered("command"))
        elif kind == "text":
            stored = string(part.data.get("text"))
            texts.append(typed_text(stored, headless))
            if len(texts[-1].strip()) + 2 < len(stored.strip()):
                found.append(Filtered("piped"))
        elif kind in _OTHER_PARTS:
            found.append(Filtered(_OTHER_PARTS[kind]))
    text = "\n\n".join(one for one in texts if one.strip())
    if text:
        found.append(_message(row, row.id, "user", text))
    return found


def _assistant(row: Row) -> list[Message | Filtered]:
    seen: dict[str, int] = {}
    found: list[Message | Filtered] = []
    text = _texts(row)
    for part in row.parts:
        kind = string(part.data.get("type"))
        if kind == "text" and text:
            # One answer, however many blocks: it stands where its first block stood.
            found.append(_message(row, row.id, "assistant", text, final=_is_final(row)))
            text = ""
        elif kind == "tool":
            found.append(_tool_message(row, part, seen))
        elif kind in _OTHER_PARTS:
            found.append(Filtered(_OTHER_PARTS[kind]))
    if error := obj(row.data.get("error")):
        aborted = error.get("name") == "MessageAbortedError"
        found.append(Filtered("interrupt" if aborted else "api-error"))
    return found


def _texts(row: Row) -> str:
    texts = [string(part.data.get("text")) for part in row.parts if part.data.get("type") == "text"]
    return "\n\n".join([text for text in texts if text.strip()])


def _is_final(row: Row) -> bool:
    finish = row.data.get("finish")
    return isinstance(finish, str) and finish != "tool-calls" and not row.data.get("error")


def _tool_message(row: Row, part: Part, seen: dict[str, int]) -> Message:
    """Equal calls of one message are told apart by their number."""
    call = _tool(part.data)
    key = _key(row, "tool", dumped([call.name, call.input, call.output, call.exit, call.failed]))
    nth = seen[key] = seen.get(key, 0) + 1
    started = obj(obj(part.data.get("state")).get("time")).get("start")
    return Message(
        id=part.id,
        key=key if nth == 1 else f"{key}/{nth}",
        role="tool",
        text="",
        at=instant(integer(started)) or _at(row),
        tool=call,
    )


def _tool(data: Record) -> ToolCall:
    """A shell command that fails is "completed" with `metadata.exit`; "error" is the tool's own
    failure; "running" and "pending" were left by a kill."""
    name, state = string(data.get("tool")), obj(data.get("state"))
    metadata, given = obj(state.get("metadata")), state.get("input")
    command = obj(given).get("command") if name in SHELLS else None
    output = state.get("output") or state.get("error") or metadata.get("output")
    return ToolCall(
        name=name,
        input=compact(given),
        output=compact(output),
        command=command if isinstance(command, str) else None,
        exit=integer(metadata.get("exit")),
        failed=state.get("status") != "completed" or name == "invalid",
    )


def _message(row: Row, id_: str, role: Role, text: str, final: bool = False) -> Message:
    key = _key(row, role, text.encode("utf-8", "replace"))
    return Message(id=id_, key=key, role=role, text=text, at=_at(row), final=final)


def _key(row: Row, role: Role, content: bytes) -> str:
    """A fork copies messages under new ids with their time of creation, and rows change in place:
    so time and content are the identity."""
    return sha256(f"{row.created} {role} ".encode() + content).hexdigest()[:32]


def _at(row: Row) -> datetime:
    return instant(row.created) or _EPOCH
