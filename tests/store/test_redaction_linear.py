"""The work of redaction grows with the length of a text, whatever the text is."""

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
    *("cookie=", "://", " -a ", "a,", "密码是口令是", "password changed ", "password for ", "password? "),
]


class Work:
    """What rules ask of a page."""

    characters = 0


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    work = Work()

    def count(name: str) -> None:
        real = getattr(Page, name)

        def counted(page: Page, pattern: str, begin: int, limit: int = 400) -> object:
            end = begin + limit if name == "match" else limit
            work.characters += max(0, min(end, len(page.text)) - max(0, begin))
            return real(page, pattern, begin, limit)

        monkeypatch.setattr(Page, name, counted)

    for name in ("match", "search", "every"):
        count(name)
    return work


@pytest.mark.parametrize("piece", PIECES)
def test_in_a_text_of_twice_the_length_patterns_look_at_twice_as_much(piece: str, work: Work) -> None:
    redact(piece * (LENGTH // len(piece)))
    once = work.characters
    work.characters = 0
    hidden = redact(piece * (2 * LENGTH // len(piece))).text
    assert work.characters <= GROWTH * once + LENGTH
    assert redact(hidden).text == hidden
