"""Asking a model for a list, as extraction, compaction and summaries do: with one round of repair, and more
for the rest of a list that was cut off.

A reply that cannot be read still costs, and never counts as an empty list: it is an error with the usage in
it, and the caller asks the same again later (invariant 1).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from pydantic import BaseModel

from siltstone.pipeline.model.json_reply import Unreadable, items, whole_items
from siltstone.pipeline.model.port import Model, Turn, Usage
from siltstone.prompts import Prompt, render, tame
from siltstone.store.errors import Overflow, ReplyError, SiltError

T = TypeVar("T")

MAX_REPLY_TOKENS = 8_000
"""Enough for a full reply, and for what most reasoning models think first."""
THINKING_TOKENS = 24_000
"""Allowed where a reply was cut off before its first item: the model thought that long."""
ROUNDS = 4
"""Calls that one list may take when each is cut off."""
QUOTED_BACK = 4_000
"""Characters of a bad reply that are sent back for repair."""


class Answer(NamedTuple, Generic[T]):
    """The value in the reply, and what it cost."""

    value: T
    usage: Usage
    calls: int
    text: str = ""
    """The reply, as JSON."""
    room: int = MAX_REPLY_TOKENS
    """Tokens that the reply had to be allowed."""


class Costed(SiltError):
    """Calls were paid for, and nothing could be read."""

    def __init__(self, message: str, usage: Usage, calls: int) -> None:
        super().__init__(message)
        self.usage = usage
        self.calls = calls


class Unread(Costed, ReplyError):
    """Neither the reply nor its repair could be read."""


class ReplyCut(Costed, Overflow):
    """The replies ended at the token limit: less must be asked at a time."""


class ThoughtToLimit(ReplyCut):
    """The model thought for more tokens than a full reply takes, and began no list."""


def ask(
    model: Model,
    prompt: Prompt,
    schema: type[BaseModel],
    read: Callable[[str], T],
    room: int = MAX_REPLY_TOKENS,
) -> Answer[T]:
    """Send `prompt`, read the reply with `read`, which raises Unreadable; repair once.

    Of a reply that is cut off at `room` tokens the whole items are kept, and only the rest is asked for.
    Raises Unread, ReplyCut or ThoughtToLimit with the usage of all calls, and whatever the model raises.
    """
    (key,) = schema.model_fields
    turns = (Turn("system", prompt.system), Turn("user", prompt.user))
    kept: list[object] = []
    usage, trouble = Usage(), ""
    further: tuple[Turn, ...] = ()
    for calls in range(1, ROUNDS + 1):
        reply = model.ask((*turns, *further), schema, room)
        usage += reply.usage
        try:
            text = json.dumps({key: [*kept, *items(reply.text, key)]}) if kept else reply.text
            return Answer(read(text), usage, calls, text, room)
        except Unreadable as unreadable:
            cut = "it was cut off at the token limit" if reply.cut else ""
            again, trouble = trouble, cut or str(unreadable)
        whole = whole_items(reply.text, key) if reply.cut else []
        if not whole and (again or (reply.cut and room >= THINKING_TOKENS)):
            break
        kept += whole
        if reply.cut and not whole:
            room = max(room, THINKING_TOKENS)
        said = json.dumps({key: kept}, ensure_ascii=False) if kept else reply.text[:QUOTED_BACK]
        answered = Turn("assistant", tame(said).strip() or "(nothing)")  # valid UTF-8, and never empty
        further = (answered, Turn("user", render("repair", trouble=trouble, kept=len(kept))))
    if reply.cut and not kept and reply.usage.completion > MAX_REPLY_TOKENS:
        raise ThoughtToLimit(
            f"{model.name}: it thought for {reply.usage.completion:,} tokens and gave no answer; choose a "
            f"model that thinks less (`silt config set model NAME`).",
            usage,
            calls,
        )
    if reply.cut:
        raise ReplyCut(
            f"{model.name}: the reply was cut off twice; less must be sent at a time.", usage, calls
        )
    raise Unread(
        f"{model.name}: the reply could not be read, even after a repair: {trouble}; the call will be "
        f"retried.",
        usage,
        calls,
    )


def mend(
    model: Model,
    prompt: Prompt,
    schema: type[BaseModel],
    answer: Answer[T],
    wrong: Mapping[int, str],
    read: Callable[[str], T],
) -> Answer[T]:
    """Ask once more for the items of an answer that cannot be used: `wrong` has their numbers, from 1, and
    why. The answer holds these items alone. Raises what `read` and the model raise."""
    turns = (Turn("system", prompt.system), Turn("user", prompt.user), Turn("assistant", answer.text))
    asked = Turn("user", render("mend", wrong=wrong))
    reply = model.ask((*turns, asked), schema, answer.room)
    return Answer(read(reply.text), answer.usage + reply.usage, answer.calls + 1)


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
