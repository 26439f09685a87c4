"""Remarks on standard error, and a standard output that is gone. Hooks need both, so this loads nothing."""

import os
import sys
import unicodedata
from contextlib import suppress

REDACTED = "part of it looked like a secret and was left out"


def note(*lines: str) -> None:
    """Remarks apart from the result, a line each, on standard error."""
    if sys.stderr is not None:
        sys.stderr.write("".join(f"silt: {printable(line)}\n" for line in lines))


def let_go() -> None:
    """Discard what standard output still holds: it cannot be written, and would fail again at exit."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def printable(text: str) -> str:
    """Text from transcripts, models and files, with U+FFFD for what a terminal would obey."""
    if text.isprintable():
        return text
    return "".join(
        "\ufffd" if unicodedata.category(char)[0] == "C" and char not in "\n\t" else char for char in text
    )


def wrong_value(told: str) -> str:
    """What pydantic says is wrong with a value, in words for a person."""
    return told.replace("Value error, ", "").replace("Input should", "it must").partition(", unable to ")[0]
