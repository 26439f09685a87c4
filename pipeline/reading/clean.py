"""Clean messages: no secrets, no private parts, nothing that we or a machine injected.

Messages are cleaned between the readers and the windows, so nothing unredacted is counted, trimmed or shown
(invariants 7 and 8). A text that cannot be proven clean is left out as Filtered("unredactable").
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from siltstone.pipeline.messages import Filtered, Message, Step
from siltstone.pipeline.reading import echo
from siltstone.pipeline.reading.window import clip
from siltstone.store.errors import RedactionError
from siltstone.store.redaction import MARK, hide_answer, redact

LAST = 1_500
"""Characters of an answer's end in which it may ask for a password."""
LOOKED_AT = 200_000
"""Characters of one text that are cleaned, head and tail. A window shows far less of either end, so the text
beside the cut, where a secret may be halved, is never shown."""


def cleaned(steps: Iterable[Step]) -> Iterator[Step]:
    for step in without_told_passwords(steps):
        yield step if isinstance(step.item, Filtered) else replace(step, item=clean(step.item))


def without_told_passwords(steps: Iterable[Step], asked: str = "") -> Iterator[Step]:
    """The steps of a session in which no typed answer tells a password that the agent asked for: the answer
    alone does not show what it is. `asked`: what the agent had said last before them."""
    for step in steps:
        item = step.item
        if isinstance(item, Message) and item.role == "user":
            step = replace(step, item=without_told_password(asked, item))
        elif isinstance(item, Message) and item.role == "assistant":
            asked = item.text
        yield step


def without_told_password(asked: str, reply: Message) -> Message:
    """A typed reply to an answer of the agent's, without a password that was asked for."""
    return replace(reply, text=hide_answer(asked[-LAST:], reply.text))


def clean(message: Message, looked_at: int = LOOKED_AT) -> Message | Filtered:
    """The message without secrets and injected text; Filtered when nothing of a typed text is left.

    Of each text `looked_at` characters are cleaned, head and tail; what is shown must be far less.
    """
    try:
        if (tool := message.tool) is not None:
            command = None if tool.command is None else _redacted(tool.command, looked_at)
            input_, output = _redacted(tool.input, looked_at), _redacted(tool.output, looked_at)
            return replace(message, tool=replace(tool, input=input_, command=command, output=output))
        text = echo.strip(_redacted(message.text, looked_at))
    except RedactionError:
        return Filtered("unredactable")
    if message.role == "user" and not text.replace(MARK, "").strip():
        return Filtered("private" if "<private>" in message.text else "secret" if text.strip() else "echo")
    return replace(message, text=text)


def without_secrets(parts: Sequence[str]) -> tuple[str, ...]:
    """The parts of a rejected item, each without secrets, for the ledger.

    All are empty when one cannot be checked, or when they hold a secret together: a description may end in
    "the password is" and the body begin with it.
    """
    try:
        safe = tuple(redact(part).text for part in parts)
        together = "\n".join(safe)
        if redact(together).text == together:
            return safe
    except RedactionError:
        pass
    return ("",) * len(parts)


def _redacted(text: str, looked_at: int) -> str:
    if not text:
        return ""
    private = "<private" in text.lower()  # both of its tags have to be seen
    return redact(text if private else clip(text, looked_at)).text
