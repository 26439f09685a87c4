"""What a piece of text looks like: made by chance, or by a person.

A key drawn at random switches between small letters, capitals and digits far more often than a name
does, and its neighbouring letters are pairs that words rarely hold. Both are counted here, without a
dictionary, so that tokens of vendors nobody listed are seen too.
"""

from siltstone.store.late import IGNORECASE, LatePattern
from siltstone.store.tuples import NamedTuple

_PAIRS = """
abcdfgiklmnprstuvwxy baceijlorsuy cacdehiklmoprstuy dabcdefilorstu eabcdefgilmnopqrstvwxy faefilorstu
gaeghilnorstu haeiorst iabcdefglmnoprstvxz je kaeis lacdeilopstuy mabdeilmopsu nacdefgiklnopstuv
oabcdfgiklmnoprstuvwx pacdehiloprstuy qu rabcdefgiklmnoprstuvy sacdefhiklmnopqrstuwy tabcdefhilmoprstuwy
uabcdefgilmnoprst vaeio waehinors xceipt ylmnpst zei
"""
COMMON_PAIRS = frozenset(group[0] + second for group in _PAIRS.split() for second in group[1:])
"""Letter pairs that make up 95% of those in English prose and source code (counted over 10 MB)."""

HEX = LatePattern(r"[0-9a-f]{16,}|[0-9A-F]{16,}")
UUID = LatePattern(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", IGNORECASE)
_HYPHENS = LatePattern(r"[-_.]")
_CAMEL = LatePattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
JUDGED = 400
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


def shape(token: str) -> Shape:
    """Measure the first `JUDGED` characters of a token."""
    token = token[:JUDGED]
    classes = [_class(char) for char in token]
    switches = neighbours = pairs = common = 0
    for index in range(1, len(token)):
        before, here = classes[index - 1], classes[index]
        if not before or not here:
            continue
        neighbours += 1
        # A capital and the small letter after it are one step of a name, not a switch.
        switches += before != here and not (before == 2 and here == 1 and _starts(classes, index - 1))
        if before != 3 and here != 3:
            pairs += 1
            common += token[index - 1 : index + 1].lower() in COMMON_PAIRS
    return Shape(
        len(token),
        classes.count(1),
        classes.count(2),
        classes.count(3),
        switches / neighbours if neighbours else 0.0,
        common / pairs if pairs else 1.0,
        len(set(token)),
    )


def _starts(classes: list[int], index: int) -> bool:
    return index == 0 or classes[index - 1] != 2


def _class(char: str) -> int:
    if "a" <= char <= "z":
        return 1
    if "A" <= char <= "Z":
        return 2
    return 3 if "0" <= char <= "9" else 0


def is_hex(token: str) -> bool:
    """Hexadecimal of 16 digits or more, in one case: a hash far more often than a key."""
    return HEX.fullmatch(token) is not None


def is_uuid(token: str) -> bool:
    return UUID.fullmatch(token) is not None


def words(token: str) -> list[str]:
    """The parts of an identifier, in small letters: "myApi_key2" is my, api, key, 2."""
    return [part.lower() for piece in _HYPHENS.split(token[:JUDGED]) for part in _CAMEL.findall(piece)]


def looks_random(token: str, least: int = 16) -> bool:
    """Whether a token of at least `least` characters was drawn by chance.

    Hexadecimal and decimal numbers are not told apart from hashes and sizes, so they never count.
    """
    if len(token) < least or not token.isascii() or is_hex(token) or is_uuid(token):
        return False
    seen = shape(token)
    if seen.distinct < min(10, seen.length * 0.45) or seen.lower + seen.upper < 4:
        return False
    if seen.digit and seen.lower and seen.upper:
        return seen.switches >= 0.22 and seen.wordlike < 0.82
    if seen.digit >= 3:
        return seen.switches >= 0.2 and seen.wordlike < 0.8
    if seen.lower and seen.upper:
        return seen.switches >= 0.25 and seen.wordlike < 0.7 and seen.length >= 20
    return seen.length >= 20 and seen.wordlike < 0.6
