"""Templates, in which every value is text: escaped, and with what nobody would see made visible."""

import re
import unicodedata
from difflib import SequenceMatcher
from pathlib import Path
from urllib.parse import urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from siltstone.cli.terminal import ago

FOLDER = Path(__file__).parent
SPACES = "\n\t "
BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""Letters and signs that look like nothing, although Unicode does not call them invisible."""

Piece = tuple[str, bool]
"""Words, and whether the other text has not got them."""


def is_hidden(char: str) -> bool:
    """Whether a reader would not see the character, or see others in another order because of it."""
    if char in SPACES:
        return False
    spaced = unicodedata.category(char)[0] in "CZ"
    return spaced or char in BLANK or "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef"


def visible(value: object) -> object:
    """A value as a template shows it: text with its hidden characters by number and name.

    The mark has no quotation marks, so that it could not end an attribute either.
    """
    if not isinstance(value, str) or isinstance(value, Markup) or not any(map(is_hidden, set(value))):
        return value
    return Markup("").join(_mark(char) if is_hidden(char) else escape(char) for char in value)


def _mark(char: str) -> Markup:
    number = f"U+{ord(char):04X}"
    name = unicodedata.name(char, "").lower()
    return Markup("<b class=hidden>{}</b>").format(f"{number} {name}".strip())


def differing(one: str, other: str) -> tuple[list[Piece], list[Piece]]:
    """Two texts in pieces, those marked that the other text has not got."""
    mine, theirs = (re.findall(r"\S+\s*", text) for text in (one, other))
    bare = [[word.strip() for word in words] for words in (mine, theirs)]
    same = SequenceMatcher(None, bare[0], bare[1], autojunk=False).get_matching_blocks()
    found: tuple[list[Piece], list[Piece]] = ([], [])
    ends = [(0, 0), *((at + n, to + n) for at, to, n in same)]
    for (done, over), (at, to, n) in zip(ends, same, strict=False):
        for pieces, words, start, stop in ((found[0], mine, done, at), (found[1], theirs, over, to)):
            pieces.append(("".join(words[start:stop]), True))
            pieces.append(("".join(words[stop : stop + n]), False))
    left, right = ([piece for piece in pieces if piece[0]] for pieces in found)
    return left, right


def address(page: str, /, **values: str) -> str:
    """An address of the page."""
    return f"{page}?{urlencode(values, errors='surrogatepass')}"


def environment() -> Environment:
    """The templates of the page."""
    made = Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=visible,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["address"] = address
    made.filters["ago"] = ago
    made.filters["where"] = lambda scope: scope.removeprefix("projects/")
    return made
