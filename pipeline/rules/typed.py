"""What a typed text of a running session asks to keep or not to keep, and what else it says."""

from collections.abc import Sequence

from siltstone.pipeline.reading import echo
from siltstone.pipeline.rules.pasted import own_words
from siltstone.pipeline.rules.saves import hear
from siltstone.pipeline.rules.sentences import without

Keywords = tuple[str, ...]
"""Regular expressions of the user's own that ask as "remember" does."""


own = echo.strip
"""The text without what a machine put in."""


def kept(text: str, keywords: Keywords = ()) -> str:
    """A typed text without what it asks not to keep, the request included."""
    return without(text, hear(text, keywords).refusals)


def wanted(text: str, keywords: Keywords = ()) -> str:
    """A typed text without what it asks to keep; "" if the user's own words ask for nothing else."""
    spans = [span for request in hear(text, keywords).kept for span in request.spans()]
    left = without(text, spans)
    return left if not spans or any(map(str.isalnum, own_words(left))) else ""


def announced(kind: str, text: str, keywords: Keywords = ()) -> Sequence[tuple[str, str]]:
    """Type and text of what a typed text asks to keep. Nothing is proven yet: `silt run` decides."""
    return [("feedback", request.body(text)) for request in hear(text, keywords).kept]
