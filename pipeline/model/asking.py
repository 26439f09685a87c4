"""Asking a model for a list, with one round of repair. Extraction, compaction and summaries ask this way.

A reply that cannot be read still costs, and never counts as an empty list: it is an error with the usage in
it, and the caller asks the same again later (invariant 1).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from siltstone.pipeline.model.json_reply import Unreadable
from siltstone.pipeline.model.port import Model, Reply, Turn, Usage
from siltstone.prompts import Prompt, render, tame
from siltstone.store.errors import Overflow, ReplyError, SiltError

T = TypeVar("T")

MAX_REPLY_TOKENS = 8_000
"""Enough for a full reply and for what a reasoning model thinks first."""
QUOTED_BACK = 4_000
"""Characters of a bad reply that are sent back for repair."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """The value in the reply, and what it cost."""

    value: T
    usage: Usage
    calls: int


class Costed(SiltError):
    """Two calls were paid for, and nothing could be read."""

    def __init__(self, message: str, usage: Usage, calls: int) -> None:
        super().__init__(message)
        self.usage = usage
        self.calls = calls


class Unread(Costed, ReplyError):
    """Neither the reply nor its repair could be read."""


class ReplyCut(Costed, Overflow):
    """Both replies ended at the token limit: less must be asked at a time."""


def ask(model: Model, prompt: Prompt, schema: type[BaseModel], read: Callable[[str], T]) -> Answer[T]:
    """Send `prompt`, read the reply with `read`, which raises Unreadable; repair once.

    Raises Unread or ReplyCut with the usage of both calls, and whatever the model raises.
    """
    turns = (Turn("system", prompt.system), Turn("user", prompt.user))
    first = model.ask(turns, schema, MAX_REPLY_TOKENS)
    try:
        return Answer(read(first.text), first.usage, 1)
    except Unreadable as unreadable:
        trouble = _trouble(first, unreadable)
    repair = Turn("user", render("repair", trouble=trouble))
    bad = tame(first.text[:QUOTED_BACK]).strip() or "(nothing)"  # valid UTF-8, and never empty
    second = model.ask((*turns, Turn("assistant", bad), repair), schema, MAX_REPLY_TOKENS)
    usage = first.usage + second.usage
    try:
        return Answer(read(second.text), usage, 2)
    except Unreadable as unreadable:
        trouble = _trouble(second, unreadable)
    if first.cut and second.cut:
        raise ReplyCut(f"{model.name}: the reply was cut off twice; less must be asked at a time.", usage, 2)
    raise Unread(
        f"{model.name}: the reply could not be read, even after a repair: {trouble}; it will be asked again.",
        usage,
        2,
    )


def _trouble(reply: Reply, unreadable: Unreadable) -> str:
    return "it was cut off at the token limit" if reply.cut else str(unreadable)


def one_message(turns: Sequence[Turn]) -> tuple[str, str]:
    """A conversation as one system text and one message: an agent asked headlessly takes no other.

    A reply of the model between two messages is put into a wrapper. The message begins with the first user
    turn, by whose first words a reader knows that the session is ours (invariant 7).
    """
    system = "\n\n".join(turn.content for turn in turns if turn.role == "system")
    text, reply = "", ""
    for turn in turns:
        if turn.role == "assistant":
            reply = turn.content
        elif turn.role == "user":
            text = render("replied", before=text, reply=reply, then=turn.content) if text else turn.content
    return system, text
