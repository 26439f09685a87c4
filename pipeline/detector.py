"""The rules for a running session's texts and commands, one at a time (`silt event`, hooks)."""

from collections.abc import Sequence

from siltstone.pipeline.extraction import candidate_block
from siltstone.pipeline.proof.commands import programs as programs
from siltstone.pipeline.proof.gate import only_secret
from siltstone.pipeline.reading import echo
from siltstone.pipeline.rules.pasted import own_words
from siltstone.pipeline.rules.saves import hear
from siltstone.pipeline.rules.sentences import without


def own(text: str) -> str:
    """The text without parts that a machine put in (`echo.strip`)."""
    return echo.strip(text)


def kept(text: str) -> str:
    """A typed text without what it asks not to keep, the request included."""
    return without(text, hear(text).refusals)


def wanted(text: str) -> str:
    """A typed text without what it asks to keep; "" if the user's own words ask for nothing else."""
    spans = [span for request in hear(text).kept for span in request.spans()]
    left = without(text, spans)
    return left if not spans or any(map(str.isalnum, own_words(left))) else ""


def announced(kind: str, text: str) -> Sequence[tuple[str, str]]:
    """Type and text of the memories a message asks to keep: typed saves, or a summary's candidate block.

    `kind` is "user" for what was typed. Nothing of it is proven yet: `silt run` decides what is kept.
    """
    if kind != "user":
        return [(line.type, line.text) for line in candidate_block.parse(text) if line.passes]
    bodies = (request.body(text) for request in hear(text).kept)
    return [("feedback", body) for body in bodies if not only_secret(body)]
