"""The messages in a row of OpenCode."""

from datetime import UTC, datetime
from hashlib import sha256

from siltstone.agents.opencode.hooks import SHELLS, from_a_command, typed_text
from siltstone.agents.opencode.storage import Part, Row
from siltstone.agents.values import Record, compact, dumped, instant, integer, obj, string
from siltstone.pipeline.extraction.candidate_block import cut
from siltstone.pipeline.messages import Filtered, Message, Role, ToolCall

_EPOCH = datetime.fromtimestamp(0, UTC)
_OTHER_PARTS = {"file": "attachment", "subtask": "command"}


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
