# ruff: noqa: E501
"""Key blocks: PEM, OpenSSH, PGP, PuTTY."""

import re
from collections.abc import Iterator

from siltstone.store.redaction.page import Page, Span

_BEGIN = re.compile(
    r"-{4,5} ?BEGIN (?P<what>[A-Z0-9 ]{0,40}(?:PRIVATE KEY|SEED|CREDENTIALS?|SECRET|JWT)[A-Z ]{0,20}?) ?-{4,5}"
)
_LINE = re.compile(r"(?:\\n|\\r|[\s>|\"'+,\\])*(?:[A-Za-z0-9+/=_-]{1,2048}|[\w-]{2,30}:[^\n\\]{0,200})")
_BLOCK = 64_000
_PUTTY = re.compile(r"Private-Lines: *\d{1,4}((?:\r?\n|\\n)(?:[A-Za-z0-9+/=]{1,100}(?:\r?\n|\\n|$)){1,200})")


def key_blocks(page: Page) -> Iterator[Span]:
    """The body of every private key; a block without its end runs as far as its lines look like it."""
    text = page.text
    if "begin" in page.low:
        for begin in _BEGIN.finditer(text):
            yield _body(text, begin)
    if "private-lines" in page.low:
        yield from (Span(*found.span(1), "private-key") for found in _PUTTY.finditer(text))


def _body(text: str, begin: re.Match[str]) -> Span:
    end = text.find("END " + begin["what"], begin.end(), begin.end() + _BLOCK)
    if end >= 0:
        dashes = end
        while dashes > begin.end() and text[dashes - 1] in "- ":
            dashes -= 1
        return Span(begin.end(), dashes, "private-key")
    at = begin.end()
    while (line := _LINE.match(text, at, begin.end() + _BLOCK)) and line.end() > at:
        at = line.end()
    return Span(begin.end(), at, "private-key")
