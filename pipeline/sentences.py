"""Cuts typed text into sentences and hides what is not the user's own prose.

Everything keeps its offsets: a masked text has the length of its original, so that a sentence found
in it is quoted verbatim from the text itself (invariant 6).
"""

from siltstone.pipeline.words import words
from siltstone.store.late import LatePattern
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping, Sequence

MAX_TEXT = 200_000
"""Characters of one message that are looked at."""

_INLINE = LatePattern(r"``[^`\n]{1,400}``|`[^`\n]{1,400}`")
# Each begins with one set of characters, which alone are tried then: they are looked for in whole pastes.
_SAID = LatePattern(
    r"[“„«「『\"'‘](?:(?<=“)[^”\n]{1,600}”|(?<=„)[^“”\n]{1,600}[“”]|(?<=«)[^»\n]{1,600}»|(?<=「)[^」\n]{1,600}」"
    r"|(?<=『)[^』\n]{1,600}』|(?<=\")(?<![\w\"].)[^\"\n]{1,600}\"(?!\w)"
    r"|(?<=['‘])(?<![\w'’].)[^'’\n]{1,300}(?:['’](?=\w)[^'’\n]{1,300}){0,4}['’](?!\w))"
)
_MARKS = '“„«「『"‘'
_CLOSED, _OVER = "[)\\]\"'”’」』）]*", r"(?=\s|$|[^\x00-\x7f])"
_END = LatePattern(
    rf"[。！？…!?.;；\n](?:(?<=[。！？…])[。！？…]*[!?]*{_CLOSED}|(?<=[!?])[!?]*{_CLOSED}{_OVER}"
    rf"|(?<=\.)\.*{_CLOSED}{_OVER}|(?<=[;；]){_OVER}|(?<=\n))"
)
_ABBREVIATIONS = words(
    "e.g i.e etc cf vs approx resp incl no nr min max Mr Mrs Ms Dr St z.B d.h bzw ca ggf u.a p.ex "
    "p.ej Sr Sra usw"
)
_BULLETS = "-*•+"
_LIST_MARK = LatePattern(r"[ \t]*(?:[-*•+]|\d{1,3}[.)])[ \t]+")


class Sentence(NamedTuple):
    """A sentence of a text: `text[start:end]`, without the white space around it."""

    start: int
    end: int
    text: str
    line: int
    """Number of the line it begins on: a fact and its reason stand in one paragraph."""
    listed: bool = False
    """It begins an item of a list."""


def sentences(text: str, masked: str | None = None) -> list[Sentence]:
    """The sentences of a text in order; `masked` (same length) decides where they end.

    Full stops and question marks inside numbers, file names, URLs, abbreviations and masked spans end
    nothing; a line break always does.
    """
    text = text[:MAX_TEXT]
    return _cut(text, (masked if masked is not None else mask(text))[:MAX_TEXT], 0, len(text), 0)


def sentences_near(text: str, masked: str, lines: "Mapping[int, tuple[int, int]]") -> list[Sentence]:
    """Those of its sentences that stand in these lines (by number, in order: where each begins and ends) or
    beside them: the last one before each, and what follows it up to an empty line. (To cut all of a paste
    takes longer than all else that is asked of it.)"""
    text, shape = text[:MAX_TEXT], masked[:MAX_TEXT]
    parts: list[tuple[int, int, int]] = []
    reached = 0
    for number, (start, end) in lines.items():
        if start >= len(text):
            break
        if start < reached:
            first, _, line = parts.pop()
        else:
            first = _above(text, start, reached)
            line = number - text.count("\n", first, start)
        reached = below(text, max(end, reached))
        parts.append((first, reached, line))
    return [one for first, last, line in parts for one in _cut(text, shape, first, last, line)]


def _above(text: str, start: int, reached: int) -> int:
    """Where the last line begins before this one in which a sentence stands for sure."""
    while start > reached:
        end, start = start - 1, text.rfind("\n", 0, start - 1) + 1
        if any(map(str.isalpha, text[start:end])):
            break
    return start


def below(text: str, end: int) -> int:
    """Where the first empty line ends behind the two that follow the line that ends here: behind a colon, a
    list may begin in the second."""
    passed = 0
    while 0 <= end < len(text):
        start, end = end + 1, text.find("\n", end + 1)
        if passed >= 2 and not text[start : end if end >= 0 else len(text)].strip():
            break
        passed += 1
    return end if end >= 0 else len(text)


def _cut(text: str, shape: str, start: int, end: int, line: int) -> list[Sentence]:
    """The sentences from the beginning of a line, which has this number, to the end of one."""
    found: list[Sentence] = []
    for match in _END.finditer(shape, start, end):
        if match.group() == "." and _goes_on(shape, match.end()):
            continue
        _add(found, text, start, match.end(), line)
        start = match.end()
        line += match.group() == "\n"
    _add(found, text, start, end, line)
    return found


def mask(text: str, code: bool = True, said: bool = True) -> str:
    """The text with fenced code, `>` lines, inline code and quoted words blanked (same length).

    Inline code and quotations keep an `x` for each letter, so that a clause keeps its shape.
    """
    text = text[:MAX_TEXT]
    text = blanked(text, sorted(fences(text) + quoted_lines(text)))
    if code and "`" in text:
        text = _INLINE.sub(_cross, text)
    return _SAID.sub(_cross, text) if said and may_quote(text) else text


def fences(text: str) -> list[tuple[int, int]]:
    """Spans of fenced code; a fence that is never closed reaches to the end."""
    spans: list[tuple[int, int]] = []
    opened: tuple[int, str] | None = None
    for start, at, end in sorted([*_beginning(text, "```"), *_beginning(text, "~~~")]):
        fence = text[at:end]
        mark = fence[: len(fence) - len(fence.lstrip(fence[0]))]
        if opened is None:
            opened = (start, mark)
        elif mark.startswith(opened[1]):
            spans.append((opened[0], end))
            opened = None
    return [*spans, (opened[0], len(text))] if opened else spans


def quoted_lines(text: str) -> list[tuple[int, int]]:
    """Spans of lines that begin with `>`."""
    return [(start, end) for start, _, end in _beginning(text, ">")]


def _beginning(text: str, mark: str) -> "Iterator[tuple[int, int, int]]":
    """Of each line that begins with a mark where it begins, where the mark stands behind blanks, and where it
    ends."""
    at = text.find(mark)
    while at >= 0:
        start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
        end = end if end >= 0 else len(text)
        if not text[start:at].strip(" \t"):
            yield start, at, end
        at = text.find(mark, end)


def said_spans(text: str) -> list[tuple[int, int]]:
    """Spans in quotation marks, marks included."""
    return [match.span() for match in _SAID.finditer(text)]


def may_quote(text: str) -> bool:
    """Whether a quotation may begin in the text: an apostrophe behind a letter begins none."""
    if any(mark in text for mark in _MARKS):
        return True
    return any(not before[-1:].isalpha() for before in text.split("'")[:-1])


def _add(found: list[Sentence], text: str, start: int, end: int, line: int) -> None:
    piece = text[start:end]
    lead = len(piece) - len(piece.lstrip())
    first = piece[lead : lead + 1]
    mark = _LIST_MARK.match(piece) if first and (first in _BULLETS or first.isdigit()) else None
    lead = mark.end() if mark else lead
    piece = piece[lead:].rstrip()
    if piece:
        found.append(Sentence(start + lead, start + lead + len(piece), piece, line, mark is not None))


def _goes_on(shape: str, end: int) -> bool:
    """Whether the full stop before `end` belongs to an abbreviation or numbers a list item."""
    behind = shape[max(0, end - 8) : end]
    if "\n" in behind or end <= 8:
        item = behind.rpartition("\n")[2].strip()
        if item[:-1].isdigit() and len(item) < 5:
            return True
    before = behind[:-1].replace("(", " ")
    last = before.split()[-1] if before and not before[-1].isspace() else ""
    return last in _ABBREVIATIONS or (len(last) == 1 and last.isascii() and last.isalpha())


def blanked(text: str, spans: "Sequence[tuple[int, int]]") -> str:
    """The text, as long and of as many lines, with nothing in these spans (in their order)."""
    kept: list[str] = []
    at = 0
    for start, end in spans:
        if end > at:
            start = max(start, at)
            kept += text[at:start], _blank(text[start:end])
            at = end
    return "".join([*kept, text[at:]]) if at else text


def _blank(piece: str) -> str:
    return "\n".join(" " * len(line) for line in piece.split("\n"))


def _cross(match: "re.Match[str]") -> str:
    return "".join(char if char.isspace() else "x" for char in match.group())
