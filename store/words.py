"""Text as words to search by: folded, split at humps and underscores, CJK in pairs.

unicode61 finds no CJK and trigram nothing under three characters, so the cutting is done here and
FTS5 gets words with spaces between. Measured.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from unicodedata import normalize

MAX_TEXT = 30_000
"""Characters of a text that are looked at."""

_CJK = "\u3040\u30ff\u3400\u4dbf\u4e00\u9fff\uac00\ud7af\U00020000\U0003134f"
"""First and last of each range."""
_HUMP = re.compile(r"(?<=[a-z0-9])[A-Z]|(?<=[A-Z])[A-Z](?=[a-z])")
_BETWEEN = {n: " " for n in range(128) if not chr(n).isalnum()}
"""ASCII that stands in no word."""


def words(text: str) -> list[str]:
    """The words of a stored text, in order, with repeats.

    "getUserProfile" gives the whole and its parts. A run of CJK gives each pair and its last
    character, so that every character starts a word.
    """
    found = []
    for piece, cjk in _pieces(text):
        if cjk:
            found += [piece[n : n + 2] for n in range(len(piece))]
            continue
        whole = _fold(piece)
        found.append(whole)
        if whole[1:] != piece[1:] and len(parts := _humps(piece)) > 1:
            found += map(_fold, parts)
    return found


def query_words(text: str) -> list[str]:
    """The words to look for, each once; a single CJK character with `*`, for any word that it begins."""
    found: list[str] = []
    for piece, cjk in dict.fromkeys(_pieces(text)):
        if not cjk:
            found += map(_fold, _humps(piece))
        elif len(piece) == 1:
            found.append(f"{piece}*")
        else:
            found += [piece[n : n + 2] for n in range(len(piece) - 1)]
    return list(dict.fromkeys(found))


_ENDINGS = (
    *(("ies", "y"), ("ied", "y"), ("sses", "ss"), ("s", "")),
    *(("ating", ""), ("ated", ""), ("ing", ""), ("ed", "")),
    *(("ation", ""), ("ator", ""), ("ion", ""), ("ment", ""), ("ate", "")),
)
"""Each that fits is taken off, in this order, with what stands in its place."""
_NO_PLURAL = ("ss", "us", "is")
_SHORTEST = {"ies": 2, "ied": 2, "sses": 2, "s": 3, "ing": 3, "ed": 3}
"""Letters that must be left; four for other endings."""


@lru_cache(maxsize=20_000)
def stemmed(word: str) -> str:
    """The part that the forms of an English word share: deploys, deploying and deployment give deploy."""
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    for ending, instead in _ENDINGS:
        bare = word.removesuffix(ending)
        if bare == word or len(bare) < _SHORTEST.get(ending, 4):
            continue
        if ending == "s" and word.endswith(_NO_PLURAL):
            continue
        double = ending in ("ing", "ed") and bare[-1] == bare[-2] and bare[-1] not in "lsz"
        word = bare[:-1] if double else bare + instead
    return word.removesuffix("e") if len(word) > 3 else word


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    text = text[:MAX_TEXT]
    if text.isascii():
        for word in text.translate(_BETWEEN).split():
            yield word, False
        return

    for kind, found in groupby(normalize("NFKC", text), _kind):
        if kind:
            yield "".join(found), kind == 2


@lru_cache(maxsize=10_000)
def _kind(char: str) -> int:
    """0 for a character that stands in no word, 1 for one of a word, 2 for CJK."""
    ranges = zip(_CJK[::2], _CJK[1::2], strict=True)
    return 2 if any(first <= char <= last for first, last in ranges) else int(char.isalnum())


def _humps(word: str) -> list[str]:
    """A word cut where a capital follows a small letter or digit, or begins a word behind capitals."""
    if word[1:] == word[1:].lower():
        return [word]
    cuts = [found.start() for found in _HUMP.finditer(word)]
    return [word[start:end] for start, end in zip([0, *cuts], [*cuts, len(word)], strict=True)]


def _fold(word: str) -> str:
    folded = word.casefold()
    if folded.isascii():
        return folded

    bare = "".join(char for char in normalize("NFD", folded) if not "\u0300" <= char <= "\u036f")
    return normalize("NFC", bare)
