#!/usr/bin/env python3
"""Lays the demo's transcripts out as the agents left them.

    unpack.py FOLDER

makes FOLDER/claude, codex, gemini and opencode, each as `--root AGENT=` wants it. In the repository the
secrets are broken by a mark and the database is SQL; here they are made whole. Files get the time of
their last record, so that the sessions look idle.
"""

import os
import re
import sqlite3
import sys
from contextlib import closing
from datetime import datetime
from pathlib import Path

HERE = Path(__file__).resolve().parent
MARK = "¦¦"
AGENTS = ("claude", "codex", "gemini")
_TIME = re.compile(r'"timestamp":"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)')
_UPDATED = "SELECT max(time_updated) / 1000.0 FROM session"


def unpack(folder: Path) -> None:
    """Write all four agents' transcripts into `folder`."""
    for file in sorted(one for agent in AGENTS for one in (HERE / agent).rglob("*") if one.is_file()):
        text = _whole(file)
        place = folder / file.relative_to(HERE)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
        told = max(_TIME.findall(text), default=None)
        if told is not None:
            _set_time(place, datetime.fromisoformat(f"{told}+00:00").timestamp())
    _database(folder / "opencode" / "opencode.db")


def _database(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.executescript(_whole(HERE / "opencode" / "opencode.sql"))
        last = database.execute(_UPDATED).fetchone()[0]
    _set_time(path, last)


def _whole(file: Path) -> str:
    return file.read_text(encoding="utf-8").replace(MARK, "")


def _set_time(path: Path, seconds: float) -> None:
    os.utime(path, (seconds, seconds))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    unpack(Path(sys.argv[1]))
