"""What a reader made of a transcript, as plain JSON that a person can check against the records."""

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

from siltstone.pipeline.messages import Filtered, Message, Reader, Reading, Source, Step


def opened(reader: Reader, path: Path, resume: str | None = None) -> tuple[Reading, list[Step]]:
    """The transcript at `path`, read to its end."""
    reading = reader.read(found(reader, path), resume)
    assert reading is not None
    return reading, list(reading.steps)


def found(reader: Reader, path: Path) -> Source:
    return next(source for source in reader.discover() if source.path == path)


def outline(reading: Reading, steps: list[Step]) -> dict[str, Any]:
    """Session, messages in order, and what was filtered by which reason."""
    session = reading.session
    return {
        "session": session.id,
        "cwd": session.cwd,
        "machine": session.machine,
        "messages": [line(step.item) for step in steps if isinstance(step.item, Message)],
        "filtered": Counter(reasons(steps)),
    }


def line(message: Message) -> dict[str, Any]:
    shown: dict[str, Any] = {"id": message.id, "role": message.role, "at": message.at.isoformat()}
    if message.tool is None:
        shown["text"] = message.text
        if message.final:
            shown["final"] = True
        return shown
    tool = message.tool
    shown["tool"] = tool.name
    if tool.command is None:
        shown["input"] = tool.input
    else:
        shown |= {"command": tool.command, "exit": tool.exit}
    if tool.failed:
        shown["failed"] = True
    return shown | {"output": tool.output}


def messages(steps: list[Step]) -> list[Message]:
    return [step.item for step in steps if isinstance(step.item, Message)]


def keys(steps: list[Step]) -> list[str]:
    return [message.key for message in messages(steps)]


def texts(steps: list[Step]) -> list[str]:
    return [message.text or (message.tool.output if message.tool else "") for message in messages(steps)]


def unseen(before: list[Step], after: list[Step]) -> list[Message]:
    """What the caller keeps of a repeated reading: it drops known keys."""
    seen = {message.key for message in messages(before)}
    return [message for message in messages(after) if message.key not in seen]


def append(path: Path, *records: object) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(one, separators=(",", ":")) + "\n" for one in records)


def rewritten(path: Path, data: bytes) -> None:
    """Put another file in a transcript's place."""
    fresh = path.with_name("fresh")
    fresh.write_bytes(data)
    os.replace(fresh, path)


def reasons(steps: list[Step]) -> list[str]:
    return [step.item.reason for step in steps if isinstance(step.item, Filtered)]


def golden(path: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return value
