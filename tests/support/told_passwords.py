"""Passwords as people make them up, each told in many ways: nothing of one may survive redaction."""

import json
import shlex
import tomllib
from collections.abc import Iterator
from random import Random
from typing import NamedTuple
from urllib.parse import quote
from xml.sax.saxutils import escape

from support.redaction_corpus import FOLDER
from support.redaction_slots import Filler

TOLD = tomllib.loads((FOLDER / "told.toml").read_text("utf-8"))
MORE = TOLD["more"]
LISTS = {
    "word": TOLD["words"],
    "title": [word.capitalize() for word in TOLD["words"]],
    "leet": [word.translate(str.maketrans("aeio", "4310")) for word in TOLD["words"]],
    "kind": ["Secret", "Pass", "Password"],
    "sign": ["!", "&", "#"],
    "mark": ["$", "&", "@", "*"],
    **{name: MORE[name] for name in ("season", "walk", "name", "foreign")},
}
PIECE = 4
"""Characters in a row of a password that may not be left."""


class Told(NamedTuple):
    """A text with a password in it."""

    place: str
    form: str
    """The text without the password."""
    text: str
    password: str
    written: tuple[str, ...]
    """The password, and as it is written for a shell, for JSON, for a URL and so on."""

    def left(self, hidden: str) -> list[str]:
        """The pieces of the password that are in the text after redaction, though not in the form."""
        pieces = (one[at : at + PIECE] for one in self.written for at in range(len(one) - PIECE + 1))
        return [piece for piece in pieces if piece in hidden and piece not in self.form]


def told(passwords: int, held: bool = False, seed: int = 18) -> Iterator[Told]:
    """Each of so many passwords in each place: of the shapes and places held out, or of the others."""
    parts = [TOLD["held"]] if held else [TOLD, MORE]
    shapes = [shape for part in parts for shape in part["shapes"]]
    places = [place for part in parts for place in part["places"].items()]
    filler = Filler(Random(seed), LISTS)  # noqa: S311 - the same ones each time
    for number in range(passwords):
        password = filler.fill(shapes[number % len(shapes)])
        ways = _ways(password)
        for place, form in places:
            yield Told(place, form, form.format(**ways), password, tuple(set(ways.values())))


def _ways(password: str) -> dict[str, str]:
    quoted = json.dumps(password, ensure_ascii=False)
    return {
        "raw": password,
        "sh": shlex.quote(password),
        "json": quoted,
        "py": repr(password),
        "yaml": password if password[0].isalnum() else quoted,
        "xml": escape(password),
        "url": quote(password, safe="!*"),
        "pgpass": password.replace("\\", "\\\\").replace(":", "\\:"),
    }
