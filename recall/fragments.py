"""Memories made ready for showing, when they are written: everything costly is done here."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from siltstone.recall import escape
from siltstone.recall.retention import IMPORTANCE, initial
from siltstone.recall.view import Fragment
from siltstone.store.reinforcement import MAX_COUNT, reinforcements

if TYPE_CHECKING:
    from siltstone.store.entry import Stored

MAX_LINE = 280
"""Characters of a description in a block. Longer ones would crowd out the others; `silt show` has all."""
SOURCES = {"explicit": 3, "manual": 2, "extraction": 1}
_IMPORTANCE = re.compile(r"^[ \t]*importance:[ \t]*[\"']?(low|normal|high)[\"']?[ \t]*(?:#.*)?\r?$", re.M)
_HEAD_END = re.compile(r"^---[ \t]*\r?$", re.M)


def fragment(one: Stored, used: int = 0) -> Fragment:
    """The fragment of one entry in force, opened or cited on `used` days: each counts as a repeat."""
    entry = one.entry
    clock = entry.updated.timestamp()
    line = escape.line(entry.description, MAX_LINE)
    return Fragment(
        path=one.path,
        scope=entry.scope,
        type=entry.type,
        topic=entry.topic or "",
        name=entry.name,
        line=line,
        more=int(_says_more(entry.body, entry.description)),
        chars=len(entry.body),
        limit=entry.limit,
        hot=int(one.pinned),
        source=SOURCES[entry.source],
        clock=clock if clock > 0 else None,
        initial=initial(entry.type, entry.source, importance(one.text)),
        repeats=min(reinforcements(entry.evidence) + used, MAX_COUNT),
        body="\n".join(escape.lines(entry.body, entry.limit)) if one.pinned else "",
    )


def importance(text: str) -> str:
    """What the optional key `importance` of a file's frontmatter says; "normal" for anything else (A21)."""
    if "importance" not in text:
        return "normal"
    marks = _HEAD_END.finditer(text)
    start, end = next(marks, None), next(marks, None)
    if start is None or end is None or start.start() != 0:
        return "normal"
    said = _IMPORTANCE.search(text, start.end(), end.start())
    return said[1] if said is not None and said[1] in IMPORTANCE else "normal"


def _says_more(body: str, description: str) -> bool:
    said, head = " ".join(body.split()).casefold(), " ".join(description.split()).casefold()
    return said.strip(" .") not in head
