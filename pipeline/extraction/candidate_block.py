"""The `Memory candidates:` section of an agent's own compaction summary (docs/seeds.md A8, A9, "Source").

What stands there was written by an assistant: it is assistant-inferred unless a user message of the
session says the same (docs/architecture.md). The block fails closed: one line of prose in it, and
nothing of it is taken. Numbers of entries (`REINFORCE [M#]`, `REPLACE [M#]`) are those of another system: of
a replacement the text alone counts, and a reinforcement proposes nothing.
"""

import re
from typing import NamedTuple, cast

from siltstone.pipeline.proof.gate import gate
from siltstone.pipeline.rules.pasted import fenced
from siltstone.store.entry import TYPES, Type

HEADING = "Memory candidates:"
MAX_TEXT = 200_000
MAX_LINES = 60

_HEAD = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t]*)?(?:\*\*)?(?:workspace[ \t]+)?memory[ \t]+candidates?"
    r"(?:\*\*)?[ \t]*:?(?:\*\*)?[ \t]*$",
    re.I | re.M,
)
_XML = re.compile(r"<workspace_memory_candidates>[ \t]*\n?", re.I)
_XML_END = "</workspace_memory_candidates>"
_ROW = re.compile(
    r"(?:[-*•][ \t]+)?(?:(?:REPLACE[ \t]*\[M[1-9]\d{0,3}\][ \t]*)?(?:[-*•][ \t]+)?"
    r"\[(?P<type>[A-Za-z]+)\][ \t]*:?[ \t]*(?P<text>.*)"
    r"|REINFORCE\b[ \t]*(?:\[[^\]]*\]|\S*)[ \t]*|REPLACE\b.*)"
)
"""A memory, or a row of another system's that proposes none; what is neither is prose."""
_NOTHING = re.compile(
    r"(?:[-*•][ \t]+)?\(?(?:none|nothing|n/a|no (?:new )?(?:memory )?candidates)\)?\.?", re.I
)
_SNAPSHOT = re.compile(r"memory ref snapshot id[ \t]*:", re.I)


class Line(NamedTuple):
    type: Type
    text: str

    @property
    def passes(self) -> bool:
        return gate(self.type, self.text, "extraction") is None


def parse(summary: str) -> list[Line]:
    """What the last candidate block of a summary proposes, those that the gate rejects last; nothing when
    there is none, or when it is not clean."""
    rows = _last_block(summary[-MAX_TEXT:])
    if not all(map(_ROW.fullmatch, rows)):
        return []
    lines = [line for line in map(_line, rows) if line is not None]
    return sorted(lines, key=lambda line: not line.passes)[:MAX_LINES]


def cut(summary: str) -> str:
    """The last candidate block of a compaction summary as an answer of its own; "" when there is none.

    All that a reader hands on of a summary: the rest repeats what stands in the transcript (invariant 7).
    """
    rows = _last_block(summary[-MAX_TEXT:])
    return "\n".join([HEADING, *rows]) if any(map(_line, rows)) else ""


def _last_block(summary: str) -> list[str]:
    """Rows of the last block, blank and empty ones left out; a heading, or prose behind a blank line, ends
    it."""
    lines = summary.replace("\r\n", "\n").split("\n")
    shape = "\n".join("x" if quoted else line for line, quoted in zip(lines, fenced(lines), strict=True))
    heads = [(found.end(), "") for found in _HEAD.finditer(shape)]
    heads += [(found.end(), _XML_END) for found in _XML.finditer(shape)]
    if not heads:
        return []
    start, closing = max(heads)
    rest = shape[start:]
    if closing:
        end = rest.lower().find(closing)
        rest = rest[:end] if end >= 0 else ""
    rows: list[str] = []
    blank = False
    for text in map(str.strip, rest.split("\n")):
        if re.match(r"#{1,6}\s|<", text) or (blank and rows and text and not _ROW.fullmatch(text)):
            break
        blank = not text
        if text and not _NOTHING.fullmatch(text) and not _SNAPSHOT.match(text):
            rows.append(text)
    return rows


def _line(row: str) -> Line | None:
    """The memory that a row proposes."""
    found = _ROW.fullmatch(row)
    if found is None or not (found["text"] or "").strip() or found["type"].lower() not in TYPES:
        return None
    return Line(cast(Type, found["type"].lower()), found["text"].strip())
