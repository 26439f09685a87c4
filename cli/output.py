"""How commands print: one JSON value with `--json`; else a table on a terminal and plain lines in a pipe."""

import io
import json
import os
import re
import sys
import warnings
from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

import typer

from siltstone.cli import terminal
from siltstone.cli.note import printable
from siltstone.recall import escape
from siltstone.recall.block import BODY_CHARS
from siltstone.store.code.status import MARKS
from siltstone.store.commits import RUN, Commit
from siltstone.store.data import data
from siltstone.store.entry import UNDATED, Entry, Stored

BODIES_CHARS = 3_000
"""Characters that the texts of found memories take in all."""
REASONS: dict[str, str] = data(__file__, "reasons.toml")


def prepare() -> None:
    """Make this process's standard streams accept any text, and replace those that are closed.

    A terminal that cannot print "—" or "日" gets an escape instead, and no command fails because of it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (to the process's end)
        if isinstance(stream := getattr(sys, name), io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if not sys.warnoptions:
        warnings.simplefilter("ignore")  # libraries warn their developers, not the users of ours


def show(*lines: str, style: str = "") -> None:
    """Lines or blocks of output."""
    show_styled((line, style) for line in lines)


def show_styled(lines: Iterable[tuple[str, str]], words: int | None = None, paged: bool = False) -> None:
    """Lines, each "bold", "dim", a colour or plain ("") where the output is a terminal that shows that; or
    only its first `words`. There no word is broken, and more than a screen may be `paged`."""
    drawn = terminal.here()
    styled, width = drawn and "NO_COLOR" not in os.environ, get_terminal_size().columns
    shown: list[str] = []
    for text, style in lines:
        line = printable(text)
        line = "\n".join(_whole_words(one, width) for one in line.split("\n")) if drawn else line
        if styled and style:
            head = line if words is None else " ".join(line.split(" ")[:words])
            colour = None if style in ("bold", "dim") else style
            set_off = typer.style(head, fg=colour, bold=style == "bold" or None, dim=style == "dim" or None)
            line = set_off + line[len(head) :]
        shown.append(f"{line}\n")
    write = terminal.write_paged if paged and drawn else sys.stdout.write
    write("".join(shown))


def _whole_words(line: str, width: int) -> str:
    """A line of a terminal in several, none of which ends within a word."""
    label = re.match(r"\s*(?:\S+\s{2,})?", line)
    indent = " " * label.end() if label else ""
    return fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def emit_json(value: Any) -> None:
    """One JSON document on standard output. Datetimes are written as UTC with a Z."""
    sys.stdout.write(json.dumps(value, ensure_ascii=True, indent=2, default=_plain) + "\n")


def show_list(
    json: bool,
    value: Any,
    lines: Sequence[str],
    nothing: str,
    heads: Sequence[str] = (),
    rows: Sequence[terminal.Row] = (),
) -> None:
    """What a command lists: the value with `--json`, rows on a terminal, else lines; or a remark that there
    is nothing."""
    if json:
        emit_json(value)
    elif rows and terminal.here():
        terminal.show_table(heads, rows)
    else:
        show(*lines or [nothing])


def show_memories(
    memories: Sequence[Stored], json: bool, nothing: str, conflicting: Collection[str] = ()
) -> None:
    """Memories, each by path and description, with the beginnings of the first ones' texts. `conflicting`:
    paths of open conflicts."""
    lines, rows = list[str](), list[terminal.Row]()
    for one, body in zip(memories, excerpts(memories), strict=True):
        row = memory_row(one, conflicting)
        rows.append(row._replace(text=f"{row.text}\n{body}".rstrip()))
        lines.append(f"{one.path} — {one.entry.description}{mark(one)}\n{body}".rstrip())
    show_list(json, list(map(as_json, memories)), lines, nothing, MEMORY_HEADS, rows)


def excerpts(memories: Sequence[Stored]) -> list[str]:
    """What each says beyond its line, as much as there is room for, best first; "" for nothing."""
    made, room = list[str](), BODIES_CHARS
    for one in memories:
        made.append(escape.excerpt(one.entry.description, one.entry.body, min(room, BODY_CHARS)))
        room -= len(made[-1])
    return made


def mark(stored: Stored) -> str:
    """The mark after a memory whose code has changed."""
    return MARKS[stored.code]


MEMORY_HEADS = ("type", "from", "age", "status", "name")


def memory_row(stored: Stored, conflicting: Collection[str] = ()) -> terminal.Row:
    """A memory in a table."""
    entry = stored.entry
    marks = {
        "conflict": stored.path in conflicting,
        "archived": stored.archived,
        "pinned": stored.pinned,
        "locked": entry.readonly,
        f"code {stored.code}": stored.code not in ("", "fresh"),
    }
    status = ", ".join(word for word, holds in marks.items() if holds)
    age = terminal.ago(entry.updated) if entry.updated > UNDATED else ""
    about = (entry.type, from_whom(entry), age, status)
    return terminal.Row(entry.description, about, entry.name, "dim" if stored.archived else "")


def why_not(reason: str) -> str:
    """Why something is not kept, in words for a person."""
    return REASONS.get(reason, reason)


def from_whom(entry: Entry) -> str:
    """The agent in whose session it was last said; "you" for what was typed at `silt`."""
    agent = max(entry.evidence).agent if entry.evidence else "silt"
    return "you" if agent == "silt" else agent


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return stamp(value)
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"no JSON form for {type(value).__name__}")


def stamp(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def when(at: datetime) -> str:
    """A time: for a person how long ago it was, for a pipe the time itself."""
    return terminal.ago(at) if terminal.here() else stamp(at)


def as_json(stored: Stored) -> dict[str, Any]:
    """An entry as commands print it with `--json`."""
    return {
        "path": stored.path,
        **stored.entry._asdict(),
        "evidence": [one._asdict() for one in stored.entry.evidence],
        "anchors": [one._asdict() for one in stored.entry.anchors],
        "chars": len(stored.entry.body),
        "hash": stored.hash,
        "code": stored.code or None,
        "pinned": stored.pinned,
        "archived": stored.archived,
    }


def commit_line(commit: Commit) -> str:
    """One commit on one line: id, time, what was done, and the run or the author."""
    run = commit.trailer(RUN)
    who = ", ".join([*([f"run {run}"] if run else []), commit.op or f"by {commit.author}"])
    return f"{commit.id[:8]}  {stamp(commit.at)}  {commit.subject}  ({who})"
