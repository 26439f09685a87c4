"""What stands where a secret could stand and is none: placeholders, references, words of prose."""

import re

from siltstone.store.redaction.page import compiled
from siltstone.store.redaction.randomness import is_hex, looks_random, shape, words
from siltstone.store.redaction.vocabulary import NAME_WORDS, PATTERNS, listed

_PATTERN = re.compile(r"(?i)\\[swdb][*+?{]|\]\{\d|\$[({]\w|[-_]\{[a-z_]|\(\?[:=!<]|\[\^")
"""The value is part of a regular expression, or a shell puts something into it."""
_BLANK = re.compile(r"(?i)[\W_]*|[x*.…•·?_\-#0\s]+|(.)\1{4,}")
_FILLER_ALWAYS = (
    r"(?i)(?-i:x{4,}|X{4,}|[Yy]our|YOUR|EXAMPLE)|[-_]x{3,}$|\*{3,}|change[-_ ]?me|placeholder|<|\[redacted"
)
"""Those that hold even after a vendor's own prefix ("sk-your-key", "ghp_xxxx")."""
VENDOR = re.compile(
    r"(?:sk|pk|rk|sdk|gh[pousr]|glpat|xox[abeprs]|npm|pypi|hf|gsk|xai|whsec|shp(?:at|ss|ca|pa))[-_]."
)

WORDS = listed("prose")
"""Words that follow a label in prose, schemas and code without being what the label names."""
EXAMPLES = listed("examples")
"""What a document writes where the secret goes: user:password@host."""
_COINED = (
    r"(?:[$&*@~]|-(?=[A-Z]))[A-Za-z]{3,20}\d{2,4}[A-Za-z]{3,20}|[a-z]{2,20}\.[a-z]{2,20}_\d{3,4}"
    r"|(?=.*[A-Z])[A-Za-z][a-z]+(?:[._-][A-Za-z][a-z]+)+[._-]?\d{2,4}"
)
"""Words and a number, as people make up a password: Otter.Kelp_31, $otter193Kelp."""
HEADS = listed("heads")
_JUDGED = 100
"""Characters of a value that are looked at for what it says of itself."""
_PIECES = re.compile(r"[-_.:]")


def refers(value: str) -> bool:
    """The value only points at a secret, or is blank, masked or already redacted."""
    if value.startswith("/") and looks_random(value.rpartition("/")[2], 24):
        return False
    return (
        "[REDACTED" in value
        or (compiled(PATTERNS["reference"]).match(value) is not None and not coined(value))
        or _PATTERN.search(value) is not None
        or _BLANK.fullmatch(value[:_JUDGED]) is not None
    )


def coined(value: str) -> bool:
    """The value is made of words and a number, or drawn by chance behind a sign, and is no name in code."""
    if value[:1] in {*"$&*@"} and looks_random(value[1:], 12):
        return True
    if compiled(_COINED).fullmatch(value[:_JUDGED]) is None:
        return False
    parts = words(value)
    return parts[0] not in HEADS and NAME_WORDS.isdisjoint(parts)


def placeholder(value: str) -> bool:
    """The value says that something is to be put in its place ("your-token-here", "changeme")."""
    head = value[:_JUDGED]
    if head.endswith(("...", "…")):
        body = head.rstrip(".…")
        return len(body) < 12 or shape(body).switches < 0.25
    if not compiled(r"[A-Za-z0-9*]").search(head):
        return False
    # "add" and "foo" stand in long random letters too, by chance.
    core = max(_PIECES.split(head), key=len)
    if VENDOR.match(head) or is_hex(core) or looks_random(head, 20):
        return compiled(_FILLER_ALWAYS).search(head) is not None
    return compiled(PATTERNS["filler"]).search(head) is not None


def prose(value: str) -> bool:
    """The value is a word that text or code goes on with, not a secret word."""
    bare = value.strip(".,;:!?()[]{}'\"`*_").lower()
    return not bare or bare in WORDS or compiled(PATTERNS["technical"]).fullmatch(bare) is not None


def stands_in(value: str) -> bool:
    """The value stands in the place of a secret: it refers to one or says that one is to be put there."""
    return refers(value) or placeholder(value)


def harmless(value: str) -> bool:
    """The value stands in for a secret, or is a word of prose."""
    return stands_in(value) or prose(value)


def named(value: str) -> bool:
    """Every part of the value is a word of the names of secrets, or a plain word of prose ("auth_token")."""
    parts = words(value)
    return bool(parts) and all(part in NAME_WORDS or part in WORDS for part in parts)
