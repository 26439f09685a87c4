"""Passwords as people make them up, each told in twenty ways: nothing of one may survive redaction."""

import tomllib
from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from support.redaction_corpus import FOLDER
from support.redaction_slots import Filler

TOLD = tomllib.loads((FOLDER / "told.toml").read_text("utf-8"))
PLACES: dict[str, str] = TOLD["places"]
LISTS = {
    "word": TOLD["words"],
    "title": [word.capitalize() for word in TOLD["words"]],
    "leet": [word.translate(str.maketrans("aeio", "4310")) for word in TOLD["words"]],
    "kind": ["Secret", "Pass", "Password"],
    "sign": ["!", "&", "#"],
}


class Told(NamedTuple):
    """A text with a password in it."""

    place: str
    text: str
    password: str


def told(passwords: int, seed: int = 18) -> Iterator[Told]:
    """Each of so many passwords in each place."""
    filler = Filler(Random(seed), LISTS)  # noqa: S311 - the same ones each time
    for number in range(passwords):
        password = filler.fill(TOLD["shapes"][number % len(TOLD["shapes"])])
        for place, form in PLACES.items():
            yield Told(place, form.format(password), password)
