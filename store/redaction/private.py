"""`<private>…</private>`: what the user fenced off is gone before any rule looks (docs/seeds.md E)."""

from siltstone.store.late import LatePattern
from siltstone.store.redaction.page import Page, Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_TAG = LatePattern(r"<(/?)private(?:\s[^<>\n]{0,80})?\s{0,4}/?>")


def private(page: Page) -> "Iterator[Span]":
    """Everything between the tags, tags included; nested ones are one.

    A tag that nobody closed hides the rest of the text: its end may have been cut away. A tag in
    backticks or quotes that nobody closed is only spoken of.
    """
    if "<private" not in page.low:
        return
    depth = start = 0
    for tag in _TAG.finditer(page.low):
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
