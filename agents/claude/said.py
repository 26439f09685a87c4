"""What a user record of Claude Code holds: words somebody typed, or why they are none.

The rules are those of docs/transcripts.md, "Typed by the user".
"""

from typing import NamedTuple

from siltstone.agents.records import Record, items, obj, string
from siltstone.pipeline.candidate_block import cut

_TYPED = (None, "typed", "queued", "suggestion_accepted", "sdk")
_MACHINE_MADE = (
    ("<command-name>", "command"),
    ("<command-message>", "command"),
    ("<command-args>", "command"),
    ("<local-command-", "command"),
    ("Caveat: The messages below", "command"),
    ("<bash-input>", "command"),
    ("<bash-stdout>", "command"),
    ("<bash-stderr>", "command"),
    ("<task-notification>", "notification"),
    ("<system-reminder>", "system-reminder"),
    ("[Request interrupted by user", "interrupt"),
    ("Stop hook feedback:", "hook"),
    ("<user-prompt-submit-hook>", "hook"),
    ("<ide_", "ide"),
    ("This session is being continued from a previous conversation", "compaction"),
)
_PREFIXES = tuple(prefix for prefix, _ in _MACHINE_MADE)


class Said(NamedTuple):
    """`reason` says why the text is not a person's; "" when it is. Of a compaction summary `text` is the
    candidate block (docs/seeds.md A8), else it is empty."""

    text: str
    reason: str


def said(record: Record) -> Said:
    """A `type=user` record without tool results."""
    if record.get("isSidechain") is True:
        return Said("", "sidechain")
    if record.get("isCompactSummary") is True:
        return Said(cut("\n".join(_parts(obj(record.get("message")).get("content")))), "compaction")
    words = _words(obj(record.get("message")).get("content"))
    if words.reason:
        return words
    if record.get("isMeta") is True or "toolUseResult" in record or record.get("sourceToolAssistantUUID"):
        return Said("", "machine")
    if record.get("promptSource") not in _TYPED or not _human(record):
        return Said("", "machine")
    return words


def queued(attachment: Record) -> Said:
    """A `queued_command` attachment: typed while the agent was busy, it exists only there."""
    words = _words(attachment.get("prompt"))
    if words.reason:
        return words
    if attachment.get("commandMode") != "prompt" or not _human(attachment):
        return Said("", "notification")
    return words


def _human(record: Record) -> bool:
    origin = record.get("origin")
    return origin is None or obj(origin).get("kind") == "human"


def _words(content: object) -> Said:
    """The text of a message; blocks that a machine put beside typed ones are left out."""
    parts = _parts(content)
    if not parts:
        return Said("", "empty")
    typed = [part for part in parts if not part.lstrip().startswith(_PREFIXES)]
    if not typed:
        return Said("", _reason(parts[0].lstrip()))
    return Said("\n".join(typed), "")


def _parts(content: object) -> list[str]:
    if isinstance(content, str):
        parts = [content]
    else:
        blocks = [obj(block) for block in items(content)]
        parts = [string(block.get("text")) for block in blocks if block.get("type") == "text"]
    return [part for part in parts if part.strip()]


def _reason(text: str) -> str:
    return next(reason for prefix, reason in _MACHINE_MADE if text.startswith(prefix))
