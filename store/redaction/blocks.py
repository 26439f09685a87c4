"""Whole blocks: text between `<private>` tags, and private keys (PEM, OpenSSH, PGP, PuTTY, packed ones)."""

import re
from binascii import a2b_base64
from collections.abc import Iterator, Sequence

from siltstone.store.redaction.page import Hit, Page, Rule, Span

_TAG = r"(?i)<(/?)private(?:\s[^<>\n]{0,80})?\s{0,4}/?>"
_BEGIN = (
    r"(?i)begin (?P<what>[a-z0-9 ]{0,40}(?:private key|seed|credentials?|secret|jwt)[a-z ]{0,20}?) ?-{2,5}"
)
_LINE = r"(?:\\n|\\r|[\s>|\"'+,\\])*(?:[A-Za-z0-9+/=_-]{16,2048}|[\w-]{2,30}:[^\n\\]{0,200})"
_RUN = r"[A-Za-z0-9+/=]{16}"
_END = r"(?i)end [a-z0-9 ]{0,40}private key[a-z ]{0,20}?-{2,5}"
_ABOVE = r"[ \t>|]{0,20}[A-Za-z0-9+/=]{4,100}[ \t\r]{0,4}"
_BLOCK = 64_000
"""Characters of the longest block."""
_LINES = 400
_LONGEST = 4096
"""Characters of the longest line, and of a PuTTY key."""
_PACKED = r"[A-Za-z0-9+/]{20,64000}={0,2}"
"""Base64 of a PEM file (of its first line) or of a Docker login ({"auths":)."""
_PACKED_PEM, _PACKED_LOGIN = "ls0tls1crudjti", "eyjhdxrocyi6"
"""Their first letters, in small letters."""
_PUTTY = r"(?i)private-lines: {0,4}\d{1,4}((?:\r?\n|\\n)(?:[a-z0-9+/=]{1,100}(?:\r?\n|\\n|$)){1,200})"


def _private(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """Everything between the tags, tags included; nested ones are one (docs/seeds.md E).

    A tag that nobody closed hides the rest of the text: its end may have been cut away. A tag in
    backticks or quotes that nobody closed is only spoken of.
    """
    depth = start = 0
    for tag in page.every(_TAG, hits[0].at, len(page.text)):
        if tag[0].endswith("/>"):
            continue
        if not tag[1]:
            if depth == 0:
                start = tag.start()
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                yield Span(start, tag.end(), "private")
    if depth and page.text[max(0, start - 1) : start] not in {"`", '"', "'"}:
        yield Span(start, len(page.text), "private")


def _keys(page: Page, hits: Sequence[Hit]) -> Iterator[Span]:
    """The body of every private key."""
    until = 0
    for at, cue in hits:
        if at < until:
            continue
        if cue in {_PACKED_PEM, _PACKED_LOGIN}:
            packed = page.match(_PACKED, at, _BLOCK)
            until = packed.end() if packed else at
            login = cue == _PACKED_LOGIN
            private = packed and len(packed[0]) >= 80 and b"PRIVATE" in a2b_base64(packed[0][:80])
            kind = "docker-auth" if login else "private-key"
            span = Span(at, until, kind) if packed and (login or private) else None
        else:
            span = _key(page, at, cue)
            until = span.end if span else until
        if span:
            yield span


def _key(page: Page, at: int, cue: str) -> Span | None:
    if cue == "begin ":
        begin = page.match(_BEGIN, at)
        return _body(page, begin) if begin and page.text[at - 1 : at] in {"-", " "} else None
    if cue == "end ":
        # The lines above an END whose BEGIN was cut away.
        end = start = page.text.rfind("\n", max(0, at - 40), at) if page.match(_END, at) else -1
        for _ in range(_LINES if end > 0 else 0):
            line = page.text.rfind("\n", max(0, start - 130), start) + 1
            above = page.match(_ABOVE, line, start - line)
            if above is None or above.end() != start:
                break
            start = line - 1
            if line == 0:
                break
        return Span(start + 1, end, "private-key") if 0 <= start + 1 < end else None
    putty = page.match(_PUTTY, at, _LONGEST)
    return Span(*putty.span(1), "private-key") if putty else None


def _body(page: Page, begin: re.Match[str]) -> Span:
    """A block up to its end; one without its end runs as far as its lines look like it."""
    text = page.text
    end = page.low.find(f"end {begin['what'].lower()}", begin.end(), begin.end() + _BLOCK)
    if end >= 0:
        while end > begin.end() and text[end - 1] in "- ":
            end -= 1
        told_of = page.search(_RUN, begin.end(), end) is None  # between the words for its begin and its end
        return Span(begin.end(), begin.end() if told_of else end, "private-key")
    at = begin.end()
    while at < begin.end() + _BLOCK and (line := page.match(_LINE, at, _LONGEST)) and line.end() > at:
        at = line.end()
    return Span(begin.end(), at, "private-key")


PRIVATE = Rule(frozenset({"<private"}), _private)
KEYS = Rule(frozenset({"begin ", "end ", _PACKED_PEM, _PACKED_LOGIN, "private-lines"}), _keys)
