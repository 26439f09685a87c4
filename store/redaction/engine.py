"""Runs the rules over a text and puts the mark where secrets stood."""

import re
from functools import cache
from typing import NamedTuple

from siltstone.store.errors import RedactionError
from siltstone.store.redaction import blocks, forms, headers, labels, tokens, urls
from siltstone.store.redaction.page import Page, Rule, Span

MARK = "[REDACTED]"
"""Stands where a secret stood (docs/seeds.md A "Redaction there"). Never a secret itself."""
RULES: tuple[Rule, ...] = (
    blocks.PRIVATE,
    blocks.KEYS,
    *tokens.RULES,
    *forms.CODES,
    *urls.RULES,
    *headers.RULES,
    labels.RULE,
    *forms.FORMS,
    *forms.LOGINS,
)
"""To hide one more kind of secret, add a rule here."""
LONGEST = 32_000_000
"""Characters of one text; more is refused, never half read."""
_ROUNDS = 6


class Finding(NamedTuple):
    """A secret in a text. It never holds the secret itself."""

    line: int
    """From 1. What is found only once another secret is hidden may be counted some lines short."""
    kind: str


class Redacted(NamedTuple):
    """A text without its secrets, and what they were, in order."""

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
    found: list[Finding] = []
    for _ in range(_ROUNDS):
        spans = sorted(_found(text), key=lambda span: (span.start, -span.end))
        if not spans:
            return Redacted(text, tuple(sorted(found)))
        pieces: list[str] = []
        at, counted, line = 0, 0, 1
        for start, end, kind in spans:
            if start >= at:
                line, counted = line + text.count("\n", counted, start), start
                found.append(Finding(line, kind))
                pieces += text[at:start], MARK
            at = max(at, end)
        text = "".join([*pieces, text[at:]])
    raise RedactionError("secrets could not be removed from the text; remove the credentials by hand")


def findings(text: str) -> tuple[Finding, ...]:
    """The secrets of a text, in order, with their lines: what a hand-edited file is refused for."""
    return redact(text).found


def cleaned(text: str) -> str:
    """The text without its secrets, or "" where it could not be checked: for what is shown or thrown away."""
    try:
        return redact(text).text
    except RedactionError:
        return ""


def _found(text: str) -> list[Span]:
    """What the rules find; a mark that is touched is taken whole."""
    page = Page(text)
    # Texts repeat their words, so each cue's own word is looked for in the text's words first.
    words = "\n".join({*_WORD.findall(page.low)})
    present = {cue for cue, own in _cues().items() if own in words and cue in page.low}
    spans = (
        span
        for rule in RULES
        if not rule.cues or not rule.cues.isdisjoint(present)
        for span in rule.find(page, page.hits(rule.cues & present))
    )
    return [
        Span(_mark_at(text, start), _mark_at(text, end, len(MARK)), kind)
        for start, end, kind in spans
        if end > start and text[start:end] != MARK
    ]


def _mark_at(text: str, at: int, behind: int = 0) -> int:
    """The place, or where a mark begins that it stands in the middle of; `behind` so many characters."""
    most = len(MARK) - 1
    mark = text.find(MARK, max(0, at - most), at + most)
    return at if mark < 0 else mark + behind


_WORD = re.compile("[a-z]+")


@cache
def _cues() -> dict[str, str]:
    """The cues of all rules, each with the longest word in it."""
    cues = frozenset[str]().union(*(rule.cues for rule in RULES))
    return {cue: max(_WORD.findall(cue), key=len, default="") for cue in cues}
