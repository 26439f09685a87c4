"""What a session came to, summed up by a model (docs/seeds.md E16): session state, no memory, no evidence.

The model sees the first request and the last messages, redacted before. What it answers
is redacted too, cut, and shown as machine-made and unverified.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date

from pydantic import BaseModel, ConfigDict

from siltstone.pipeline import detector
from siltstone.pipeline.messages import Message
from siltstone.pipeline.model.asking import Answer, ask
from siltstone.pipeline.model.json_reply import Unreadable, items
from siltstone.pipeline.model.port import Model
from siltstone.pipeline.reading.window import brief, trim, weight
from siltstone.prompts import Prompt, prompt
from siltstone.store.redaction import redact

MOST_CHARS = 24_000
"""Characters of a session that are shown, counted as a window's are."""
LINES, LINE = 6, 240
"""Of a summary: so many lines of so many characters."""


class WireSummary(BaseModel):
    """The reply's form."""

    model_config = ConfigDict(extra="forbid")
    summary: list[str]


def excerpt(messages: Iterable[Message]) -> list[Message]:
    """The first typed request, and the latest messages that fit beside it, trimmed, oldest first."""
    kept = (  # without what the user asked not to keep
        replace(message, text=detector.kept(message.text)) if message.role == "user" else message
        for message in messages
    )
    trimmed = [brief(trim(message)) for message in kept]
    first = next((one for one in trimmed if one.role == "user" and one.text), None)
    left = MOST_CHARS - (weight(first) if first is not None else 0)
    latest: list[Message] = []
    for one in reversed(trimmed):
        left -= weight(one)
        if left < 0:
            break
        latest.insert(0, one)
    return latest if first is None or first in latest else [first, *latest]


def prompt_of(messages: Sequence[Message], today: date) -> Prompt:
    """The prompt, as it is sent. `messages` are redacted before."""
    return prompt("summary", messages=messages, today=today)


def summarise(messages: Sequence[Message], model: Model, today: date) -> Answer[str]:
    """Ask the model; the lines of its answer.

    Raises asking.Unread and asking.ReplyCut, and what the model raises; RedactionError for an answer
    that cannot be proven free of secrets.
    """
    answer = ask(model, prompt_of(messages, today), WireSummary, _read)
    return Answer(redact(answer.value).text, answer.usage, answer.calls)


def _read(text: str) -> str:
    lines = [" ".join(one.split()) for one in items(text, "summary") if isinstance(one, str)]
    rows = [one[:LINE] for one in lines if one][:LINES]
    if not rows:
        raise Unreadable("it holds no lines")
    return "\n".join(rows)
