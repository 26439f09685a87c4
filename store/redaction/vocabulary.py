"""The words that rules are made of (vocabulary.toml): the names secrets go by, and words that are no secrets.

docs/seeds.md A "Redaction there" asks for nine languages; here they are twenty-odd, since a missed label
costs a secret and an extra one costs nothing.
"""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

from siltstone.store.data import data

Class = Literal["password", "token", "pin", "phrase", "key", "named key"]


_FILE = data(__file__)


def listed(name: str) -> frozenset[str]:
    """The words or phrases of a list."""
    text = _FILE[name]
    return frozenset(map(str.strip, text.split(",")) if "," in text else text.split())


def one_of(name: str) -> str:
    """A pattern for any one of a list, the longest first."""
    return "(?:" + "|".join(map(re.escape, sorted(listed(name), key=lambda one: (-len(one), one)))) + ")"


def filled(pattern: str, parts: Mapping[str, str]) -> str:
    """The pattern with parts, and any one of a list, in place of their {names}."""
    return re.sub(
        r"\{([a-z_]+)\}",
        lambda name: filled(parts[name[1]], parts) if name[1] in parts else one_of(name[1]),
        pattern,
    )


_PARTS = data(__file__, "patterns.toml")
PATTERNS = {name: filled(pattern, _PARTS) for name, pattern in _PARTS.items()}
"""The long patterns, by name."""


class Label(NamedTuple):
    """A word that names a secret."""

    needle: str
    """In small letters, as it stands in text."""
    means: Class
    """password: nearly any value counts. token: the value has to look like one. pin: digits.
    phrase: several plain words. key: only what looks drawn by chance, unless a word before qualifies it."""
    whole: bool
    """It must be a part of its own ("pass" in DB_PASS, not in "compass")."""


LABELS: dict[str, Label] = {
    needle.strip(): Label(needle.strip(), means, where == "whole")
    for where, classes in _FILE["labels"].items()
    for means, needles in classes.items()
    for needle in needles.split(",")
}
"""By needle."""
NAME_WORDS = listed("name_words")
"""Words of which the names of secrets are made: a value made of nothing else is a name too."""
