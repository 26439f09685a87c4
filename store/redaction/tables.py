"""Tables: a column headed "password" holds passwords, in markdown, CSV and TSV."""

from siltstone.store.late import LatePattern
from siltstone.store.redaction.commands import plausible
from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import Page, Span
from siltstone.store.redaction.wordlist import one_of
from siltstone.store.tuples import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_NEEDLES = ("pass", "secret", "token", "key", "pwd", "密码", "密碼", "パスワード", "비밀번호")
_NAMES = one_of(
    """password, passwd, passwort, pass, pwd, secret, token, api key, api-key, api_key, apikey,
    access key, secret key, secret_key, secret access key, secret_access_key, 密码, 密碼,
    パスワード, 비밀번호"""
)
_HEAD = LatePattern(rf"[\W_]*(?:\w{{1,20}}[ _-])?{_NAMES}[\W_]*")
_CELL = LatePattern(r"\"?[\w .#-]{1,38}\"?")
_LOOSE = LatePattern(r"secret|token|key")
_SEPARATORS = ("|", "\t", ",", ";")
_ROWS = 200
_WIDTH = 2000


def tables(page: Page) -> "Iterator[Span]":
    """Cells below a heading that names a secret, as far as the table goes."""
    until = 0
    for at in sorted(page.hits(*_NEEDLES)):
        if at < until:
            continue
        start, end = page.line_at(at, _WIDTH)
        until = end
        heads = _heads(page, start, end)
        if heads is None:
            continue
        for row_start, cells in _rows(page, end + 1, heads):
            until = row_start + 1
            for column in heads.columns:
                span = _cell(row_start, cells, column, heads.loose)
                if span:
                    yield span


class _Heads(NamedTuple):
    separator: str
    width: int
    columns: tuple[int, ...]
    loose: bool
    """A column of tokens or keys: its cells have to look like one."""


def _heads(page: Page, start: int, end: int) -> _Heads | None:
    line = page.low[start:end]
    if page.text[end : end + 1] != "\n":
        return None
    for separator in _SEPARATORS:
        heads = line.split(separator)
        columns = tuple(n for n, head in enumerate(heads) if _HEAD.fullmatch(head.strip()))
        if columns and _headed(page, line, heads, separator, end):
            loose = any(_LOOSE.search(heads[column]) for column in columns)
            return _Heads(separator, len(heads), columns, loose)
    return None


def _headed(page: Page, line: str, heads: list[str], separator: str, end: int) -> bool:
    """The line is the head of a table, not a line of code with separators in it."""
    named = [head for head in heads if head.strip()]
    if len(named) < 2 or any(len(head) > 40 for head in heads):
        return False
    if separator == "|":
        if "---" in page.text[end + 1 : end + 80]:
            return True
        before = page.low.rfind("\n", 0, max(0, end - len(line) - 1)) + 1
        return line.lstrip().startswith("|") and not page.low.startswith("|", before)
    return not any(sign in line for sign in "()[]{}=<>'") and all(
        _CELL.fullmatch(head.strip()) for head in named
    )


def _rows(page: Page, at: int, heads: _Heads) -> "Iterator[tuple[int, list[str]]]":
    for _ in range(_ROWS):
        end = page.text.find("\n", at, at + _WIDTH)
        row = page.text[at : end if end >= 0 else at + _WIDTH]
        cells = row.split(heads.separator)
        if len(cells) != heads.width:
            return
        yield at, cells
        if end < 0:
            return
        at = end + 1


def _cell(row_start: int, cells: list[str], column: int, loose: bool) -> Span | None:
    value = cells[column].strip(" \t\r`*\"'")
    if not plausible(value, careful=False) or not (secretish(value, True) if loose else " " not in value):
        return None
    start = row_start + sum(len(cell) + 1 for cell in cells[:column]) + cells[column].index(value)
    return Span(start, start + len(value), "password")
