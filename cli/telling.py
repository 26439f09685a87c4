"""How a memory and a commit are told, by commands and by tools."""

from typing import Any

from siltstone.cli.output import stamp
from siltstone.store.commits import Commit
from siltstone.store.entry import Stored


def as_json(stored: Stored) -> dict[str, Any]:
    """An entry as commands print it with `--json`."""
    entry = stored.entry
    return {
        "path": stored.path,
        "scope": entry.scope,
        "name": entry.name,
        "type": entry.type,
        "topic": entry.topic,
        "description": entry.description,
        "body": entry.body,
        "chars": len(entry.body),
        "limit": entry.limit,
        "hash": stored.hash,
        "source": entry.source,
        "origin": entry.origin,
        "created": entry.created,
        "updated": entry.updated,
        "evidence": [
            {"agent": e.agent, "session": e.session, "message": e.message, "at": e.at, "quote": e.quote}
            for e in entry.evidence
        ],
        "readonly": entry.readonly,
        "pinned": stored.pinned,
        "archived": stored.archived,
        "superseded_by": entry.superseded_by,
    }


def commit_line(commit: Commit) -> str:
    """One commit on one line: id, time, what was done, and in which run or by whom."""
    run = commit.trailer("Silt-Run")
    who = ", ".join([*([f"run {run}"] if run else []), commit.op or f"by {commit.author}"])
    return f"{commit.id[:8]}  {stamp(commit.at)}  {commit.subject}  ({who})"
