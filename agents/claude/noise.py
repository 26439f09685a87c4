"""Telling noise from records by a look at the bytes, before anything is parsed.

About 80% of a transcript's bytes are noise (`api-request-*`, `prompt_snapshot`, …), some of which
repeats typed text: types are allow-listed (docs/transcripts.md).
"""

_BARE = b'{"type":"'
"""How records begin that are outside the tree: requests, snapshots, titles."""
_CHAINED_BARE = (b'{"type":"user"', b'{"type":"assistant"', b'{"type":"attachment"', b'{"type":"system"')
_ATTACHMENT = b'"attachment":{"type":"'
_NEAR = 1000
"""Bytes in which an attachment's type stands, at most a few ids after the start of its line."""
_ATTACHMENTS = (b"queued_command", b"instructions", b"nested_memory", b"hook_")


def compact(raw: bytes) -> bool:
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
        or not compact(raw)
    )
