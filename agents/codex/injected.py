"""What Codex puts beside the user's words, and why it is no message (invariant 7).

0.169 says of every piece where it came from; older files show it by how a piece begins.
"""

from siltstone.agents.records import Record, items, obj, string

_KINDS = {
    "agents_md": "instructions",
    "environments": "environment",
    "hooks": "hook",
    "memories": "memory",
    # Told by a record of its own: the typed text and the user's own command are items, an
    # interrupt is an event, a summary is part of `compacted`.
    "user": None,
    "generic": None,
    "shell": None,
    "compaction": None,
}
_STARTS = (
    ("# AGENTS.md instructions for", "instructions"),
    ("<user_instructions>", "instructions"),
    ("<INSTRUCTIONS>", "instructions"),
    ("<skill", "instructions"),
    ("<permissions instructions>", "instructions"),
    ("<environment_context>", "environment"),
    ("<hook_prompt", "hook"),
    ("<turn_aborted>", None),
    ("<user_shell_command>", None),
)


def reasons(payload: Record) -> list[str]:
    """Why the pieces of a user's or developer's response item are filtered, each reason once."""
    passed = obj(payload.get("internal_chat_message_metadata_passthrough"))
    kinds, sources = items(passed.get("content_item_kinds")), items(passed.get("content_item_metadata"))
    found: set[str | None] = set()
    for n, piece in enumerate(items(payload.get("content"))):
        kind = string(kinds[n]) if n < len(kinds) else ""
        source = obj(obj(sources[n]).get("provenance")) if n < len(sources) else {}
        found.add(_reason(kind, source, string(obj(piece).get("text")), payload.get("role")))
    return sorted(reason for reason in found if reason)


def start_reason(text: str) -> str | None:
    """Why a text that stands as the user's is none, by its beginning; None = it was typed."""
    for start, reason in _STARTS:
        if text.startswith(start):
            return reason or "injected"
    return None


def _reason(kind: str, source: Record, text: str, role: object) -> str | None:
    if source.get("type") == "user":
        return None
    if source.get("hook") is True:
        return "hook"
    area = kind.partition(".")[0]
    if area in _KINDS:
        return _KINDS[area]
    for start, reason in _STARTS:
        if text.startswith(start):
            return reason
    # Without a word on where it came from, a user's piece is the typed text, which has its own event.
    return "instructions" if role == "developer" or (kind and kind != "unknown") else None
