"""Secrets that a command prints: the line below `pass show x`, `… | base64 -d`."""

from siltstone.store.late import LatePattern
from siltstone.store.redaction.judge import secretish
from siltstone.store.redaction.page import Page, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMANDS = ("base64 -", "pass show ", "op read ", "kv get -field", "versions access ")
_BELOW = LatePattern(r"[^\n]{0,200}\n(?P<v>\S{6,512})[ \t]*(?:\n|$)")


def printed(page: Page) -> "Iterator[Span]":
    """A line that is one value drawn by chance, right below a command that shows a secret."""
    for at in page.hits(*_COMMANDS):
        below = _BELOW.match(page.text, at)
        if below and secretish(below["v"], quoted=True):
            yield Span(*below.span("v"), "command")
