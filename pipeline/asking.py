"""Asking a model for a list, with one round of repair. Extraction and compaction both ask this way.

A reply that cannot be read costs all the same, and is never taken for "nothing to say": it is an error
that carries what was spent, and the caller tries the same again later (invariant 1).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pydantic import BaseModel

from siltstone.pipeline.model import Model, Reply, Turn, Usage
from siltstone.pipeline.near_json import Unreadable
from siltstone.prompts import Prompt, render, tame
from siltstone.store.errors import Overflow, ReplyError

T = TypeVar("T")

MAX_REPLY_TOKENS = 8_000
"""Room for a full reply and for what a reasoning model thinks before it."""
QUOTED_BACK = 4_000
"""Characters of a bad reply that the repair round sends back."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What the reply says, and what it took to get it."""

    value: T
    usage: Usage
    calls: int


class Unread(ReplyError):
    """Neither the reply nor its repair could be read."""

    def __init__(self, message: str, usage: Usage, calls: int) -> None:
        super().__init__(message)
        self.usage = usage
        self.calls = calls


class ReplyCut(Overflow):
    """Both replies ended at the token limit: less must be asked at a time."""

    def __init__(self, message: str, usage: Usage, calls: int) -> None:
        super().__init__(message)
        self.usage = usage
        self.calls = calls


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
    second = model.ask((*turns, Turn("assistant", _quoted(first.text)), repair), schema, MAX_REPLY_TOKENS)
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


def _quoted(text: str) -> str:
    """A bad reply as it is sent back: neither empty nor unsendable, and no megabytes."""
    return tame(text[:QUOTED_BACK]).strip() or "(nothing)"
