"""A data folder of OpenCode for tests, and short ways to read it."""

import json
import shutil
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from agents_outline import sections

from siltstone.agents.opencode.read import OpenCode
from siltstone.agents.values import Record
from siltstone.pipeline.messages import Reader, Reading, Source

DATA = Path(__file__).parent.parent / "data" / "opencode"
OUTLINES = sections((DATA / "outlines.txt").read_text())
SESSIONS = {
    "01-multiturn": "ses_e0476bde8ffevi14i1Y4UcipGi",
    "02-failing-command": "ses_e047688a5ffex4V6jzkgvoa4rh",
    "03-remember": "ses_e04766eb1ffeO2aKh45IZmVFBE",
    "04-edits": "ses_e0476518cffeddmKk1k5vmobwr",
    "05-nonascii": "ses_e0476389cffeso35e3OQxYogQV",
    "06-tool-errors": "ses_e04762654ffeYyTyGol5VonIes",
    "07-todo": "ses_e047611fcffe3VhZ6oh7nd9kd2",
    "08-subagent-parent": "ses_e0475fc90ffe1lcO9uS7PTrVUV",
    "08-subagent-child": "ses_e0475ef34ffeHO03dwTZTHsCaB",
    "09-provider-error": "ses_e0475e372ffeF17h6QFc3c8gGL",
    "10-compaction": "ses_e0475d254ffeTFlDkiC70nSsdC",
    "11-file-attachment": "ses_e0475a9e4ffeZ7E4vhLWhYevQz",
    "12-api-session-reverted-compacted": "ses_e04758496ffeeMDbY6E9l3UP6P",
    "json-era-remember": "ses_e04744c55ffeDP4XSdHrjCctP3",
    "json-era-failing-command": "ses_e0474599cffeQ1iCtxg7pLRMcr",
}
START = 1_795_221_600_000
SOON = datetime.fromtimestamp(START / 1000 + 60, UTC)
"""A minute after what the tests write: a turn left open still counts as running."""


class Home:
    """A data folder of OpenCode, with a database in WAL mode that somebody keeps open."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.db = sqlite3.connect(root / "opencode.db", isolation_level=None)
        self.db.execute("PRAGMA journal_mode=WAL")
        self.db.executescript((DATA / "schema.sql").read_text())
        self.db.execute(
            "INSERT INTO project (id, worktree, time_created, time_updated, sandboxes) "
            "VALUES ('global', '/', 0, 0, '[]')"
        )

    def record(self) -> None:
        """Put in what the real agents left: sessions of 1.18.33, and the files of 1.1.53."""
        self.db.executescript((DATA / "rows.sql").read_text())
        shutil.copytree(DATA / "storage", self.root / "storage")

    def session(self, id_: str, **columns: object) -> None:
        row = {
            "id": id_,
            "project_id": "global",
            "slug": id_,
            "directory": "/home/dev/app",
            "title": "a talk",
            "version": "1.18.33",
            "time_created": START,
            "time_updated": START,
        } | columns
        self.db.execute(
            f"INSERT INTO session ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",  # noqa: S608
            list(row.values()),
        )

    def message(self, session: str, id_: str, at: int, data: Record, *parts: Record) -> None:
        text = json.dumps(data | {"time": {"created": START + at} | data.get("time", {})})
        self.db.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", (id_, session, START + at, START, text))
        for n, part in enumerate(parts):
            self.db.execute(
                "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)",
                (f"prt_{id_}_{n}", id_, session, START + at, START, json.dumps(part)),
            )

    def said(self, session: str, id_: str, at: int, text: str) -> None:
        self.message(session, id_, at, {"role": "user"}, {"type": "text", "text": text})

    def answered(self, session: str, id_: str, at: int, *parts: Record, **data: object) -> None:
        done: Record = {"role": "assistant", "time": {"completed": START + at + 1}, "finish": "stop"}
        self.message(session, id_, at, done | data, *parts)

    def reader(self, now: datetime = SOON) -> OpenCode:
        return OpenCode(self.root, now=lambda: now)


def text(words: str) -> Record:
    return {"type": "text", "text": words}


def tool(status: str, output: str = "", **metadata: object) -> Record:
    state = {"status": status, "input": {"command": "make test"}, "output": output, "metadata": metadata}
    return {"type": "tool", "tool": "bash", "callID": "call_1", "state": state}


def source(reader: Reader, session: str) -> Source:
    return next(one for one in reader.discover() if one.key == session)


def opened(reader: Reader, session: str, resume: str | None = None) -> Reading:
    reading = reader.read(source(reader, session), resume)
    assert reading is not None
    return reading
