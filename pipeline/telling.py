"""What somebody else's program says of its trouble, as a person may hear it."""

import re

from siltstone.prompts import line
from siltstone.store.redaction import redact

MOST_READ = 2_000
MOST_SAID = 200
_COLOURS = re.compile("\x1b\\[[0-9;?]*[A-Za-z]")


def said(text: str) -> str:
    """The beginning of `text` on one line, without an end mark.

    Services quote the key they refuse, so it is redacted: messages go to the ledger (invariant 8).
    """
    return redact(line(_COLOURS.sub("", text[:MOST_READ]))).text[:MOST_SAID].rstrip(". ")
