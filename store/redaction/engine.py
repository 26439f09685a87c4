"""Runs the rules over a text and puts the mark where secrets stood."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from siltstone.store.errors import RedactionError
from siltstone.store.redaction import blocks, credentials, forms, headers, labels, tokens, urls
from siltstone.store.redaction.page import Page, Rule, Span

MARK = "[REDACTED]"
"""Stands where a secret stood (docs/seeds.md A "Redaction there"). Never a secret itself."""
RULES: tuple[Rule, ...] = (
    blocks.PRIVATE,
    blocks.KEYS,
    *tokens.RULES,
    *credentials.CODES,
    *urls.RULES,
    *headers.RULES,
    labels.RULE,
    *forms.RULES,
    *credentials.LOGINS,
)
"""To hide one more kind of secret, add a rule here."""
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
        new = [span for begin, end in places for span in _found(current, begin, end)]
        if not new:
            return Redacted(current, _findings(text, spans))
        spans = _merged([*spans, *_in_original(new, spans)])
        current = _marked(text, spans)
        places = _around_marks(current)
    raise RedactionError("the text could not be freed of secrets; remove the credentials in it by hand")


def findings(text: str) -> tuple[Finding, ...]:
    """The secrets of a text, in order, with their lines: what a hand-edited file is refused for."""
    return redact(text).found


def cleaned(text: str) -> str:
    """The text without its secrets, or "" where it could not be checked: for what is shown or thrown away."""
    try:
        return redact(text).text
    except RedactionError:
        return ""


def _found(text: str, begin: int, end: int) -> list[Span]:
    """What the rules find between two places of a text."""
    page = Page(text[begin:end])
    present = cues_in(page.low)
    spans = (
        span
        for rule in RULES
        if not rule.cues or not rule.cues.isdisjoint(present)
        for span in rule.find(page, page.hits(rule.cues & present))
    )
    return [
        Span(span.start + begin, span.end + begin, span.kind)
        for span in spans
        if span.end > span.start and page.text[span.start : span.end] != MARK
    ]


_WORD = re.compile("[a-z]+")


def cues_in(low: str) -> set[str]:
    """The cues that stand in a text in small letters.

    To look for hundreds of cues one by one would take longer than all the rules. But texts repeat their
    words, and which cues a word can be part of is remembered.
    """
    _, anywhere, foreign = _cues()
    possible = set(anywhere).union(() if low.isascii() else foreign, *map(_cues_of, {*_WORD.findall(low)}))
    return {cue for cue in possible if cue in low}


@lru_cache(maxsize=50_000)
def _cues_of(word: str) -> list[str]:
    """The cues whose own word stands in a word."""
    return [cue for own, cues in _cues()[0].items() if own in word for cue in cues]


@cache
def _cues() -> tuple[dict[str, list[str]], list[str], list[str]]:
    """The cues of all rules: by the longest word in them, those without a word, and those beyond ASCII."""
    by_word: dict[str, list[str]] = {}
    anywhere, foreign = [], []
    for cue in frozenset[str]().union(*(rule.cues for rule in RULES)):
        word = max(_WORD.findall(cue), key=len, default="")
        if not cue.isascii():
            foreign.append(cue)
        elif len(word) < 2:
            anywhere.append(cue)
        else:
            by_word.setdefault(word, []).append(cue)
    return by_word, anywhere, foreign


def _around_marks(text: str) -> list[tuple[int, int]]:
    """Where a mark may have laid something open: the whole of a short text, else the lines around
    each mark."""
    if len(text) <= _SHORT:
        return [(0, len(text))]
    places: list[tuple[int, int]] = []
    done = 0
    at = text.find(MARK)
    while at >= 0:
        if at + _REACH > done:
            begin = text.rfind("\n", done, max(done, at - _REACH)) + 1 or done
            if places and begin <= done:
                begin, _ = places.pop()
            done = text.find("\n", at + _REACH)
            done = len(text) if done < 0 else done
            places.append((begin, done))
        at = text.find(MARK, at + 1)
    return places


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


def _in_original(new: Sequence[Span], done: Sequence[Span]) -> list[Span]:
    """Spans of the text with marks, in places of the text as it was; a mark that is touched is whole."""
    marks, shift = [], 0
    for span in done:
        marks.append(span.start - shift)
        shift += span.end - span.start - len(MARK)

    def original(at: int, is_end: bool) -> int:
        index = bisect_right(marks, at - is_end) - 1
        if index < 0:
            return at
        behind = at - (marks[index] + len(MARK))
        if behind < 0 or (behind == 0 and is_end):
            return done[index].end if is_end else done[index].start
        return done[index].end + behind

    return [Span(original(span.start, False), original(span.end, True), span.kind) for span in new]


def _findings(text: str, spans: Sequence[Span]) -> tuple[Finding, ...]:
    found = []
    line, at = 1, 0
    for span in spans:
        line += text.count("\n", at, span.start)
        at = span.start
        found.append(Finding(span.kind, line, span.start, span.end))
    return tuple(found)
