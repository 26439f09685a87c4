"""Cuts typed text into sentences.

Everything keeps its place: a sentence found in a text is quoted verbatim from it (invariant 6). What stands
between quotation marks or is marked as code decides nothing; `mask` hides it behind as many letters.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from siltstone.pipeline.merging.likeness import CJK

Span = tuple[int, int]

_MARKED = re.compile(
    r"``[^`\n]{1,400}+``|`[^`\n]{1,400}+`|“[^”\n]{1,600}+”|„[^“”\n]{1,600}+[“”]|«[^»\n]{1,600}+»"
    r"|「[^」\n]{1,600}+」|『[^』\n]{1,600}+』|(?<![\w\"])\"[^\"\n]{1,600}+\"(?!\w)"
    r"|(?<![\w'’])['‘][^'’\n]{1,300}(?:['’](?=\w)[^'’\n]{1,300}){0,4}['’](?!\w)"
)
_END = re.compile(
    r"[。！？…]+[!?]*[)\]\"'”’」』）]*|[!?]+[)\]\"'”’）]*(?=\s|$|[^\x00-\x7f])|(?<![(.])\.+[)\]\"'”’）]*(?=\s|$)"
    rf"|(?<=[{CJK}])\.(?=[{CJK}])|\n"
)
_ABBREVIATION = re.compile(
    r"(?<![\w.])(?:e\.g|i\.e|etc|cf|vs|approx|resp|incl|no|nr|Mr|Mrs|Ms|Dr|z\.B|d\.h|bzw|ca|usw|u\.a|p\.ex|p\.ej|Sr|Sra)$"
)
_MARK = re.compile(r"[ \t]*(?:[-*•+]|#{1,6}|\d{1,3}[.)])[ \t]+")


class Sentence(NamedTuple):
    """A sentence of a text: `text[start:end]`, without the white space and the list mark before it."""

    start: int
    end: int
    line: int
    """Number of the line it begins on: a fact and its reason stand in one paragraph."""
    listed: bool = False
    """It begins an item of a list."""


def sentences(shape: str) -> list[Sentence]:
    """The sentences of a text, in order. `shape` is the text with its code and quotations hidden (`mask`):
    no full stop in them ends anything. A line break always does."""
    found: list[Sentence] = []
    start = line = 0
    for end in _END.finditer(shape):
        broken = end[0] == "\n"
        before = shape[max(start, end.start() - 12) : end.start()]
        numbers = end.start() - start <= 12 and before.strip().isdecimal()  # an item of a list
        if end[0] == "." and (numbers or _ABBREVIATION.search(before)):
            continue
        _add(found, shape, start, end.start() if broken else end.end(), line)
        start, line = end.end(), line + broken
    _add(found, shape, start, len(shape), line)
    return found


def cut(text: str) -> list[str]:
    """The sentences of a text, each as it stands there."""
    return [text[one.start : one.end] for one in sentences(mask(text))]


def _add(found: list[Sentence], shape: str, start: int, end: int, line: int) -> None:
    piece = shape[start:end]
    if not any(map(str.isalnum, piece)):
        return
    mark = _MARK.match(piece) if start == 0 or shape[start - 1] == "\n" else None
    start += mark.end() if mark else 0
    piece = shape[start:end]
    start += len(piece) - len(piece.lstrip())
    found.append(Sentence(start, end - (len(piece) - len(piece.rstrip())), line, mark is not None))


def line_of(text: str, start: int, end: int) -> str:
    """The line, or the lines, that a part of a text stands in."""
    last = text.find("\n", end)
    return text[text.rfind("\n", 0, start) + 1 : last if last >= 0 else len(text)]


def is_question(sentence: str) -> bool:
    """Whether a sentence ends as a question does. "!?" only wonders at what it states."""
    end = sentence.rstrip(" \"')*_")
    return end.endswith(("?", "？", "吗", "嗎")) and not end.endswith("!?")


def mask(text: str, words: bool = True) -> str:
    """The text with its inline code and quotations as letters x; of the same length. Without `words` only
    those of more than one word."""

    def hidden(found: re.Match[str]) -> str:
        if not words and " " not in found[0].strip():
            return found[0]
        return ("x" if any(map(str.isalnum, found[0])) else " ") * len(found[0])

    return _MARKED.sub(hidden, text)


def without(text: str, spans: Iterable[Span], by: Callable[[str], str] = lambda part: "") -> str:
    """The text with these spans cut out, or with what `by` makes of each in its place."""
    kept: list[str] = []
    at = 0
    for start, end in joined(spans):
        kept += text[at:start], by(text[start:end])
        at = end
    return "".join([*kept, text[at:]])


def joined(spans: Iterable[Span]) -> Sequence[Span]:
    """The spans in order, those that touch made one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found
