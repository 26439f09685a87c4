"""Records in the shape Claude Code 2.1 writes them, for what no sample shows."""

import json
from pathlib import Path
from typing import Any


def record(kind: str, uuid: str, parent: str | None, content: object, **more: Any) -> dict[str, Any]:
    return {
        "parentUuid": parent,
        "isSidechain": False,
        "type": kind,
        "message": {"role": kind, "content": content, **more.pop("message", {})},
        "uuid": uuid,
        "timestamp": "2026-11-21T10:00:00.000Z",
        "cwd": "/home/dev/repo",
        "sessionId": "s1",
        **more,
    }


def text(
    uuid: str, parent: str | None, words: str, stop: str | None = "end_turn", api: str = ""
) -> dict[str, Any]:
    message = {"id": api or uuid, "stop_reason": stop}
    return record("assistant", uuid, parent, [{"type": "text", "text": words}], message=message)


def call(uuid: str, parent: str, command: str, api: str = "", name: str = "Bash") -> dict[str, Any]:
    block = {"type": "tool_use", "id": f"call-{uuid}", "name": name, "input": {"command": command}}
    return record("assistant", uuid, parent, [block], message={"id": api or uuid, "stop_reason": "tool_use"})


def result(uuid: str, parent: str, output: str, **more: Any) -> dict[str, Any]:
    block = {
        "type": "tool_result",
        "tool_use_id": f"call-{parent}",
        "content": output,
        **more.pop("block", {}),
    }
    beside = more.pop("beside", {"stdout": output, "stderr": "", "interrupted": False})
    return record("user", uuid, parent, [block], toolUseResult=beside, **more)


def transcript(root: Path, *records: object, name: str = "s1") -> Path:
    path = root / "projects" / "-home-dev-repo" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [one if isinstance(one, str) else json.dumps(one, separators=(",", ":")) for one in records]
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path
