"""Whether a text tells anything once its secret is out ("the bot token is [REDACTED]" does not), or its tags
are: "</siltstone-memory>" alone is no memory."""

import re

from siltstone.pipeline.identifiers import identifiers
from siltstone.pipeline.words import letters
from siltstone.store.redaction import MARK

MIN_TOLD = 14
"""Letters of a clause that tell something beside the secret; a CJK letter counts for two."""

_CLAUSES = re.compile(r"[;；。，,\n]|[.!?](?=\s|$)|(?<!\w)(?:and|but|because|und|aber|weil)(?!\w)", re.I)
_NO_PREDICATE = re.compile(
    r"\W*(?:(?:for|as|in|on|to|at|with|by|of|from|if|when|please|ok|thanks|für|zum|bei|in)(?!\w)|です|だ"
    r"|입니다|이다|用于|给|給)",
    re.I,
)
"""What goes on so after a secret only tells whose it was."""
_TAG = re.compile(r"</?[a-z!?][\w:.-]{0,80}(?:\s[^<>]{0,300})?/?>", re.I)


def only_tags(text: str) -> bool:
    """Whether the text holds tags and no word beside them."""
    return "<" in text and not any(map(str.isalnum, _TAG.sub("", text)))


def hollow(text: str) -> bool:
    """Whether the secret that was taken out of the text was its point; False where none was."""
    if MARK not in text:
        return False
    return not any(_tells(clause) for clause in _CLAUSES.split(text))


def _tells(clause: str) -> bool:
    _, mark, after = clause.partition(MARK)
    if not mark:
        return letters(clause) >= MIN_TOLD
    if any("/" in identifier or " " in identifier for identifier in identifiers(clause.replace(MARK, "x"))):
        return True  # an address or a command with its secret left out
    after = after.replace(MARK, "")
    return letters(after) >= MIN_TOLD and _NO_PREDICATE.match(after) is None
