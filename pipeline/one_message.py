"""A conversation as one system text and one message: an agent asked headlessly takes no other."""

from collections.abc import Sequence
from dataclasses import dataclass

from siltstone.pipeline.model import Turn
from siltstone.prompts import render


@dataclass(frozen=True, slots=True)
class OneMessage:
    """What a conversation comes to."""

    system: str
    text: str
    """Begins as the first of the user's turns, whose first words tell a reader that the session is ours
    (invariant 7)."""


def one_message(turns: Sequence[Turn]) -> OneMessage:
    """The turns in their order; a reply of the model's, between two messages, stands in a wrapper."""
    system = "\n\n".join(turn.content for turn in turns if turn.role == "system")
    text, reply = "", ""
    for turn in turns:
        if turn.role == "assistant":
            reply = turn.content
        elif turn.role == "user":
            text = render("replied", before=text, reply=reply, then=turn.content) if text else turn.content
    return OneMessage(system, text)
