"""Tables: a column headed "password" holds passwords, in markdown, CSV and TSV."""

import re
from collections.abc import Iterator

from siltstone.store.redaction.commands import plausible
from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import Page, Span
from siltstone.store.redaction.wordlist import one_of

_NEEDLES = ("pass", "secret", "token", "key", "pwd", "密码", "密碼", "パスワード", "비밀번호")
_NAMES = one_of(
    """password, passwd, passwort, pass, pwd, secret, token, api key, api-key, api_key, apikey,
    access key, secret key,
    secret_key, secret access key, secret_access_key, 密码, 密碼, パスワード, 비밀번호"""
)
_HEAD = re.compile(rf"[\W_]*(?:\w{{1,20}}[ _-])?{_NAMES}[\W_]*")
_LOOSE = re.compile(r"secret|token|key")
_SEPARATORS = ("|", "\t", ",", ";")
_ROWS = 200
_WIDTH = 2000


def tables(page: Page) -> Iterator[Span]:
    """Cells below a heading that names a secret, as far as the table goes."""
    seen = -1
    for at in page.hits(*_NEEDLES):
        start, end = page.line_at(at, _WIDTH)
        if start == seen or "\n" not in page.text[end : end + 1]:
            continue
        line = page.low[start:end]
        for separator in _SEPARATORS:
            heads = line.split(separator)
            columns = [n for n, head in enumerate(heads) if _HEAD.fullmatch(head.strip())]
            if len(heads) > 1 and columns and all(len(head) < 40 for head in heads):
                seen = start
                for column in columns:
                    loose = _LOOSE.search(heads[column]) is not None
                    yield from _cells(page, end + 1, separator, len(heads), column, loose)
                break


def _cells(page: Page, at: int, separator: str, width: int, column: int, loose: bool) -> Iterator[Span]:
    for _ in range(_ROWS):
        end = page.text.find("\n", at, at + _WIDTH)
        row = page.text[at : end if end >= 0 else at + _WIDTH]
        cells = row.split(separator)
        if len(cells) != width:
            return
        start = at + sum(len(cell) + 1 for cell in cells[:column])
        cell = cells[column]
        value = cell.strip(" \t\r`*\"'")
        if plausible(value, careful=False) and (secretish(value, True) if loose else " " not in value):
            inner = start + cell.index(value)
            yield Span(inner, inner + len(value), "password")
        if end < 0:
            return
        at = end + 1
