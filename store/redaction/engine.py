"""Runs the rules over a text and puts the mark where secrets stood."""

from siltstone.store.errors import RedactionError
from siltstone.store.plain import MARK
from siltstone.store.redaction.blocks import key_blocks
from siltstone.store.redaction.codes import codes
from siltstone.store.redaction.commands import commands
from siltstone.store.redaction.headers import headers
from siltstone.store.redaction.labels import labelled
from siltstone.store.redaction.page import Page, Span
from siltstone.store.redaction.pairs import pairs
from siltstone.store.redaction.printed import printed
from siltstone.store.redaction.private import private
from siltstone.store.redaction.tables import tables
from siltstone.store.redaction.tokens import bare_tokens, marked_tokens
from siltstone.store.redaction.urls import urls
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from siltstone.store.redaction.page import Rule

RULES: "tuple[Rule, ...]" = (
    private,
    key_blocks,
    bare_tokens,
    marked_tokens,
    codes,
    urls,
    headers,
    labelled,
    commands,
    printed,
    pairs,
    tables,
)
"""To hide one more kind of secret, add a function here."""
LONGEST = 32_000_000
"""Characters of one text; more is refused, never half read."""
_ROUNDS = 6
_SHORT = 4_000
_REACH = 600
"""Characters to either side of a mark that are looked at again, and on to the ends of their lines."""


class Finding(NamedTuple):
    """A secret in a text. It never holds the secret itself."""

    kind: str
    line: int
    """From 1."""
    start: int
    end: int
    """Characters of the text that was handed in; `end` is exclusive."""


class Redacted(NamedTuple):
    """A text without its secrets, and where they stood."""

    text: str
    found: tuple[Finding, ...]


def redact(text: str) -> Redacted:
    """The text with `[REDACTED]` in place of every secret (invariant 8; docs/seeds.md A, E).

    Redacting what comes out changes nothing more: the rules run until they find nothing, since hiding
    one secret may lay open another. Raises RedactionError when the text is longer than `LONGEST` or
    never comes to rest; then it must go nowhere.
    """
    if len(text) > LONGEST:
        raise RedactionError(
            f"a text of {len(text)} characters cannot be checked for secrets; "
            f"split it into parts of at most {LONGEST}"
        )
    spans: list[Span] = []
    current = text
    places = [(0, len(text))]
    for _ in range(_ROUNDS):
        new = [span for place in places for span in _found(current, *place)]
        if not new:
            return Redacted(current, _findings(text, spans))
        spans = _merged([*spans, *(_back(span, spans) for span in new)])
        current = _marked(text, spans)
        places = _around_marks(current)
    raise RedactionError("the text could not be freed of secrets; remove the credentials in it by hand")


def _found(text: str, begin: int, end: int) -> list[Span]:
    """What the rules find between two places of a text."""
    page = Page(text[begin:end])
    spans = (span for rule in RULES for span in rule(page))
    return [
        Span(span.start + begin, span.end + begin, span.kind)
        for span in spans
        if span.end > span.start and page.text[span.start : span.end] != MARK
    ]


def _around_marks(text: str) -> list[tuple[int, int]]:
    """Where a mark may have laid something open: the whole of a short text, else the lines around
    each mark."""
    if len(text) <= _SHORT:
        return [(0, len(text))]
    places: list[tuple[int, int]] = []
    at = text.find(MARK)
    while at >= 0:
        begin = text.rfind("\n", 0, max(0, at - _REACH)) + 1
        end = text.find("\n", at + _REACH)
        end = len(text) if end < 0 else end
        if places and begin <= places[-1][1]:
            places[-1] = (places[-1][0], end)
        else:
            places.append((begin, end))
        at = text.find(MARK, at + 1)
    return places


def findings(text: str) -> tuple[Finding, ...]:
    """The secrets of a text, in order, with their lines: what a hand-edited file is refused for."""
    return redact(text).found


def _merged(spans: list[Span]) -> list[Span]:
    """Sorted, and overlapping ones made one under the kind of the first."""
    merged: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if merged and span.start < merged[-1].end:
            last = merged[-1]
            merged[-1] = Span(last.start, max(last.end, span.end), last.kind)
        else:
            merged.append(span)
    return merged


def _marked(text: str, spans: list[Span]) -> str:
    pieces: list[str] = []
    at = 0
    for span in spans:
        pieces += text[at : span.start], MARK
        at = span.end
    return "".join([*pieces, text[at:]])


def _back(span: Span, done: list[Span]) -> Span:
    """A span of the text with marks, in places of the text as it was."""
    return Span(_place(span.start, done, False), _place(span.end, done, True), span.kind)


def _place(at: int, done: list[Span], ends: bool) -> int:
    shift = 0
    for span in done:
        start = span.start - shift
        if at < start or (at == start and ends):
            break
        if at < start + len(MARK) or (at == start + len(MARK) and ends):
            return span.end if ends else span.start
        shift += (span.end - span.start) - len(MARK)
    return at + shift


def _findings(text: str, spans: list[Span]) -> tuple[Finding, ...]:
    if not spans:
        return ()
    from bisect import bisect_right

    breaks = [at for at, char in enumerate(text) if char == "\n"]
    return tuple(
        Finding(span.kind, bisect_right(breaks, span.start - 1) + 1, span.start, span.end) for span in spans
    )
