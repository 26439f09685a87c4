"""Which records of a Claude Code transcript matter.

About 80% of the bytes are noise (`api-request-*`, `prompt_snapshot`, …), some of which repeats typed text, so
types are allow-listed by a look at the bytes, before anything is parsed. Of user records, the rules of
docs/transcripts.md ("Typed by the user") tell what somebody typed.
"""

from typing import NamedTuple

from siltstone.agents.values import Record, items, obj, string
from siltstone.pipeline.extraction.candidate_block import cut

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


class UserText(NamedTuple):
    """`reason` says why the text is not a person's; "" when it is. Of a compaction summary `text` is the
    candidate block (docs/seeds.md A8), else it is empty."""

    text: str
    reason: str


def user_text(record: Record) -> UserText:
    """A `type=user` record without tool results."""
    if record.get("isSidechain") is True:
        return UserText("", "sidechain")
    if record.get("isCompactSummary") is True:
        return UserText(cut("\n".join(_parts(obj(record.get("message")).get("content")))), "compaction")
    words = _words(obj(record.get("message")).get("content"))
    if words.reason:
        return words
    if record.get("isMeta") is True or "toolUseResult" in record or record.get("sourceToolAssistantUUID"):
        return UserText("", "machine")
    if record.get("promptSource") not in _TYPED or not _human(record):
        return UserText("", "machine")
    return words


def queued_text(attachment: Record) -> UserText:
    """A `queued_command` attachment: typed while the agent was busy, it exists only there."""
    words = _words(attachment.get("prompt"))
    if words.reason:
        return words
    if attachment.get("commandMode") != "prompt" or not _human(attachment):
        return UserText("", "notification")
    return words


def _human(record: Record) -> bool:
    origin = record.get("origin")
    return origin is None or obj(origin).get("kind") == "human"


def _words(content: object) -> UserText:
    """The text of a message; blocks that a machine put beside typed ones are left out."""
    parts = _parts(content)
    if not parts:
        return UserText("", "empty")
    typed = [part for part in parts if not part.lstrip().startswith(_PREFIXES)]
    if not typed:
        return UserText("", _reason(parts[0].lstrip()))
    return UserText("\n".join(typed), "")


def _parts(content: object) -> list[str]:
    if isinstance(content, str):
        parts = [content]
    else:
        blocks = [obj(block) for block in items(content)]
        parts = [string(block.get("text")) for block in blocks if block.get("type") == "text"]
    return [part for part in parts if part.strip()]


def _reason(text: str) -> str:
    return next(reason for prefix, reason in _MACHINE_MADE if text.startswith(prefix))


_BARE = b'{"type":"'
"""How records begin that are outside the tree: requests, snapshots, titles."""
_CHAINED_BARE = (b'{"type":"user"', b'{"type":"assistant"', b'{"type":"attachment"', b'{"type":"system"')
_ATTACHMENT = b'"attachment":{"type":"'
_NEAR = 1000
"""Bytes in which an attachment's type stands, at most a few ids after the start of its line."""
_ATTACHMENTS = (b"queued_command", b"instructions", b"nested_memory", b"hook_")


def is_compact(raw: bytes) -> bool:
    """Whether the line is written as Claude Code does, without spaces after its colons: what went
    through a JSON formatter is told by parsing it alone."""
    return b'"type":"' in raw


def outside(raw: bytes) -> bool:
    """Whether the line is surely no record of the tree."""
    return raw.startswith(_BARE) and not raw.startswith(_CHAINED_BARE)


def unwanted(raw: bytes) -> bool:
    """Whether the line is complete and surely holds nothing for us."""
    if not raw.endswith(b"}"):
        return False
    if raw.startswith(_BARE):
        return not raw.startswith(_CHAINED_BARE)
    at = raw.find(_ATTACHMENT, 0, _NEAR)
    if at >= 0:
        return not raw.startswith(_ATTACHMENTS, at + len(_ATTACHMENT))
    # Written out: a loop over the types takes longer than the looks themselves.
    return not (
        b'"type":"assistant"' in raw
        or b'"type":"user"' in raw
        or b'"type":"queued_command"' in raw
        or b'"type":"instructions"' in raw
        or b'"type":"nested_memory"' in raw
        or b'"type":"hook_' in raw
        or not is_compact(raw)
    )
