"""The form of a memory that quotes the talk (quotation.py): on each line who says what, and how."""

import re
from collections.abc import Iterator
from typing import NamedTuple

USER, AGREED, DENIED, ASKED = "The user", "Agreed", "Turned down", "Asked"
"""What a line begins with: the user says it, agrees to it or turns it down, or the agent asks it."""

_MARKS = str.maketrans("“”", '""')
_LINE = re.compile(rf"({USER}|{AGREED}|{DENIED}|{ASKED}): “([^“”\n]*)”")


class Line(NamedTuple):
    label: str
    """One of the four; "" for a line in another form."""
    text: str

    @property
    def stands(self) -> bool:
        """Whether it says that what it quotes is so."""
        return self.label not in (DENIED, ASKED)


def written(label: str, text: str) -> str:
    """A line of the exchange. Its marks stand nowhere in what it quotes, so that this cannot end it."""
    return f"{label}: “{text.translate(_MARKS)}”"


def needs_all_lines(memory: str) -> bool:
    """Whether a memory quotes what was asked or turned down: which of it is so, its lines say together."""
    return not all(line.stands for line in lines(memory))


def missing_lines(memory: str, text: str) -> set[str]:
    """The lines that a text which replaces a memory lacks, if the memory needs them all."""
    return {*memory.split("\n")} - {*text.split("\n")} if needs_all_lines(memory) else set()


def lines(memory: str) -> Iterator[Line]:
    """What the lines of a memory say, without their labels."""
    for line in memory.split("\n"):
        found = _LINE.fullmatch(line)
        yield Line(*found.groups()) if found else Line("", line)
