"""A request's paragraph above a paste: how much of the message tells whose words it is, and where nobody
else's can stand in it. A hook that knows this need not load the rules for all the rest (`foreign.py`)."""

from siltstone.pipeline.pasted_table import TASK
from siltstone.pipeline.sentences import may_quote
from siltstone.pipeline.words import words
from siltstone.store.late import LatePattern, fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

BREAK = LatePattern(r"\n[ \t]*(?:\n[ \t]*)+")
"""Between two paragraphs."""
_MARKS = ("<", "//", "/*", " #", "```", '"', "'''", "|", "diff --git ")
"""Of what may be somebody else's, or be marked off, without a colon."""
GREETING = tuple(words("hi hel hey dea goo mor moi hal lie gut seh bon che hol est cia"))
"""The letters with which each greeting begins that is written in ASCII."""


def start_of(text: str, end: int) -> str:
    """A message up to the letter with which the paragraph begins behind that in which `end` is, where nothing
    else behind it tells whose words these are; else all of it. Of a request above a paste that is little."""
    gap = BREAK.search(text, end)
    return text if gap is None or _goes_on(text[: gap.start()]) else text[: gap.end() + 1]


def plainly_own(text: str, bodies: "Iterable[tuple[int, int]]") -> bool:
    """Whether nobody else's words can stand in the line in which what is asked to be kept stands (`bodies`,
    where each begins and ends), for it is the text's only one, or its first and a paragraph by itself.
    `text`: without what a machine put in (`echo.strip`)."""
    starts, ends = zip(*bodies, strict=True)
    line = text
    if "\n" in text:
        gap = BREAK.search(text, max(ends))
        line = text[: gap.start()] if gap else text
        if "\n" in line or not line[:1].isalpha() or may_quote(line) or _goes_on(line):
            return False
    if any(mark in line for mark in _MARKS):
        return False
    for start in starts:
        lead = line[:start].rstrip()
        if lead.endswith((":", "：")):  # a request's own, unless it is a task's: "translate and remember: …"
            line = f"{lead[:-1]} {line[len(lead) :]}"
            if TASK.sources(fold(lead)):
                return False
    return not (":" in line or "：" in line)


def may_greet(line: str) -> bool:
    """Whether a line may be a greeting, as its first letters tell."""
    return not line.isascii() or line.lstrip(" \t")[:3].lower().startswith(GREETING)


def _goes_on(start: str) -> bool:
    """Whether something begins here that may end further on: a tag, a fence, a remark, a letter, a diff, what
    was typed into a shell."""
    lines = start.split("\n")
    if any(mark in start for mark in ("<", "`", "~~~", "/*", '"""', "'''", "$")):
        return True
    return any(line[:1] in ("+", "-", " ") or may_greet(line) for line in lines if line)
