"""A Codex home for tests, rollouts made by hand, and short ways to read them."""

import json
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

from agents_outline import sections

from siltstone.agents.codex.read import Codex
from siltstone.agents.values import Record
from siltstone.pipeline.messages import Reading, Source, Step

DATA = Path(__file__).parent.parent / "data" / "codex"
OUTLINES = sections((DATA / "outlines.txt").read_text())
NAMES = {
    "01-multiturn": "01a1fb88-cafa-7061-955d-30d9fc72ca8d",
    "02-failing-command": "01a1fb88-ce20-72e1-b217-4287648c178a",
    "03-remember": "01a1fb88-cf71-7292-8dbd-75001179b58b",
    "04-edits": "01a1fb88-d066-7062-947a-060facfefb82",
    "05-nonascii": "01a1fb88-d1dc-79c2-bca7-3b2722644f53",
    "06-compaction": "01a1fb88-d2f3-70f3-8139-d74bd36171e9",
    "07-fork-of-01": "01a1fb88-d5a1-7c63-b459-bbfb39be18f4",
    "08-interrupted": "01a1fb88-d6f5-75a1-8d30-6a322cd72250",
    "09-subagent-child": "01a1fb88-e185-7601-bce3-d2c0725d86db",
    "09-subagent-parent": "01a1fb88-e112-7d72-a358-6646f12dd80d",
    "10-codemode-edits": "01a1fb88-e35b-7f10-91bd-8e2d32d6f9da",
    "11-stream-error": "01a1fb88-e4ef-7151-ae69-41b313081c21",
    "12-reverted": "01a1fb88-e609-7971-ad58-d43d37b98c41",
    "12-reverted-segment": "01a1fb88-e9b6-7032-a3c7-08d7476a5c80",
    "13-torn-line": "01a1fb88-eb56-7340-9e0d-996a6291406c",
    "14-archived": "01a1fb88-ee15-7bd3-866e-4c388b180ea1",
    "15-hooks-context": "01a1fb88-f206-7222-9ab2-682137c28ad8",
    "16-mcp": "01a1fb88-f446-77f0-8612-2c1e56a0648e",
    "17-stop-hook-blocked": "01a1fb88-fb95-7da0-bf04-87751fd19f19",
    "18-tui": "01a1fb81-5385-7b81-9751-bf2a0c17b7fe",
    "18-tui-rewound": "01a1fb81-c6c5-71e0-a79c-b24a263692c0",
    "20-legacy-0.57.0": "01a1fb89-0307-7451-882a-ddd19bf1217f",
    "20-legacy-0.125.0": "01a1fb89-0a8b-77a1-90c2-1721323f406c",
    "20-legacy-0.145.0": "01a1fb89-1fd6-7581-ac20-fca7ab03d506",
}
"""Outline → the last id in the rollout's name: the segment's, or the thread's."""
MIGRATED = {
    "21-migrated-0.57.0": "20-legacy-0.57.0",
    "21-migrated-0.125.0": "20-legacy-0.125.0",
    "21-migrated-0.145.0": "20-legacy-0.145.0",
}
THREAD = "01a1fb88-0000-7000-8000-000000000001"
_FOLDER = "sessions/2026/11/21"


class Home:
    """A Codex home: recordings copied in, or rollouts written line by line."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.later = timedelta()
        """How long ago everything was written."""

    def reader(self) -> Codex:
        return Codex(self.root, now=lambda: datetime.now(UTC) + self.later)

    def record(self) -> None:
        shutil.copytree(DATA / "home", self.root, dirs_exist_ok=True)

    def path(self, name: str) -> Path:
        """The recording of that name."""
        return next(path for path in self.root.rglob("rollout-*") if path.stem.endswith(NAMES[name]))

    def write(self, *records: Record, thread: str = THREAD, segment: str = "", **about: object) -> Path:
        """A rollout of these records after its `session_meta`; ordinals count from that one's."""
        name = f"rollout-2026-11-21T00-00-00-{thread}{'_' + segment if segment else ''}.jsonl"
        path = self.root / _FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        meta = {"type": "session_meta", "payload": {"id": thread, "cwd": "/home/dev/app"} | about}
        base = about.get("history_base")
        first = base["end_ordinal_exclusive"] if isinstance(base, dict) else 0
        path.write_text("".join(line(first + n, one) for n, one in enumerate((meta, *records))))
        return path


def line(ordinal: int, record: Record) -> str:
    """One line, its keys in Codex's order."""
    stamp = f"2026-11-21T00:{ordinal // 60:02}:{ordinal % 60:02}.000Z"
    return json.dumps({"timestamp": stamp, "ordinal": ordinal} | record, separators=(",", ":")) + "\n"


def event(kind: str, **fields: object) -> Record:
    return {"type": "event_msg", "payload": {"type": kind} | fields}


def item(kind: str, id_: str, **fields: object) -> Record:
    return event("item_completed", item={"type": kind, "id": id_} | fields)


def typed(id_: str, words: str) -> Record:
    return item("UserMessage", id_, content=[{"type": "text", "text": words}])


def said(id_: str, words: str, phase: str | None = None) -> Record:
    fields = {"phase": phase} if phase else {}
    return item("AgentMessage", id_, content=[{"type": "Text", "text": words}], **fields)


def ran(id_: str, command: str, exit_: int = 0, output: str = "") -> Record:
    words = ["/bin/bash", "-lc", command]
    return item(
        "CommandExecution",
        id_,
        command=words,
        exit_code=exit_,
        aggregated_output=output,
        status="completed",
    )


def response(kind: str, **fields: object) -> Record:
    return {"type": "response_item", "payload": {"type": kind} | fields}


def call(id_: str, command: str) -> Record:
    arguments = json.dumps({"cmd": command})
    return response("function_call", name="exec_command", arguments=arguments, call_id=id_)


def output(id_: str, text: object) -> Record:
    return response("function_call_output", call_id=id_, output=text)


def source(home: Home, path: Path) -> Source:
    return next(one for one in home.reader().discover() if one.path == path)


def opened(home: Home, path: Path, resume: str | None = None) -> Reading:
    reading = home.reader().read(source(home, path), resume)
    assert reading is not None
    return reading


def steps(home: Home, path: Path, resume: str | None = None) -> list[Step]:
    return list(opened(home, path, resume).steps)
