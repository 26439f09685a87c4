"""What a user record of Gemini CLI holds: typed words, or why they are none (docs/transcripts.md)."""

import re
from typing import NamedTuple

from siltstone.agents.gemini.typed import OURS, typed
from siltstone.agents.records import Record, items, obj, string
from siltstone.pipeline.candidate_block import cut

_MACHINE_MADE = (
    ("<session_context>", "instructions"),
    ("<state_snapshot>", "compaction"),
    ("<scratchpad>", "compaction"),
    ("I ran the following shell command:", "command"),
)
_SLASH = re.compile(r"/[a-z][\w:-]{0,60}(?:\s|$)")
_HOOK, _END = "<hook_context>", "</hook_context>"


class Said(NamedTuple):
    """`reason` says why the text is not a person's; "" when it is. Of a compaction summary `text` is the
    candidate block (docs/seeds.md A8), else it is empty."""

    text: str
    reason: str


def said(record: Record) -> Said | None:
    """A `type=user` record. None when it only repeats the results of tools."""
    parts = _parts(record.get("content"))
    if any("functionResponse" in part for part in parts):
        return None
    shown = _parts(record.get("displayContent")) or parts
    whole = "\n".join(string(part.get("text")) for part in shown)
    text = typed(without_hooks(whole)).strip()
    if not text:
        return Said("", "hook" if _HOOK in whole else "empty")
    for prefix, reason in _MACHINE_MADE:
        if text.startswith(prefix):
            return Said(cut(text) if reason == "compaction" else "", reason)
    return Said("", "command") if text.startswith(OURS) or _SLASH.match(text) else Said(text, "")


def plain(content: object) -> str:
    """The text of an answer: a string, or parts."""
    if isinstance(content, str):
        return content
    return "".join(string(part.get("text")) for part in _parts(content) if part.get("thought") is not True)


def without_hooks(text: str) -> str:
    """The text without what hooks put into it: nothing we or others injected is read back."""
    if _HOOK not in text:
        return text
    kept, at = [], 0
    while (start := text.find(_HOOK, at)) >= 0:
        kept.append(text[at:start])
        end = text.find(_END, start)
        at = len(text) if end < 0 else end + len(_END)
    kept.append(text[at:])
    return "".join(kept)


def _parts(content: object) -> list[Record]:
    if isinstance(content, str):
        return [{"text": content}]
    listed = [content] if isinstance(content, dict) else items(content)
    return [{"text": part} if isinstance(part, str) else obj(part) for part in listed]
