"""How commands print: one JSON value with `--json`, else plain lines, coloured on a terminal."""

import contextlib
import io
import json
import os
import sys
import warnings
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Any

import typer

from siltstone.cli.note import printable
from siltstone.store.commits import RUN, Commit
from siltstone.store.entry import Stored


def prepare() -> None:
    """Make the standard streams of this process take any text, and stand in for those that are closed.

    A terminal that knows no "—" or "日" gets an escape in its place, and no command ends for it.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 (to the process's end)
        if isinstance(stream := getattr(sys, name), io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # libraries warn their developers, not the users of ours


def let_go() -> None:
    """Send what standard output still holds nowhere: it cannot be written, and would fail again at exit."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def show(*lines: str, style: str = "") -> None:
    """Lines or blocks of output."""
    show_styled((line, style) for line in lines)


def show_styled(lines: Iterable[tuple[str, str]]) -> None:
    """Lines, each "bold", "dim" or plain ("") where the output is a terminal that shows that."""
    styled = sys.stdout.isatty() and os.environ.get("TERM") != "dumb" and "NO_COLOR" not in os.environ
    for text, style in lines:
        line = printable(text)
        if styled and style:
            line = typer.style(line, bold=style == "bold" or None, dim=style == "dim" or None)
        sys.stdout.write(f"{line}\n")


def emit_json(value: Any) -> None:
    """One JSON document on standard output. Datetimes are written as UTC with a Z."""
    sys.stdout.write(json.dumps(value, ensure_ascii=True, indent=2, default=_plain) + "\n")


def show_list(json: bool, value: Any, lines: Sequence[str], nothing: str) -> None:
    """What a command lists: the value with `--json`, else the lines, or that there is nothing."""
    if json:
        emit_json(value)
    else:
        show(*lines or [nothing])


def show_memories(memories: Sequence[Stored], json: bool, nothing: str) -> None:
    """Memories, a line each by path and description."""
    lines = [f"{stored.path} — {stored.entry.description}" for stored in memories]
    show_list(json, list(map(as_json, memories)), lines, nothing)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return stamp(value)
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"no JSON form for {type(value).__name__}")


def stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def as_json(stored: Stored) -> dict[str, Any]:
    """An entry as commands print it with `--json`."""
    return {
        "path": stored.path,
        **stored.entry._asdict(),
        "evidence": [one._asdict() for one in stored.entry.evidence],
        "chars": len(stored.entry.body),
        "hash": stored.hash,
        "pinned": stored.pinned,
        "archived": stored.archived,
    }


def commit_line(commit: Commit) -> str:
    """One commit on one line: id, time, what was done, and in which run or by whom."""
    run = commit.trailer(RUN)
    who = ", ".join([*([f"run {run}"] if run else []), commit.op or f"by {commit.author}"])
    return f"{commit.id[:8]}  {stamp(commit.at)}  {commit.subject}  ({who})"
