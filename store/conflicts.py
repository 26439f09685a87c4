"""The text of _CONFLICTS.md: two entries that contradict each other, and the user's tick (C25).

    ## a1cabb87
    - [ ] 1  2026-09-03 "free shipping starts at £40"  projects/larkspur/project-a.md  (claude/5bcef82b)
    - [x] 2  2026-10-06 "free shipping is from £50"    projects/larkspur/project-b.md  (claude/38e59dc5)
    - [ ] both are true

The file is truth and people edit it, so reading forgives spacing, order and capital X; a section that
lacks a side reads as deleted. Pure functions: deciding and writing is the pipeline's.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from datetime import date
from typing import Literal, NamedTuple
from unicodedata import east_asian_width

from siltstone.store import layout
from siltstone.store.entry_form import one_line, string

PATH = layout.CONFLICTS

Tick = Literal[1, 2, "both"]

_INTRO = """# Conflicts

Two memories say different things, and nobody guesses which is right. Tick the one that holds (or
"both are true") and save; the next run applies it. `silt conflicts` shows both sides in full.
"""
_SECTION = re.compile(r"^##(?!#)", re.M)
_HEADING = re.compile(r"[ \t]+([0-9a-f]{8})[ \t]*\Z")
_NOTE = re.compile(r">[ \t]?(.*)\Z")
_BOX = re.compile(r"[ \t]*[-*+][ \t]*\[[ \t]*([xX✓✔]?)[ \t]*\][ \t]*(1|2|both)\b[ \t]*")
_DATE = re.compile(r"([0-9]{4}-[0-9]{2}-[0-9]{2})[ \t]*")
_WHERE = re.compile(r"[ \t]*(\S.*?\.md)(?:[ \t]+\((.*)\))?[ \t]*\Z")
_ALIGNED = 60
_MAX_LINE = 20_000
"""Characters; whoever writes sections cuts quotes far below."""


class Side(NamedTuple):
    """One of two entries that contradict each other."""

    path: str
    """Store path: "projects/larkspur/project-free-shipping.md"."""
    day: date
    """When it was said (UTC)."""
    quote: str
    """The user's words, or the description where there are none."""
    session: str
    """"agent/session"; "" when the entry has no evidence."""


class Section(NamedTuple):
    """A conflict: sides 1 and 2, and what the user ticked."""

    id: str
    sides: tuple[Side, Side]
    ticked: Tick | None = None
    """None also when several boxes are ticked: then nothing is guessed, see `note`."""
    note: str = ""
    """A sentence to the user below the heading; "" for none."""


def conflict_id(one: str, other: str) -> str:
    """8 hex digits of the hash of the two store paths, the same in either order."""
    return hashlib.sha256("\n".join(sorted((one, other))).encode()).hexdigest()[:8]


def parse(text: str) -> list[Section]:
    """The sections of a file, in its order; each id once. Whatever is no section is passed over."""
    found: dict[str, Section] = {}
    for part in _SECTION.split(text.replace("\r\n", "\n"))[1:]:
        first, *lines = part.split("\n")
        heading = _HEADING.match(first)
        section = _section(heading[1], lines) if heading is not None else None
        if section is not None:
            found.setdefault(section.id, section)
    return list(found.values())


def render(sections: Sequence[Section]) -> str:
    """The whole file; "" when there is no conflict, and then no file should stand."""
    if not sections:
        return ""
    lines = [_INTRO]
    for section in sections:
        quotes = [string(side.quote) for side in section.sides]
        widths = [sum(2 if east_asian_width(char) in "WF" else 1 for char in quote) for quote in quotes]
        column = max((width for width in widths if width <= _ALIGNED), default=0)
        lines.append(f"## {section.id}")
        if section.note:
            lines.append(f"> {' '.join(section.note.split())}")
        for n, (side, quote, width) in enumerate(zip(section.sides, quotes, widths, strict=True), start=1):
            session = f"  ({one_line(side.session)})" if side.session else ""
            space = " " * max(column - width, 0)
            box = "[x]" if section.ticked == n else "[ ]"
            lines.append(f"- {box} {n}  {side.day.isoformat()} {quote}{space}  {side.path}{session}")
        lines.append(f"- {'[x]' if section.ticked == 'both' else '[ ]'} both are true\n")
    return "\n".join(lines)


def _section(id: str, lines: Sequence[str]) -> Section | None:
    sides: dict[str, Side] = {}
    ticks: list[Tick] = []
    notes: list[str] = []
    for line in lines:
        if said := _NOTE.match(line):
            notes.append(said[1].strip())
        box = _BOX.match(line)
        if box is None:
            continue
        if box[2] != "both":
            side = _side(line[box.end() :])
            if side is None or box[2] in sides:
                return None
            sides[box[2]] = side
        if box[1]:
            ticks.append("both" if box[2] == "both" else 1 if box[2] == "1" else 2)
    if len(sides) != 2:
        return None
    note = " ".join(filter(None, notes))
    if len(ticks) > 1:
        note = "More than one box was ticked: tick the one that holds."
    return Section(id, (sides["1"], sides["2"]), ticks[0] if len(ticks) == 1 else None, note)


def _side(text: str) -> Side | None:
    day = _DATE.match(text)
    if day is None or len(text) > _MAX_LINE:
        return None
    try:
        quote, end = json.JSONDecoder().raw_decode(text, day.end())
        where = _WHERE.match(text, end)
        if where is None or not isinstance(quote, str):
            return None
        return Side(where[1], date.fromisoformat(day[1]), quote, where[2] or "")
    except (ValueError, RecursionError):
        return None
