"""Values behind the name of a secret: `DB_PASSWORD=…`, `--token …`, "the password is …", 密码：…"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import Found, phrase_end, secret_value
from siltstone.store.redaction.page import Page, Span
from siltstone.store.redaction.separators import tie
from siltstone.store.redaction.shape import looks_random, words
from siltstone.store.redaction.values import value_at
from siltstone.store.redaction.vocabulary import (
    ASCII_ROOTS,
    ASKING,
    OTHER_ROOTS,
    PUBLIC_KEYS,
    QUALIFIERS,
    ROOTS,
    SUFFIXES,
    Class,
    Label,
    Root,
)

_NEAR = 70
"""Characters behind a label in which a bare random token is taken for its value."""
_TOKEN = re.compile(r"(?<![\w/+.-])[A-Za-z0-9][\w+/=.~-]{15,300}")
_TAIL = re.compile(r"[\w-]{0,40}")
_HASHES = ("sha", "hash", "digest", "integrity", "checksum", "commit", "fingerprint", "etag", "md5", "public")
_WORDCHARS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_.-$")
_NO_PASSWORD = (
    "com",
    "by",
    "sur",
    "tres",
    "under",
    "over",
    "en",
    "low",
    "high",
    "band",
    "multi",
    "one",
    "first",
    "im",
)
"""What makes another word of "…pass"."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A label as it stands in a text."""

    start: int
    """Of its whole identifier."""
    end: int
    means: Class
    asking: bool
    """The identifier asks or tells (`has_password`), so its value has to look like a secret."""
    flag: bool
    """It is an option of a command: `--password`."""


def labelled(page: Page) -> Iterator[Span]:
    """Every value behind a label that reads as a secret."""
    for text in ASCII_ROOTS:
        for hit in page.hits(text):
            yield from _around(page, ROOTS[text], hit)
    if not page.low.isascii():
        for found in OTHER_ROOTS.finditer(page.low):
            yield from _around(page, ROOTS[found[0]], found.start())


def _around(page: Page, root: Root, hit: int) -> Iterator[Span]:
    for label, offset in root.labels:
        at = hit - offset
        if at >= 0 and page.low.startswith(label.needle, at):
            place = _place(page, label, at)
            if place is not None:
                yield from _behind(page, place)


def _behind(page: Page, place: _Place) -> Iterator[Span]:
    tied = tie(page.low, place.end)
    value = value_at(page.text, tied.end) if tied else None
    if tied and value:
        manner = "assigned" if place.flag and tied.way in {"space", "pair"} else tied.manner
        if tied.way == "cjk" and not value.quoted:
            value = value.ascii_part()
        if place.flag and value.text.startswith("-"):
            return
        end = phrase_end(value) if place.means == "phrase" else 0
        if end or secret_value(Found(value, place.means, manner, place.asking)):
            yield Span(value.start, end or value.end, place.means)
            return
    if place.means in {"token", "password"} and not place.asking:
        yield from _near(page, place)


def _place(page: Page, label: Label, at: int) -> _Place | None:
    """The label at `at`, if what stands around it leaves it the name of a secret."""
    end = at + len(label.needle)
    if label.needle.isascii():
        if not _begins(page, label, at):
            return None
        end = _suffix(page, end)
        if end < 0:
            return None
    start = _identifier(page, at)
    before = _before(page, start, at)
    means = _means(page, label, before, at, start)
    if means is None:
        return None
    asking = bool(before) and before[-1] in ASKING
    return _Place(start, end, means, asking, flag=page.text[start] in "-" and start < at)


def _begins(page: Page, label: Label, at: int) -> bool:
    """The needle begins a word, or a part of an identifier ("compass" holds no pass)."""
    if not label.whole or at == 0 or not page.low[at - 1].isalpha():
        return True
    if page.text[at].isupper() and page.text[at - 1].islower():
        return True
    if label.needle not in {"pass", "pwd", "pw"}:
        return False
    return not page.low.endswith(_NO_PASSWORD, max(0, at - 6), at)


def _suffix(page: Page, end: int) -> int:
    """The end of the identifier, if what follows the needle leaves it a name of a secret; else -1."""
    tail = _TAIL.match(page.text, end)
    rest = tail[0].rstrip("-_") if tail else ""
    if not rest:
        return end
    if (
        rest[0].islower()
        and rest not in {"s", "es"}
        and not rest[0].isdigit()
        and page.text[end - 1].isalpha()
    ):
        return end + len(rest) if rest in SUFFIXES and len(rest) > 3 else -1
    parts = words(rest.replace("_", "-"))
    return end + len(rest) if all(part in SUFFIXES or part.isdigit() for part in parts) else -1


def _identifier(page: Page, at: int) -> int:
    """Where the identifier begins that the needle is part of."""
    start, least = at, max(0, at - 64)
    while start > least and page.low[start - 1] in _WORDCHARS:
        start -= 1
    return start


def _before(page: Page, start: int, at: int) -> list[str]:
    """The words in front of the needle: those of its identifier, else up to three on the same line."""
    if start < at:
        return words(page.text[start:at].replace("_", "-"))
    line = page.low[max(0, start - 32) : start].rpartition("\n")[2]
    return words(line.replace(" ", "-"))[-3:] if line.endswith((" ", "-")) else []


def _means(page: Page, label: Label, before: list[str], at: int, start: int) -> Class | None:
    if label.needle == "pin":
        gpio = not {"gpio", "header", "board"}.isdisjoint(before)
        return None if gpio or (start < at and page.text[at : at + 3].islower() and not before) else "pin"
    if label.means != "key":
        return label.means
    last = before[-1] if before else ""
    if last in PUBLIC_KEYS:
        return None
    if last in QUALIFIERS:
        return "token"
    return "named key" if start < at and last.isalpha() and page.text[at : at + 3].isupper() else "key"


def _near(page: Page, place: _Place) -> Iterator[Span]:
    """A random token a few words behind a label, on the same line."""
    limit = page.line_end(place.end, _NEAR)
    for token in _TOKEN.finditer(page.text, place.end, limit):
        gap = page.low[place.end : token.start()]
        if any(word in gap for word in _HASHES) or "://" in gap:
            return
        whole = _TOKEN.match(page.text, token.start())
        text = whole[0] if whole else token[0]
        if looks_random(text, 20) and not benign.placeholder(text) and "/" not in text:
            yield Span(token.start(), token.start() + len(text), place.means)
            return
