"""What a piece of text looks like: made by chance, or by a person.

A key drawn at random switches between small letters, capitals and digits far more often than a name
does, and its neighbouring letters are pairs that words rarely hold. Both are counted here, without a
dictionary, so that tokens of vendors nobody listed are seen too.
"""

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

_PAIRS = """
abcdfgiklmnprstuvwxy baceijlorsuy cacdehiklmoprstuy dabcdefilorstu eabcdefgilmnopqrstvwxy faefilorstu
gaeghilnorstu haeiorst iabcdefglmnoprstvxz je kaeis lacdeilopstuy mabdeilmopsu nacdefgiklnopstuv
oabcdfgiklmnoprstuvwx pacdehiloprstuy qu rabcdefgiklmnoprstuvy sacdefhiklmnopqrstuwy tabcdefhilmoprstuwy
uabcdefgilmnoprst vaeio waehinors xceipt ylmnpst zei
"""
_COMMON = frozenset((group[0], second) for group in _PAIRS.split() for second in group[1:])
"""Letter pairs that make up 95% of those in English prose and source code (counted over 10 MB)."""
_CLASSES = {
    **dict.fromkeys("abcdefghijklmnopqrstuvwxyz", "a"),
    **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "A"),
    **dict.fromkeys("0123456789", "0"),
}
_SWITCHES = ("aA", "a0", "A0", "0a", "0A", "AAa")
"""A capital and the small letter after it are one step of a name, but not behind another capital."""
_HEX = re.compile(r"[0-9a-f]{16,}|[0-9A-F]{16,}")
_UUID = re.compile(r"(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_HYPHENS = re.compile(r"[-_.]")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
JUDGED = 200
"""Characters of a token that are looked at: enough to tell, and a bound on the work."""


class Shape(NamedTuple):
    """Counts over one token."""

    length: int
    lower: int
    upper: int
    digit: int
    switches: float
    """Share of neighbours (among letters and digits) that differ in class, 0 … 1."""
    wordlike: float
    """Share of neighbouring letters that are a pair common in words, 0 … 1; 1 without such neighbours."""
    distinct: int


@lru_cache(maxsize=1_000)
def shape(token: str) -> Shape:
    """Measure the first `JUDGED` characters of a token."""
    token = token[:JUDGED]
    low = token.lower()
    classes = "".join([_CLASSES.get(char, " ") for char in token])
    switches = sum(map(classes.count, _SWITCHES))
    neighbours = sum(len(run) - 1 for run in classes.split())
    pairs = sum(len(run) - 1 for run in classes.replace("0", " ").split())
    common = sum(map(_COMMON.__contains__, pairwise(low)))
    return Shape(
        len(token),
        classes.count("a"),
        classes.count("A"),
        classes.count("0"),
        switches / neighbours if neighbours else 0.0,
        common / pairs if pairs else 1.0,
        len(set(token)),
    )


def is_hex(token: str) -> bool:
    """Hexadecimal of 16 digits or more, in one case: a hash far more often than a key."""
    return _HEX.fullmatch(token) is not None


def is_uuid(token: str) -> bool:
    return _UUID.fullmatch(token) is not None


def machine_made(token: str, least: int = 16) -> bool:
    """Whether a machine made the token: a hash, a UUID, or drawn by chance with `least` characters."""
    return is_hex(token) or is_uuid(token) or looks_random(token, least)


def words(token: str) -> list[str]:
    """The parts of an identifier, in small letters: "myApi_key2" is my, api, key, 2."""
    return [part.lower() for piece in _HYPHENS.split(token[:JUDGED]) for part in _PARTS.findall(piece)]


def looks_random(token: str, least: int = 16) -> bool:
    """Whether a token of at least `least` characters was drawn by chance.

    Hexadecimal and decimal numbers are not told apart from hashes and sizes, so they never count.
    """
    if len(token) < least or not token.isascii() or is_hex(token) or is_uuid(token):
        return False
    if len(set(token[:JUDGED])) < min(10, len(token[:JUDGED]) * 0.45):
        return False
    seen = shape(token)
    if seen.lower + seen.upper < 4:
        return False
    if seen.digit and seen.lower and seen.upper:
        return seen.switches >= 0.22 and seen.wordlike < 0.85
    if seen.digit >= 3:
        return seen.switches >= 0.2 and seen.wordlike < 0.8
    if seen.lower and seen.upper:
        return seen.switches >= 0.25 and seen.wordlike < 0.7 and seen.length >= 20
    return seen.length >= 20 and seen.wordlike < 0.6
