"""Key blocks: PEM, OpenSSH, PGP, PuTTY."""

from siltstone.store.late import LatePattern
from siltstone.store.redaction.page import Page, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

_BEGIN = LatePattern(
    r"begin (?P<what>[a-z0-9 ]{0,40}(?:private key|seed|credentials?|secret|jwt)[a-z ]{0,20}?) ?-{2,5}"
)
_LINE = LatePattern(r"(?:\\n|\\r|[\s>|\"'+,\\])*(?:[A-Za-z0-9+/=_-]{16,2048}|[\w-]{2,30}:[^\n\\]{0,200})")
_END = LatePattern(r"end [a-z0-9 ]{0,40}private key[a-z ]{0,20}?-{2,5}")
_ABOVE = LatePattern(r"[ \t>|]{0,20}[A-Za-z0-9+/=]{4,100}[ \t\r]{0,4}")
_BLOCK = 64_000
_LINES = 400
_ENDS = 200
"""Of the places where "end " stands behind a beginning, how many are tried."""
_PACKED = LatePattern(r"[A-Za-z0-9+/]{20,64000}={0,2}")
"""Base64 of a PEM file (of its first line) or of a Docker login ({"auths":)."""
_PUTTY = LatePattern(
    r"private-lines: {0,4}\d{1,4}((?:\r?\n|\\n)(?:[a-z0-9+/=]{1,100}(?:\r?\n|\\n|$)){1,200})"
)


def key_blocks(page: Page) -> "Iterator[Span]":
    """The body of every private key; a block without its end runs as far as its lines look like it."""
    until = 0
    for at in page.hits("begin "):
        begin = _BEGIN.match(page.low, at)
        if begin and at >= until and page.text[at - 1 : at] in {"-", " "}:
            body = _body(page, begin)
            until = body.end
            yield body
    for at in page.hits("end "):
        if at >= until and _END.match(page.low, at):
            yield from _torn(page, at)
    until = 0
    for at in page.hits("ls0tls1crudjti"):
        packed = _PACKED.match(page.text, at) if at >= until else None
        until = packed.end() if packed else until
        if packed and len(packed[0]) >= 80 and _private(packed[0]):
            yield Span(*packed.span(), "private-key")
    until = 0
    for at in page.hits("eyjhdxrocyi6"):
        packed = _PACKED.match(page.text, at) if at >= until else None
        if packed:
            until = packed.end()
            yield Span(*packed.span(), "docker-auth")
    for at in page.hits("private-lines"):
        found = _PUTTY.match(page.low, at)
        if found:
            yield Span(*found.span(1), "private-key")


def _private(packed: str) -> bool:
    from base64 import b64decode

    return b"PRIVATE" in b64decode(packed[:80])


def _end(page: Page, begin: "re.Match[str]") -> int:
    """Where the block's END line stands, or -1."""
    from bisect import bisect_left  # few texts hold a block

    ends = page.positions("end ")
    first = bisect_left(ends, begin.end())
    for at in ends[first : first + _ENDS]:
        if at < begin.end() + _BLOCK and page.low.startswith(begin["what"], at + 4):
            return at
    return -1


def _body(page: Page, begin: "re.Match[str]") -> Span:
    text = page.text
    end = _end(page, begin)
    if end >= 0:
        while end > begin.end() and text[end - 1] in "- ":
            end -= 1
        return Span(begin.end(), end, "private-key")
    at = begin.end()
    while (line := _LINE.match(text, at, begin.end() + _BLOCK)) and line.end() > at:
        at = line.end()
    return Span(begin.end(), at, "private-key")


def _torn(page: Page, at: int) -> "Iterator[Span]":
    """The lines above an END whose BEGIN was cut away."""
    end = start = page.text.rfind("\n", max(0, at - 40), at)
    for _ in range(_LINES if end > 0 else 0):
        line = page.text.rfind("\n", max(0, start - 130), start) + 1
        if not _ABOVE.fullmatch(page.text, line, start):
            break
        start = line - 1
        if line == 0:
            break
    if 0 <= start + 1 < end:
        yield Span(start + 1, end, "private-key")
