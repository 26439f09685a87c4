"""Tokens in the forms that vendors give out, drawn by chance: no file holds one."""

import re
import tomllib
from random import Random

from support.redaction_corpus import FOLDER
from support.redaction_slots import ALPHABETS

SHAPES: dict[str, str] = tomllib.loads((FOLDER / "vendors.toml").read_text("utf-8"))
_SLOT = re.compile(r"⟨(\d+) (\w+)⟩")


def draw(shape: str, seed: object) -> str:
    """A token of the shape; the same seed gives the same one."""
    choice = Random(f"{shape} {seed}").choice  # noqa: S311 - repeatable
    while True:
        token = _SLOT.sub(
            lambda slot: "".join(choice(ALPHABETS[slot[2]]) for _ in range(int(slot[1]))), SHAPES[shape]
        )
        # Nobody can tell a sign at the end of a token from one that joins it to the next word.
        if token[-1].isalnum():
            return token
