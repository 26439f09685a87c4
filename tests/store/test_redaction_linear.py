"""The work of redaction grows with the length of a text, whatever the text is."""

import re
from collections.abc import Iterator

import pytest

from siltstone.store.redaction import redact
from siltstone.store.redaction.page import Page

LENGTH = 6_000
GROWTH = 3
"""How much more patterns may look at in a text of twice the length. It would be 4 times as much if one
looked from each of its places to the end of the text; that they look some thousand characters on makes it
somewhat more than 2."""
PIECES = [
    *("key=", "key=\\'", 'key="\\"', "password: ", 'password="', "secret" + 40 * " ", "token ", "密码是"),
    *("https://a:b@", "a@", "?sig=", "&code=", "a=1&", "curl -u a:b ", " -b a", "cookies={", "<private>"),
    *("BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----\n", "LS0tLS1CRUdJTi", "eyJhdXRocyI6", "-eyJ"),
    *("pat_", "sk-", "_", "-", ".", "$2", "123456789:A", "AKIA", "{", "(", "****", "\\", '"', "machine a "),
    *("cookie=", "://", " -a ", "a,"),
]


class Work:
    """What rules ask of a page."""

    def __init__(self) -> None:
        self.characters = 0

    def count(self, page: Page, begin: int, end: int) -> None:
        self.characters += max(0, min(end, len(page.text)) - max(0, begin))


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    work = Work()
    match, search, every = Page.match, Page.search, Page.every

    def counted_match(page: Page, pattern: str, at: int, reach: int = 400) -> re.Match[str] | None:
        work.count(page, at, at + reach)
        return match(page, pattern, at, reach)

    def counted_search(page: Page, pattern: str, begin: int, end: int) -> re.Match[str] | None:
        work.count(page, begin, end)
        return search(page, pattern, begin, end)

    def counted_every(page: Page, pattern: str, begin: int, end: int) -> Iterator[re.Match[str]]:
        work.count(page, begin, end)
        return every(page, pattern, begin, end)

    monkeypatch.setattr(Page, "match", counted_match)
    monkeypatch.setattr(Page, "search", counted_search)
    monkeypatch.setattr(Page, "every", counted_every)
    return work


@pytest.mark.parametrize("piece", PIECES)
def test_in_a_text_of_twice_the_length_patterns_look_at_twice_as_much(piece: str, work: Work) -> None:
    redact(piece * (LENGTH // len(piece)))
    once = work.characters
    work.characters = 0
    hidden = redact(piece * (2 * LENGTH // len(piece))).text
    assert work.characters <= GROWTH * once + LENGTH
    assert redact(hidden).text == hidden
