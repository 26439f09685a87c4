"""The reader of OpenCode's sessions, wherever they are kept, and the messages in their rows."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from siltstone.agents.opencode.hooks import (
    SHELLS,
    from_a_command,
    is_headless,
    typed_text,
    without_skill,
)
from siltstone.agents.opencode.storage import AGENT, Database, Files, Part, Row, Storage
from siltstone.agents.reduction import answered, asked
from siltstone.agents.values import (
    Record,
    aged,
    compact,
    dumped,
    instant,
    integer,
    is_abandoned,
    obj,
    source,
    string,
)
from siltstone.pipeline.extraction.candidate_block import cut
from siltstone.pipeline.messages import Filtered, Message, Reading, Role, Session, Source, Step, ToolCall
from siltstone.prompts import INTERNAL
from siltstone.store.errors import SourceError

_EPOCH = datetime.fromtimestamp(0, UTC)
_REFUSED = "The user rejected permission to use this specific tool call"
"""Begins the error of a call that the user refused, and that did not run."""
_SAID = " with the following feedback: "
"""Stands behind it, before the words typed with the refusal."""
_OWN_ERRORS = frozenset(
    ("bash", "edit", "multiedit", "write", "apply_patch", "patch", "read", "glob", "grep", "list", "webfetch")
)
"""Tools whose errors begin with the program's words. A refusal is stored as the text of an error, and other
tools can raise the same text: there it counts as the tool's."""
_OTHER_PARTS = {"file": "attachment", "subtask": "command"}


@dataclass(slots=True)
class OpenCode:
    """`Reader` of a data folder of OpenCode: `opencode.db`, and `storage/` of era 1.1."""

    root: Path
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    agent: str = field(default=AGENT, init=False)

    def discover(self) -> Iterator[Source]:
        """The database's sessions, then those files which it does not hold (1.2.27 imports them).

        A database that cannot be read is one source, so that reading it says why.
        """
        found: list[Source] = []
        if os.path.isfile(self._database):
            try:
                with closing(Database(self._database)) as database:
                    found = list(database.found())
            except SourceError:
                if one := source(AGENT, self._database.name, self._database):
                    yield one
        known = {one.key for one in found}
        found += (one for one in Files(self.root / "storage").found() if one.key not in known)
        yield from (aged(one, self.now()) for one in found)

    def read(self, source: Source, resume: str | None) -> Reading | None:
        """A resume token is `<count>:<message id>`: it holds while that message stands at that place.

        After a revert, a deletion or an import that moved it, the session is read from its start.
        """
        with self._storage(source) as storage:
            talk = storage.talk(source.detail)
            if talk is None:
                return None
            machine = _machine(storage, source.detail, talk)
            session = Session(AGENT, source.detail, string(talk.get("directory")), machine=machine)
        return Reading(session, self._steps(source, talk, resume))

    def idle(self, source: Source, reading: Reading) -> bool | None:
        """False while a turn is running; a finished one still needs its quiet period (None)."""
        with self._storage(source) as storage:
            order = storage.order(reading.session.id)
            last = storage.row(reading.session.id, order[-1]) if order else None
        if last is None or is_abandoned(source, self.now()):
            return None
        done = last.role == "assistant" and last.ended and last.data.get("finish") != "tool-calls"
        return None if done else False

    @property
    def _database(self) -> Path:
        return self.root / "opencode.db"

    def _storage(self, source: Source) -> AbstractContextManager[Storage]:
        if source.path == self._database:
            return closing(Database(source.path))
        return nullcontext(Files(self.root / "storage"))

    def _steps(self, source: Source, talk: Record, resume: str | None) -> Iterator[Step]:
        """Messages from where a token says, up to one that is still being written.

        What is reverted can be taken back until the next prompt deletes it, so no token goes past it;
        nor past a message left open by a kill, which may yet be continued.
        """
        id_, headless, revert = source.detail, is_headless(talk.get("permission")), obj(talk.get("revert"))
        with self._storage(source) as storage:
            order = storage.order(id_)
            count, _, last = (resume or "").partition(":")
            start = int(count) if count.isdecimal() and len(count) < 10 else 0
            if not 0 < start <= len(order) or order[start - 1] != last:
                start = 0
            reverted = string(revert.get("messageID"))
            undone = order.index(reverted) if reverted in order else len(order)
            token = f"{start}:{last}" if start else ""
            passing, abandoned = True, is_abandoned(source, self.now())
            for n, row in enumerate(storage.rows(id_, order[start:]), start):
                if row is not None and not row.ended:
                    row = storage.row(id_, row.id)  # as it stands now: it was fetched ahead
                if row is None:
                    continue
                # A later answer proves that this one will not be written on.
                later = storage.rows(id_, order[n + 1 :])
                is_open = not row.ended and all(one is None or one.role != "assistant" for one in later)
                if is_open and not abandoned:
                    return
                passing = passing and not is_open and n < undone
                found = _reverted(row, revert, headless) if n >= undone else items(row, headless)
                for item in found[:-1]:
                    yield Step(item, token)
                if passing:
                    token = f"{n + 1}:{row.id}"
                for item in found[-1:]:
                    yield Step(item, token)


def _machine(storage: Storage, session: str, talk: Record) -> str | None:
    if string(talk.get("parentID")):
        return "subagent"
    for message in storage.order(session)[:2]:
        row = storage.row(session, message)
        if row and row.role == "user":
            ours = any(INTERNAL in str(part.data.get("text")) for part in row.parts)
            return "exec-by-siltstone" if ours else None
    return None


def _reverted(row: Row, revert: Record, headless: bool) -> list[Message | Filtered]:
    """What a message holds of which all is undone, or what follows a part of it."""
    at = 0
    if row.id == revert.get("messageID") and (part := string(revert.get("partID"))):
        ids = [one.id for one in row.parts]
        at = ids.index(part) if part in ids else len(ids)
    kept = items(replace(row, parts=row.parts[:at]), headless) if at else []
    gone = items(replace(row, parts=row.parts[at:]), headless)
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
            own = without_skill(stored)
            found += [Filtered("command")] if own != stored else []
            texts.append(typed_text(own, headless))
            if len(texts[-1].strip()) + 2 < len(own.strip()):
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
    text, finish = _texts(row), row.data.get("finish")
    final = isinstance(finish, str) and finish != "tool-calls" and not row.data.get("error")
    for part in row.parts:
        kind = string(part.data.get("type"))
        if kind == "text" and text:
            # One answer, however many blocks: it stands where its first block stood.
            found.append(_message(row, row.id, "assistant", text, final=final))
            text = ""
        elif kind == "tool":
            found += _exchange(part, _tool_message(row, part, seen))
        elif kind in _OTHER_PARTS:
            found.append(Filtered(_OTHER_PARTS[kind]))
    if error := obj(row.data.get("error")):
        aborted = error.get("name") == "MessageAbortedError"
        found.append(Filtered("interrupt" if aborted else "api-error"))
    return found


def _texts(row: Row) -> str:
    texts = [string(part.data.get("text")) for part in row.parts if part.data.get("type") == "text"]
    return "\n\n".join([text for text in texts if text.strip()])


def _tool_message(row: Row, part: Part, seen: dict[str, int]) -> Message:
    """A shell command that fails is "completed" with `metadata.exit`; "error" is the tool's own failure;
    "running" and "pending" were left by a kill. Equal calls of one message are told apart by their number."""
    name, state = string(part.data.get("tool")), obj(part.data.get("state"))
    metadata, given = obj(state.get("metadata")), state.get("input")
    command = obj(given).get("command") if name in SHELLS else None
    call = ToolCall(
        name=name,
        input=compact(given),
        output=compact(state.get("output") or state.get("error") or metadata.get("output")),
        command=command if isinstance(command, str) else None,
        exit=integer(metadata.get("exit")),
        failed=state.get("status") != "completed" or name == "invalid",
    )
    key = _key(row, "tool", dumped([call.name, call.input, call.output, call.exit, call.failed]))
    nth = seen[key] = seen.get(key, 0) + 1
    at = instant(integer(obj(state.get("time")).get("start"))) or instant(row.created) or _EPOCH
    return Message(part.id, key if nth == 1 else f"{key}/{nth}", "tool", "", at, call)


def _exchange(part: Part, call: Message) -> list[Message]:
    """A call with what the user said to it: words typed when refusing it, or answers to the questions that
    the agent asked with it."""
    state, said = obj(part.data.get("state")), ""
    error = string(state.get("error"))
    if call.tool and call.tool.name in _OWN_ERRORS and error.startswith(_REFUSED):
        refused, _, said = error.partition(_SAID)
        call = replace(call, tool=replace(call.tool, output=refused, command=None, refused=True))
    elif part.data.get("tool") == "question" and state.get("status") == "completed":
        said = answered(obj(state.get("metadata")).get("answers"))
        if said:
            question = asked(obj(state.get("input")).get("questions"))
            call = replace(call, role="assistant", text=question, tool=None, final=True)
    if not said:
        return [call]
    typed = replace(call, id=f"{call.id}/said", key=f"{call.key}/said", role="user", text=said, tool=None)
    return [call, typed]


def _message(row: Row, id_: str, role: Role, text: str, final: bool = False) -> Message:
    key = _key(row, role, text.encode("utf-8", "replace"))
    return Message(id_, key, role, text, instant(row.created) or _EPOCH, final=final)


def _key(row: Row, role: Role, content: bytes) -> str:
    """A fork copies messages under new ids with their time of creation, and rows change in place:
    so time and content are the identity."""
    return sha256(f"{row.created} {role} ".encode() + content).hexdigest()[:32]
