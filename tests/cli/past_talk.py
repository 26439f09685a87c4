"""Transcripts of plain talk and of Claude Code, and a run that takes them into the session archive."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from support.commands import call

DAY = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
Talk = Sequence[tuple[str, str]]


def talk(home: Path, name: str, said: Talk, day: datetime = DAY, cwd: str = "/srv/app") -> Path:
    """What was said minute by minute, behind what the transcript holds already."""
    rows = [
        {"role": role, "content": text, "timestamp": at, "cwd": cwd, "session": name}
        for at, (role, text) in _dated(said, day)
    ]
    return _written(home / "plain" / f"{name}.jsonl", rows)


def claude(home: Path, name: str, said: Talk, cwd: str) -> Path:
    """The same as Claude Code writes it."""
    rows, before = list[dict[str, Any]](), None
    for n, (at, (role, text)) in enumerate(_dated(said, DAY)):
        id = f"{name}-{n}"
        row = {"type": role, "uuid": id, "parentUuid": before, "sessionId": name, "cwd": cwd, "timestamp": at}
        rows.append(row | {"message": {"role": role, "content": text}})
        before = id
    return _written(home / "claude" / "projects" / "-work" / f"{name}.jsonl", rows)


def run_over(home: Path, *words: str) -> Any:
    """A run over all of these; its report."""
    (home / "plain").mkdir(exist_ok=True)
    (home / "claude" / "projects").mkdir(parents=True, exist_ok=True)
    roots = ("--root", f"plain={home / 'plain'}", "--root", f"claude={home / 'claude'}")
    done = call("run", *roots, "--idle", "0", "--json", *words)
    assert done.code == 0, done.err
    return done.json


def _dated(said: Talk, day: datetime) -> list[tuple[str, tuple[str, str]]]:
    return [((day + timedelta(minutes=n)).isoformat(), one) for n, one in enumerate(said)]


def _written(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return path
