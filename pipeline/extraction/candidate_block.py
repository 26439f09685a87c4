"""The `Memory candidates:` section of an agent's own compaction summary (docs/seeds.md A8, A9, "Source").

What stands there was written by an assistant: it is assistant-inferred unless a user message of the
session says the same (docs/architecture.md). The block fails closed: one line of prose in it, and
nothing of it is taken. Numbers of entries (`REINFORCE [M#]`, `REPLACE [M#]`) are those of another system: of
a replacement the text alone counts, and a reinforcement proposes nothing.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import cast

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
_LINE = re.compile(r"(?:[-*•][ \t]+)?\[(?P<type>[a-z]+)\][ \t]*:?[ \t]*(?P<text>.*)", re.I)
_REINFORCE = re.compile(r"(?:[-*•][ \t]+)?REINFORCE\b[ \t]*(?P<ref>\[[^\]]*\]|\S*)[ \t]*$")
_REPLACE = re.compile(r"(?:[-*•][ \t]+)?REPLACE\b[ \t]*(?P<ref>\[[^\]]*\])?[ \t]*(?P<rest>.*)")
_REF = re.compile(r"\[M[1-9]\d{0,3}\]")
_NOTHING = re.compile(
    r"(?:[-*•][ \t]+)?\(?(?:none|nothing|n/a|no (?:new )?(?:memory )?candidates)\)?\.?", re.I
)
_SNAPSHOT = re.compile(r"memory ref snapshot id[ \t]*:", re.I)


@dataclass(frozen=True, slots=True)
class Line:
    """A proposed memory."""

    type: Type
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """What the last block of a summary proposes."""

    lines: tuple[Line, ...] = ()
    rejected: Counter[str] = field(default_factory=Counter)
    """Lines not taken, by reason: "invalid_memory_type", "invalid_memory_ref",
    "empty_replacement_text", "unsupported_candidate_syntax", "too_many", or a reason of the gate."""
    refused: tuple[Line, ...] = ()
    """Lines the gate rejects, so that the ledger can say what they were."""


def parse(summary: str) -> Block:
    """The last candidate block of a summary; an empty one when there is none, or when it is not clean."""
    body = _last_block(summary[-MAX_TEXT:])
    rejected: Counter[str] = Counter()
    lines: list[Line] = []
    refused: list[Line] = []
    for row in body:
        taken = _row(row)
        if taken is None:
            continue
        if isinstance(taken, Line):
            reason = "too_many" if len(lines) >= MAX_LINES else gate(taken.type, taken.text, "extraction")
            if reason is None:
                lines.append(taken)
            else:
                rejected[reason] += 1
                if reason != "too_many":
                    refused.append(taken)
        elif taken == "unsupported_candidate_syntax":
            return Block(rejected=Counter({taken: len(body)}))
        else:
            rejected[taken] += 1
    return Block(tuple(lines), rejected, tuple(refused))


def cut(summary: str) -> str:
    """The last candidate block of a compaction summary as an answer of its own; "" when there is none.

    All that a reader hands on of a summary: the rest repeats what stands in the transcript (invariant 7).
    """
    rows = _last_block(summary[-MAX_TEXT:])
    return "\n".join([HEADING, *rows]) if any(isinstance(_row(row), Line) for row in rows) else ""


def _last_block(summary: str) -> list[str]:
    """Rows of the last block, blank and empty ones left out; a heading, or prose behind a blank line, ends
    it."""
    lines = summary.replace("\r\n", "\n").split("\n")
    shape = "\n".join("x" if quoted else line for line, quoted in zip(lines, fenced(lines), strict=True))
    heads = [(match.start(), match.end(), "") for match in _HEAD.finditer(shape)]
    heads += [(match.start(), match.end(), _XML_END) for match in _XML.finditer(shape)]
    if not heads:
        return []
    _, start, closing = max(heads)
    rest = shape[start:]
    if closing:
        end = rest.lower().find(closing)
        rest = rest[:end] if end >= 0 else ""
    rows: list[str] = []
    blank = False
    for row in rest.split("\n"):
        text = row.strip()
        if re.match(r"#{1,6}\s|<", text) or (blank and rows and _row(text) == "unsupported_candidate_syntax"):
            break
        blank = not text
        if text and not _NOTHING.fullmatch(text) and not _SNAPSHOT.match(text):
            rows.append(text)
    return rows


def _row(row: str) -> Line | str | None:
    """A line, None for a reinforcement, or the reason why it is neither."""
    if match := _REINFORCE.fullmatch(row):
        return None if _REF.fullmatch(match["ref"]) else "invalid_memory_ref"
    if match := _REPLACE.fullmatch(row):
        if _REF.fullmatch(match["ref"] or "") is None:
            return "invalid_memory_ref"
        made = _typed(match["rest"])
        return "empty_replacement_text" if made == "empty" else made
    made = _typed(row)
    if isinstance(made, Line) or made == "invalid_memory_type":
        return made if _LINE.fullmatch(row) else "unsupported_candidate_syntax"
    return "empty"


def _typed(row: str) -> Line | str:
    match = _LINE.fullmatch(row)
    if match is None or match["type"].lower() not in TYPES:
        return "invalid_memory_type"
    text = match["text"].strip()
    return Line(cast(Type, match["type"].lower()), text) if text else "empty"
