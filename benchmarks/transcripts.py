"""Large transcripts in the forms of the real agents: a stretch of a shipped one, again and again.

Ids are new in every repetition and tools print texts of lifelike lengths; all else is as the agents
wrote it. The shipped transcripts are in tests/data.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from benchmarks.prose import Prose
from siltstone.agents.readers import readers
from siltstone.pipeline.messages import Reader

DATA = Path(__file__).resolve().parent.parent / "tests" / "data"

_OUTPUT, _BLOB, _PARENT, _ORDINAL = "@output@", "@blob@", "@parent@", "@ordinal@"
_OUTPUTS = ("stdout", "output", "aggregated_output", "resultDisplay")
_BLOBS = ("signature", "encrypted_content")
_UUID = re.compile(r"\b[0-9a-f]{8}(-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b")
_CALL = re.compile(r':"(call|fc|rs|msg|toolu)_([0-9A-Za-z]+)')


@dataclass(frozen=True, slots=True)
class Form:
    """How the transcripts of one agent are made."""

    agent: str
    title: str
    write: Callable[[Path, int], int]
    """Write one session of about so many bytes under a root; returns the bytes."""
    records: Callable[[Path], Iterator[bytes]]
    """All JSON texts of that session as they stand on disk."""

    def reader(self, root: Path) -> Reader:
        (reader,) = readers({self.agent: root}, {})
        return reader


def lines_under(root: Path) -> Iterator[bytes]:
    """The lines of every transcript under a root."""
    for path in root.rglob("*.jsonl"):
        with path.open("rb") as file:
            yield from file


def _claude(root: Path, size: int) -> int:
    sample = DATA / "claude/projects/-home-dev-src-repo/headless_multiturn_compact.jsonl"
    records = _records(sample)
    end = next(n for n, record in enumerate(records) if record.get("subtype") == "compact_boundary")
    body = [record for record in records[:end] if record.get("parentUuid") or "uuid" not in record]
    first = next(record for record in body if "uuid" in record)
    first["parentUuid"] = _PARENT
    last = [str(record["uuid"]) for record in body if "uuid" in record][-1]
    path = root / "projects" / "-home-dev-app" / "session.jsonl"
    return _repeated(path, [], body, size, keep={str(first["sessionId"])}, last=last)


def _codex(root: Path, size: int) -> int:
    folder = DATA / "codex/home/sessions/2026/11/21"
    sample = next(folder.glob("rollout-2026-11-21T00-36-48-*.jsonl"))
    records = _records(sample)
    # Instructions and the state of the world stand at the start of a session alone.
    head, body = [records[0], *records[2:5]], [records[1], *records[5:]]
    for record in body:
        record["ordinal"] = _ORDINAL
        if record["payload"].get("type") == "reasoning":
            record["payload"]["encrypted_content"] = _BLOB
    path = root / "sessions" / "2026" / "11" / "21" / sample.name
    return _repeated(path, head, body, size, keep={str(head[0]["payload"]["id"])})


def _gemini(root: Path, size: int) -> int:
    sample = DATA / "gemini/tmp/repo-one-v1/chats/session-headless_resumed_3_turns.jsonl"
    head, *rest = _records(sample)
    end = next(n for n, record in enumerate(rest) if "projectHash" in record)
    body = [record for record in rest[:end] if "messages" not in record.get("$set", ())]
    path = root / "tmp" / "app" / "chats" / "session-2026-11-21T00-32-4daa6474.jsonl"
    return _repeated(path, [head], body, size, keep={str(head["sessionId"])})


def _plain(turns: Callable[[Prose], Iterable[tuple[str, str]]], root: Path, size: int) -> int:
    prose = Prose(1)
    root.mkdir(parents=True)
    written = turn = 0
    with (root / "talk.jsonl").open("wb") as file:
        while written < size:
            for role, words in turns(prose):
                record = {"role": role, "content": f"{turn}: {words}", "cwd": "/home/dev/app"}
                written += file.write(orjson.dumps(record) + b"\n")
            turn += 1
    return written


def _talk(prose: Prose) -> Iterable[tuple[str, str]]:
    return ("user", prose.sentence(20)), ("assistant", prose.sentence(120))


def _work(prose: Prose) -> Iterable[tuple[str, str]]:
    """Of an agent that works: what its tools print is most of it."""
    return ("user", prose.sentence(20)), ("tool", prose.output()), ("assistant", prose.sentence(60))


def _opencode(root: Path, size: int) -> int:
    root.mkdir(parents=True)
    db = sqlite3.connect(root / "opencode.db")
    for name in ("schema.sql", "rows.sql"):
        db.executescript((DATA / "opencode" / name).read_text())
    session = "ses_e0476518cffeddmKk1k5vmobwr"
    rows = {
        table: db.execute(f"SELECT * FROM {table} WHERE session_id = ? ORDER BY id", (session,)).fetchall()  # noqa: S608
        for table in ("message", "part")
    }
    for table in ("message", "part"):
        db.execute(f"DELETE FROM {table}")  # noqa: S608
    db.execute("DELETE FROM session WHERE id != ?", (session,))
    prose = Prose(1)
    written = turn = 0
    while written < size:
        for table, found in rows.items():
            for row in found:
                *ids, created, updated, data = row
                data = _filled(orjson.dumps(_marked(orjson.loads(data))).decode(), prose)
                fresh = [one if one == session else f"{one[:4]}{turn:08d}{one[4:]}" for one in ids]
                marks = ", ".join("?" * len(row))
                at = (created + turn * 60_000, updated)
                db.execute(f"INSERT INTO {table} VALUES ({marks})", (*fresh, *at, data))  # noqa: S608
                written += len(data)
        turn += 1
    db.commit()
    db.close()
    return written


def _opencode_rows(root: Path) -> Iterator[bytes]:
    db = sqlite3.connect(root / "opencode.db")
    for table in ("message", "part"):
        for (data,) in db.execute(f"SELECT data FROM {table}"):  # noqa: S608
            yield data
    db.close()


FORMS = (
    Form("claude", "Claude Code", _claude, lines_under),
    Form("codex", "Codex", _codex, lines_under),
    Form("gemini", "Gemini CLI", _gemini, lines_under),
    Form("opencode", "OpenCode", _opencode, _opencode_rows),
    Form("plain", "plain JSONL, talk alone", partial(_plain, _talk), lines_under),
    Form("plain", "plain JSONL, with tools", partial(_plain, _work), lines_under),
)


def _records(sample: Path) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in sample.read_bytes().splitlines()]


def _marked(value: Any) -> Any:
    """The record with a mark in every place that holds what a tool printed or a provider sealed."""
    if isinstance(value, list):
        return [_marked(one) for one in value]
    if not isinstance(value, dict):
        return value
    made = {key: _marked(one) for key, one in value.items()}
    places = [*_OUTPUTS, "content"] if value.get("type") == "tool_result" else _OUTPUTS
    made |= {key: _OUTPUT for key in places if isinstance(value.get(key), str)}
    return made | {key: _BLOB for key in _BLOBS if isinstance(value.get(key), str)}


def _filled(line: str, prose: Prose) -> str:
    if _OUTPUT in line:
        line = line.replace(f'"{_OUTPUT}"', json.dumps(prose.output()))
    return line.replace(_BLOB, prose.blob())


def _repeated(
    path: Path, head: Iterable[Any], body: Iterable[Any], size: int, keep: set[str], last: str = ""
) -> int:
    """Write `head` once and `body` until the file has `size` bytes; ids in `keep` stay the same.

    The record marked so hangs from the record `last` of the repetition before.
    """
    path.parent.mkdir(parents=True)
    prose = Prose(1)
    lines = [orjson.dumps(_marked(record)).decode() for record in body]
    written = turn = ordinal = 0
    with path.open("w", encoding="utf-8") as file:
        written += sum(file.write(orjson.dumps(record).decode() + "\n") for record in head)
        while written < size:
            before = f'"{turn - 1:08x}{last[8:]}"' if turn else "null"
            for line in lines:
                fresh = _filled(_renamed(line, turn, keep), prose).replace(f'"{_PARENT}"', before)
                ordinal += 1
                written += file.write(fresh.replace(f'"{_ORDINAL}"', str(ordinal)) + "\n")
            turn += 1
    return path.stat().st_size


def _renamed(line: str, turn: int, keep: set[str]) -> str:
    fresh = _UUID.sub(lambda found: found[0] if found[0] in keep else f"{turn:08x}{found[1]}", line)
    return _CALL.sub(rf':"\1_{turn}x\2', fresh)
