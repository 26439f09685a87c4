"""The rules for a running session's texts and commands, one at a time (`silt event`, hooks)."""

from collections.abc import Sequence

from siltstone.pipeline.extraction import candidate_block
from siltstone.pipeline.proof.commands import programs as programs
from siltstone.pipeline.rules import typed
from siltstone.pipeline.rules.typed import kept as kept
from siltstone.pipeline.rules.typed import own as own
from siltstone.pipeline.rules.typed import wanted as wanted


def announced(kind: str, text: str, keywords: typed.Keywords = ()) -> Sequence[tuple[str, str]]:
    """Type and text of the memories a message asks to keep: typed saves, or a summary's candidate block.

    `kind` is "user" for what was typed. Nothing of it is proven yet: `silt run` decides what is kept.
    """
    if kind == "user":
        return typed.announced(kind, text, keywords)
    return [(line.type, line.text) for line in candidate_block.parse(text) if line.passes]
