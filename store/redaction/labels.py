"""Values behind the name of a secret: `DB_PASSWORD=…`, `"apiKey": "…"`, "the password is …", 密码：…"""

import re
from collections.abc import Iterator

from siltstone.store.redaction import benign
from siltstone.store.redaction.judge import secret_value
from siltstone.store.redaction.page import Page, Span
from siltstone.store.redaction.separators import Tie, tie
from siltstone.store.redaction.shape import looks_random, words
from siltstone.store.redaction.values import Value, value_at
from siltstone.store.redaction.vocabulary import (
    ASKING,
    LABELS,
    PUBLIC_KEYS,
    QUALIFIERS,
    SUFFIXES,
    Class,
    Label,
)

_NEAR = 70
"""Characters behind a label in which a bare random token is taken for its value."""
_TOKEN = re.compile(r"(?<![\w/+.-])[A-Za-z0-9][\w+/=.~-]{15,300}")
_TAIL = re.compile(r"[\w-]{0,40}")
_HASHES = ("sha", "hash", "digest", "integrity", "checksum", "commit", "fingerprint", "etag", "md5", "public")
_WORDCHARS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_.-$")


def labelled(page: Page) -> Iterator[Span]:
    """Every value behind a label that reads as a secret."""
    for label in LABELS:
        for at in page.hits(label.needle):
            yield from _behind(page, label, at)


def _behind(page: Page, label: Label, at: int) -> Iterator[Span]:
    end = at + len(label.needle)
    if not _stands(page, label, at, end):
        return
    end = _suffix(page, label, end)
    if end < 0:
        return
    before = _before(page, at)
    means = _means(label, before, page.text[at:end])
    if means is None:
        return
    found = tie(page.low, end)
    value = value_at(page.text, found.end) if found else None
    if found and value and _hides(value, means, found, before):
        yield _span(value, label.means)
    elif means in {"token", "password"}:
        yield from _near(page, end, label.means)


def _hides(value: Value, means: str, found: Tie, before: list[str]) -> bool:
    asking = bool(before) and before[-1] in ASKING
    return secret_value(value, means, found.manner, asking)


def _span(value: Value, kind: str) -> Span:
    return Span(value.start, value.end, kind)


def _stands(page: Page, label: Label, at: int, end: int) -> bool:
    """The needle is a word here, not a piece of another ("compass", "secretary")."""
    low, text = page.low, page.text
    if not label.needle.isascii():
        return True
    after = low[end : end + 1]
    if (
        after.isalpha()
        and after.isascii()
        and not text[end].isupper()
        and not low.startswith(("s ", "s:", "s="), end)
    ):
        return _suffix(page, label, end) >= 0
    if not label.whole or at == 0:
        return True
    if not low[at - 1].isalpha():
        return True
    return text[at].isupper() and text[at - 1].islower()


def _suffix(page: Page, label: Label, end: int) -> int:
    """The end of the identifier, if what follows the needle leaves it a name of a secret; else -1."""
    if not label.needle.isascii():
        return end
    tail = _TAIL.match(page.text, end)
    rest = tail[0].rstrip("-_") if tail else ""
    if rest.startswith("-") and " " not in rest and label.needle in {"pass", "pw"}:
        return end
    parts = words(rest.replace("_", "-")) if rest else []
    if all(part in SUFFIXES or part.isdigit() for part in parts):
        return end + len(rest)
    return -1


def _before(page: Page, at: int) -> list[str]:
    """The words in front of the needle: the rest of its identifier, and the word before that."""
    start = at
    least = max(0, at - 64)
    while start > least and page.low[start - 1] in _WORDCHARS:
        start -= 1
    own = words(page.text[start:at].replace("_", "-"))
    if start == at and start > 1 and page.low[start - 1] == " ":
        line = page.low[max(0, start - 32) : start]
        own = words(line.rpartition("\n")[2].replace(" ", "-"))[-3:]
    return own


def _means(label: Label, before: list[str], needle: str) -> Class | None:
    if label.means != "key":
        if label.means == "pin" and label.needle == "pin" and needle.islower() and "gpio" in before:
            return None
        return label.means
    last = before[-1] if before else ""
    if last in PUBLIC_KEYS:
        return None
    return "token" if last in QUALIFIERS else "key"


def _near(page: Page, end: int, kind: str) -> Iterator[Span]:
    """A random token a few words behind a label, on the same line."""
    line = page.text.find("\n", end, end + _NEAR)
    limit = line if line >= 0 else min(len(page.text), end + _NEAR)
    for token in _TOKEN.finditer(page.text, end, limit):
        gap = page.low[end : token.start()]
        if any(word in gap for word in _HASHES) or "://" in gap:
            return
        whole = _TOKEN.match(page.text, token.start())
        text = whole[0] if whole else token[0]
        if looks_random(text, 20) and not benign.placeholder(text) and "/" not in text:
            yield Span(token.start(), token.start() + len(text), kind)
            return
