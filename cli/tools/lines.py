"""Lines of JSON that the SDK can read whatever a client escaped in them."""

import re

_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)"
)
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
REPLACEMENT = "\\ufffd"


def whole(line: str) -> str:
    """A line of JSON with each half of a surrogate pair that stands alone replaced.

    Clients in JavaScript send such halves as they are, and a call that cannot be read is never answered.
    """
    if _HALF.search(line) is None:
        return line
    return _ESCAPE.sub(lambda found: REPLACEMENT if found[1] else found[0], line)
