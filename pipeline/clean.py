"""A message as it may go on: without secrets and private matter, without what we or others injected.

Stands between the readers and the windows, so that nothing unredacted is ever counted, trimmed or shown
(invariants 7 and 8). A text that cannot be proven clean goes nowhere: it is Filtered("unredactable").
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from siltstone.pipeline import echo
from siltstone.pipeline.messages import Filtered, Message, Step, ToolCall
from siltstone.pipeline.window import clip
from siltstone.store.errors import RedactionError
from siltstone.store.plain import MARK
from siltstone.store.redaction import redact

LOOKED_AT = 200_000
"""Characters of one text that are looked at, head and tail. A window shows far less of either end, so
what stands beside the cut, where a secret may be halved, is never shown."""


def cleaned(steps: Iterable[Step]) -> Iterator[Step]:
    """The same steps with clean messages."""
    for step in steps:
        yield step if isinstance(step.item, Filtered) else replace(step, item=clean(step.item))


def clean(message: Message) -> Message | Filtered:
    """The message without secrets and echoes; Filtered when nothing of a typed text is left."""
    try:
        if message.tool is not None:
            return replace(message, tool=_clean_tool(message.tool))
        text = echo.strip(_redacted(message.text))
    except RedactionError:
        return Filtered("unredactable")
    if message.role == "user" and not text.replace(MARK, "").strip():
        return Filtered("private" if "<private>" in message.text else "secret" if text.strip() else "echo")
    return replace(message, text=text)


def told_safely(parts: Sequence[str]) -> tuple[str, ...]:
    """The parts of one thing a model said, each without its secrets, for what is kept but not believed.

    All are empty when one cannot be checked, or when together they still tell a secret: a description
    that ends in "the password is" has it at the start of the body.
    """
    try:
        safe = tuple(redact(part).text for part in parts)
        together = "\n".join(safe)
        if redact(together).text == together:
            return safe
    except RedactionError:
        pass
    return ("",) * len(parts)


def _clean_tool(tool: ToolCall) -> ToolCall:
    command = None if tool.command is None else _redacted(tool.command)
    return replace(tool, input=_redacted(tool.input), command=command, output=_redacted(tool.output))


def _redacted(text: str) -> str:
    return redact(clip(text, LOOKED_AT)).text
